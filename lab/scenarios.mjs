// What the model says and what a person asks, told once for all agents: `t` are the agent's own tools.
import { join } from 'node:path'
import { besideScenarios } from './scenarios-beside.mjs'
import { liveScenarios } from './scenarios-live.mjs'
import { longScenarios } from './scenarios-long.mjs'
import { opencodeScenarios } from './scenarios-opencode.mjs'
import { wordScenarios } from './scenarios-words.mjs'
import { only, SUMMARY } from './scenario-parts.mjs'

/**
 * A scenario is a function of (t, { cwd, agent }) that gives
 *   steps    what is asked: { prompt, resume, fork, approve, mcp, interrupt, flags }, or { prompt, serve }
 *   turns    what the model answers, in order over all steps; see model.mjs
 *   threads  what it answers to subagents: [{ when, turns }]
 *   failures how many of the calls fail, for the checks
 */
export const scenarios = {
  simple: () => ({
    steps: [{ prompt: 'What does this project do?' }],
    turns: [{ text: 'It adds numbers and has one test.' }],
  }),

  thinking: () => ({
    steps: [{ prompt: 'Why is addition commutative?' }],
    turns: [
      { think: 'The order of the terms does not matter, by induction on the second one.', text: 'By induction.' },
    ],
  }),

  fixtest: (t, { cwd }) => ({
    failures: 1,
    steps: [{ prompt: 'The test fails. Mend it.', approve: true }],
    turns: [
      { think: 'First see how it fails.', text: 'I run the test first.', calls: [t.sh('node --test')] },
      { text: 'Now the source.', calls: [t.read(join(cwd, 'sum.js'))] },
      {
        text: 'It subtracts.',
        calls: [
          t.edit(join(cwd, 'sum.js'), 'export const sum = (a, b) => a - b;', 'export const sum = (a, b) => a + b;'),
        ],
      },
      { calls: [t.sh('node --test')] },
      { text: 'The test passes now: `sum` subtracted.' },
    ],
  }),

  toolerror: (t, { cwd }) => ({
    failures: 2,
    steps: [{ prompt: 'Read the notes and write a summary.', approve: true }],
    turns: [
      { calls: [t.read(join(cwd, 'NOTES.txt'))] },
      { text: 'Not there. Perhaps it is the README.', calls: [t.read(join(cwd, 'README.md'))] },
      { calls: [t.write(join(cwd, 'SUMMARY.md'), '# Summary\n\nA project that adds.\n')] },
      { calls: [t.sh('cat SUMMARY.md missing.txt')] },
      { text: 'Written to SUMMARY.md.' },
    ],
  }),

  parallel: (t) => ({
    failures: 0,
    steps: [{ prompt: 'Which files are here and what was committed?', approve: true }],
    turns: [
      { text: 'Both at once.', calls: [t.sh('ls -1'), t.sh('git log --oneline')] },
      { text: 'Three files, one commit.' },
    ],
  }),

  longoutput: (t) => ({
    steps: [{ prompt: 'Count to twenty thousand.', approve: true }],
    turns: [{ calls: [t.sh('seq 1 20000')] }, { text: 'Done: 20000 lines.' }],
  }),

  unicode: (t) => ({
    steps: [{ prompt: 'Grüße, 世界! 👩‍💻 e\u0301 — “quotes” \u202Ertl\u202C and a tab\there', approve: true }],
    turns: [{ text: 'Antwort: Ünïcödé 🎉 漢字', calls: [t.sh("printf '%s\\n' 'ß 漢字 👩‍💻'")] }, { text: 'Fertig. ✓' }],
  }),

  // A secret of no use to anybody, in the form of a real one.
  secret: (t) => ({
    steps: [
      { prompt: `Use the token ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)} to clone the repository.`, approve: true },
    ],
    turns: [{ calls: [t.sh(`echo "token AKIA${'QWERTYUIOPASDFGH'}"`)] }, { text: 'I do not need it.' }],
  }),

  denied: (t) => ({
    steps: [{ prompt: 'Copy the README out of the project.' }],
    turns: [{ calls: [t.sh('cp README.md ../copied-out.md')] }, { text: 'I was not allowed to.' }],
  }),

  resume: (t) => ({
    steps: [
      { prompt: 'Remember the word heron.' },
      { prompt: 'Which word was it?', resume: true },
      { prompt: 'And who wrote the files?', resume: true, approve: true },
    ],
    turns: [
      { text: 'I keep it in mind.' },
      { text: 'Heron.' },
      { calls: [t.sh('git log --format=%an')] },
      { text: 'Lab did.' },
    ],
  }),

  fork: () => ({
    steps: [{ prompt: 'Let us plan a bridge.' }, { prompt: 'Of stone, then.', resume: true, fork: true }],
    turns: [{ text: 'Of wood or of stone?' }, { text: 'A stone bridge.' }],
  }),

  interrupt: () => ({
    steps: [{ prompt: 'Tell me a very long story.', interrupt: true }],
    turns: [{ text: 'Once upon a time there was a lab. '.repeat(60), slow: 150 }],
  }),

  interrupttool: (t) => ({
    steps: [{ prompt: 'Wait for the server.', approve: true, interruptAfter: 2500 }],
    turns: [{ text: 'I wait.', calls: [t.sh("node -e 'setTimeout(() => {}, 60000)'")] }, { text: 'It never came.' }],
  }),

  apierror: () => ({
    steps: [{ prompt: 'Are you there?' }],
    turns: [
      { error: { status: 529, type: 'overloaded_error', message: 'Overloaded' } },
      { error: { status: 500, type: 'api_error', message: 'Internal server error' } },
      { text: 'Now I am.' },
    ],
  }),

  apifails: () => ({
    steps: [{ prompt: 'Is anybody there?' }],
    turns: Array.from({ length: 12 }, () => ({
      error: { status: 400, type: 'invalid_request_error', message: 'The lab refuses this request' },
    })),
  }),

  subagent: (t, { agent }) => ({
    steps: [
      {
        prompt: 'Let somebody else count the files.',
        approve: true,
        flags: agent === 'codex' ? ['-m', 'gpt-6.1-sol'] : [],
      },
    ],
    turns: [
      { text: 'I delegate this.', calls: [t.sub('Please count the files in this directory and tell the number.')] },
      ...(t.wait ? [{ calls: [t.wait()] }] : []),
      { text: 'The helper found four files.' },
    ],
    threads: [
      {
        when: 'Please count the files in this directory',
        turns: [
          {
            think: 'Counting is easy.',
            calls: [
              t.program?.('text((await tools.exec_command({ cmd: "ls -1 | wc -l" })).output);\n', ['exec_command']) ??
                t.sh('ls -1 | wc -l'),
            ],
          },
          { text: 'There are four files.' },
        ],
      },
    ],
  }),

  // Claude starts helpers in the background unless told not to, and is woken when they are done.
  background: only('claude', (t) => ({
    steps: [{ prompt: 'Let somebody count the files while we talk.', approve: true }],
    turns: [
      {
        text: 'I send somebody.',
        calls: [
          {
            tool: 'Agent',
            input: {
              description: 'Counting',
              prompt: 'Count all files in the background, please.',
              subagent_type: 'general-purpose',
            },
          },
        ],
      },
      { text: 'Somebody is counting.' },
      { text: 'Four, I hear.' },
    ],
    threads: [
      {
        when: 'Count all files in the background',
        turns: [{ calls: [t.sh('ls -1 | wc -l')] }, { text: 'There are four.' }],
      },
    ],
  })),

  // The newest models of Codex have one tool: a program that calls the others.
  codemode: only('codex', (t, { cwd }) => ({
    failures: 1,
    steps: [{ prompt: 'Mend the test by program.', approve: true, flags: ['-m', 'gpt-6.1-sol'] }],
    turns: [
      {
        think: 'Run it first.',
        calls: [
          t.program('const r = await tools.exec_command({ cmd: "node --test" });\ntext(r.output);\n', ['exec_command']),
        ],
      },
      {
        calls: [
          t.program(
            `await tools.apply_patch(${JSON.stringify(`*** Begin Patch\n*** Update File: ${join(cwd, 'sum.js')}\n@@\n-export const sum = (a, b) => a - b;\n+export const sum = (a, b) => a + b;\n*** End Patch\n`)});\nconst [a, b] = await Promise.all([tools.exec_command({ cmd: "node --test" }), tools.exec_command({ cmd: "git diff --stat" })]);\ntext(a.output);\ntext(b.output);\n`,
            ['apply_patch', 'exec_command', 'exec_command'],
          ),
        ],
      },
      { text: 'Mended by program.' },
    ],
  })),

  mcp: (t, { agent }) => ({
    failures: 1,
    steps: [{ prompt: 'Ask the lab server.', approve: true, mcp: true }],
    turns: [
      // Grok and Claude find the tools of servers by searching for them.
      ...(agent === 'grok' ? [{ calls: [{ tool: 'search_tool', input: { query: 'echo' } }] }] : []),
      ...(agent === 'claude'
        ? [
            {
              calls: [{ tool: 'ToolSearch', input: { query: 'select:mcp__lab__echo,mcp__lab__fail', max_results: 5 } }],
            },
          ]
        : []),
      { calls: [t.mcp('echo', { text: 'heron' })] },
      { calls: [t.mcp('fail', { text: 'stork' })] },
      { text: 'It echoes, and it fails.' },
    ],
  }),

  plan: only(['grok', 'opencode'], (t) => ({
    steps: [{ prompt: 'Plan the work first.', approve: true }],
    turns: [
      {
        calls: [
          t.plan([
            ['Read the code', 'in_progress'],
            ['Mend it', 'pending'],
          ]),
        ],
      },
      { text: 'Planned.' },
    ],
  })),

  goal: only('codex', () => ({
    steps: [{ prompt: 'Set yourself a goal.', approve: true }],
    turns: [
      { calls: [{ tool: 'create_goal', input: { objective: 'Mend the test' } }] },
      { calls: [{ tool: 'update_goal', input: { status: 'complete' } }] },
      { text: 'Reached.' },
    ],
  })),

  websearch: only('codex', () => ({
    steps: [{ prompt: 'Search the web for herons.' }],
    turns: [{ search: 'heron habitat', text: 'They live near water.' }],
  })),

  compact: (t, { agent }) => ({
    steps: [
      { prompt: 'Remember that the key is under the mat.' },
      // Without a terminal these two have no command for it: one is given a low limit, the other high numbers.
      agent === 'codex'
        ? { prompt: 'Go on.', resume: true, flags: ['-c', 'model_auto_compact_token_limit=1000'] }
        : agent === 'opencode'
          ? { prompt: 'Go on.', resume: true }
          : { prompt: agent === 'qwen' ? '/compress' : '/compact', resume: true },
      { prompt: 'Where is the key?', resume: true },
    ],
    turns: [
      { text: 'Under the mat.', usage: agent === 'opencode' ? { input: 199_000 } : {} },
      { text: agent === 'qwen' ? SUMMARY.replaceAll('summary>', 'state_snapshot>') : SUMMARY, summary: true },
      ...(agent === 'opencode' ? [{ text: 'Nothing is left to do.' }] : []),
      ...(['codex', 'opencode'].includes(agent) ? [{ text: 'I go on.' }] : []),
      { text: 'Still under the mat.' },
    ],
  }),

  // The other language tells what was written to the cache, and signs its thinking.
  cachewrite: only('opencode', (t) => ({
    steps: [{ prompt: 'Who wrote the files?', approve: true, flags: ['-m', 'labanthropic/lab-large'] }],
    turns: [{ think: 'The log knows.', calls: [t.sh('git log --format=%an')] }, { text: 'Lab did.' }],
  })),

  ...longScenarios,
  ...wordScenarios,
  ...liveScenarios,
  ...besideScenarios,
  ...opencodeScenarios,
}
