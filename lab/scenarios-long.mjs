// Longer stories: several steps, forks, compactions, helpers, what is not allowed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL, only, SUMMARY } from './scenario-parts.mjs'

const sol = (agent) => (agent === 'codex' ? ['-m', 'gpt-6.1-sol'] : [])
const compactStep = (agent) =>
  agent === 'codex'
    ? { prompt: 'Carry on please.', resume: true, flags: ['-c', 'model_auto_compact_token_limit=1000'] }
    : { prompt: '/compact', resume: true }
const compactTurns = (agent) => [
  { text: SUMMARY, summary: true },
  ...(agent === 'codex' ? [{ text: 'I carry on.' }] : []),
]

function layCommand(cwd) {
  mkdirSync(join(cwd, '.claude/commands'), { recursive: true })
  writeFileSync(
    join(cwd, '.claude/commands/weigh.md'),
    '---\ndescription: Weighs\n---\nWeigh this carefully: $ARGUMENTS\n',
  )
}

/** Scenarios as in `scenarios.mjs`. */
export const longScenarios = {
  // Forks of forks, gone on with.
  forkchain: only(ALL, (t) => ({
    failures: 0,
    steps: [
      { prompt: 'Plan a bridge over the brook.' },
      { prompt: 'Of stone.', resume: true, fork: true, approve: true },
      { prompt: 'How long?', resume: true },
      { prompt: 'Rather of wood.', resume: true, fork: true },
      { prompt: 'How wide?', resume: true, approve: true },
    ],
    turns: [
      { think: 'A brook is small.', text: 'Of what?' },
      { text: 'Let me look.', calls: [t.sh('ls README.md')] },
      { text: 'Stone it is.' },
      { text: 'Ten metres.' },
      { text: 'Wood it is.' },
      { calls: [t.sh('echo two')] },
      { text: 'Two metres.' },
    ],
  })),

  // A fork of what was compacted, and a compaction of a fork.
  compactfork: only(ALL, (t, { agent }) => ({
    steps: [
      { prompt: 'A bridge with how many arches?' },
      compactStep(agent),
      { prompt: 'And with four?', resume: true, fork: true },
      { prompt: 'Back to three.', resume: true },
    ],
    turns: [{ text: 'Three arches.' }, ...compactTurns(agent), { text: 'Four, then.' }, { text: 'Three, then.' }],
  })),

  forkcompact: only(ALL, (t, { agent }) => ({
    steps: [
      { prompt: 'Name a bird.' },
      { prompt: 'Another.', resume: true, fork: true },
      compactStep(agent),
      { prompt: 'Which two were they?', resume: true },
    ],
    turns: [{ text: 'Heron.' }, { text: 'Stork.' }, ...compactTurns(agent), { text: 'Heron and stork.' }],
  })),

  // The same words again and again are as many prompts.
  samewords: only(ALL, () => ({
    steps: [
      { prompt: 'Go on.' },
      { prompt: 'Go on.', resume: true },
      { prompt: 'Go on.', resume: true, fork: true },
      { prompt: 'Go on.', resume: true },
    ],
    turns: [{ text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }],
  })),

  // Helpers at the same time, and a fork after one.
  twosubs: only(['claude', 'grok'], (t) => ({
    failures: 1,
    steps: [{ prompt: 'Let two others look, one at files and one at commits.', approve: true }],
    turns: [
      {
        text: 'I send two.',
        calls: [t.sub('Kindly look at the files of this place.'), t.sub('Kindly look at the commits of this place.')],
      },
      { text: 'Both are back.' },
    ],
    threads: [
      {
        when: 'look at the files',
        turns: [{ calls: [t.sh('ls -1 | wc -l')] }, { calls: [t.sh('ls nowhere')] }, { text: 'Files seen.' }],
      },
      {
        when: 'look at the commits',
        turns: [{ think: 'A log.', calls: [t.sh('git log --oneline')] }, { text: 'Commits seen.' }],
      },
    ],
  })),

  subfork: only(ALL, (t, { agent }) => ({
    failures: 0,
    steps: [
      { prompt: 'Somebody else shall count.', approve: true, flags: sol(agent) },
      { prompt: 'Once more, without them.', resume: true, fork: true, flags: sol(agent) },
      { prompt: 'And the sum?', resume: true, flags: sol(agent) },
    ],
    turns: [
      { text: 'Sent.', calls: [t.sub('Count what lies around here, friend.')] },
      ...(t.wait ? [{ calls: [t.wait()] }] : []),
      { text: 'Four of them.' },
      { text: 'I counted four myself.' },
      { text: 'Eight.' },
    ],
    threads: [
      {
        when: 'Count what lies around',
        turns: [
          {
            calls: [
              t.program?.('text((await tools.exec_command({ cmd: "ls -1 | wc -l" })).output);\n', ['exec_command']) ??
                t.sh('ls -1 | wc -l'),
            ],
          },
          { text: 'Four lie around.' },
        ],
      },
    ],
  })),

  // What was not allowed, and then is.
  denyretry: only(['claude', 'grok'], (t, { agent }) => ({
    steps: [
      { prompt: 'Put a copy of the README beside the project.' },
      { prompt: 'You may now. Try again.', resume: true, approve: true },
    ],
    turns: [
      { text: 'I copy it.', calls: [t.sh('cp README.md ../beside-1.md')] },
      ...(agent === 'claude' ? [{ text: 'It was not allowed.' }] : []),
      {
        text: 'Again.',
        calls: [t.sh(agent === 'claude' ? 'cp README.md beside-1.md' : 'cp README.md ../beside-1.md')],
      },
      { text: 'Copied.' },
    ],
  })),

  // Going on after an interruption, also in a fork and in a program.
  interruptresume: only(ALL, (t) => ({
    failures: 1,
    steps: [
      { prompt: 'Tell a long tale of herons.', interrupt: true },
      { prompt: 'Shorter, please.', resume: true, approve: true },
      { prompt: 'Thanks, once more for the road.', resume: true },
    ],
    turns: [
      { text: 'There was a heron by the water. '.repeat(60), slow: 150 },
      { text: 'First I look.', calls: [t.sh('cat heron.txt')] },
      { text: 'A heron stood there. It left.' },
      { text: 'It stood, it left.' },
    ],
  })),

  interrupttoolfork: only(ALL, (t) => ({
    steps: [
      { prompt: 'Wait for the tide.', approve: true, interruptAfter: 2500 },
      { prompt: 'Do not wait, look at the clock.', resume: true, fork: true, approve: true },
      { prompt: 'Well?', resume: true },
    ],
    turns: [
      { text: 'I wait for it.', calls: [t.sh("node -e 'setTimeout(() => {}, 60000)'")] },
      { calls: [t.sh('echo noon')] },
      { text: 'It is noon.' },
      { text: 'Still noon.' },
    ],
  })),

  codeinterrupt: only('codex', (t) => ({
    steps: [
      { prompt: 'Wait by program.', approve: true, interruptAfter: 7000, flags: ['-m', 'gpt-6.1-sol'] },
      { prompt: 'Now quickly.', resume: true, approve: true, flags: ['-m', 'gpt-6.1-sol'] },
    ],
    turns: [
      {
        calls: [
          t.program(
            'const a = await tools.exec_command({ cmd: "echo first" });\ntext(a.output);\nconst r = await tools.exec_command({ cmd: "sleep 40", yield_time_ms: 30000 });\ntext(r.output);\n',
            ['exec_command', 'exec_command'],
          ),
        ],
      },
      { calls: [t.program('text((await tools.exec_command({ cmd: "echo quick" })).output);\n', ['exec_command'])] },
      { text: 'Quick it was.' },
    ],
  })),

  // Programs in which some calls fail, and one that fails itself.
  codeerrors: only('codex', (t, { cwd }) => ({
    failures: 4,
    steps: [
      { prompt: 'Several by program, some of them bad.', approve: true, mcp: true, flags: ['-m', 'gpt-6.1-sol'] },
    ],
    turns: [
      {
        calls: [
          t.program(
            'for (const n of [0, 3, 0, 7]) { const r = await tools.exec_command({ cmd: `echo run ${n}; exit ${n}` }); text(r.output); }\n',
            ['exec_command', 'exec_command', 'exec_command', 'exec_command'],
          ),
        ],
      },
      {
        calls: [
          t.program(
            'const e = await tools.mcp__lab__echo({ text: "kingfisher" });\ntext(JSON.stringify(e));\ntry { const f = await tools.mcp__lab__fail({ text: "bittern" }); text(JSON.stringify(f)); } catch (e) { text("caught " + e.message); }\n',
            ['mcp__lab__echo', 'mcp__lab__fail'],
          ),
        ],
      },
      { calls: [t.program('text("before");\nthrow new Error("broken on purpose");\n', [])] },
      {
        calls: [
          t.program(
            `await tools.apply_patch(${JSON.stringify(`*** Begin Patch\n*** Add File: ${join(cwd, 'new.txt')}\n+one\n*** End Patch\n`)});\n`,
            ['apply_patch'],
          ),
        ],
      },
      { text: 'Some of them were bad.' },
    ],
  })),

  // Commands of a project, with arguments and without; one that is not there.
  custom: only('claude', (t, { cwd }) => {
    layCommand(cwd)
    return {
      steps: [
        { prompt: '/weigh the stone — and the wood' },
        { prompt: 'And now?', resume: true },
        { prompt: '/weigh', resume: true },
        { prompt: '/nosuchcommand at all', resume: true },
      ],
      turns: [{ text: 'Weighed.' }, { text: 'Nothing more.' }, { text: 'Nothing to weigh.' }, { text: 'No such.' }],
    }
  }),

  maxturns: only('claude', (t) => ({
    steps: [
      { prompt: 'Look twice.', approve: true, flags: ['--max-turns', '1'] },
      { prompt: 'Again.', resume: true },
    ],
    turns: [{ text: 'Once.', calls: [t.sh('echo once')] }, { text: 'I am done.' }],
  })),

  // Rules that forbid, and places outside the project.
  disallowed: only('claude', (t) => ({
    failures: 0,
    steps: [{ prompt: 'Run it.', flags: ['--disallowedTools', 'Bash(ls:*)', '--allowedTools', 'Bash(echo:*)'] }],
    turns: [
      { calls: [t.sh('ls -l')] },
      { calls: [t.sh('echo ok && rm -rf nothing-here')] },
      { calls: [t.sh('cat < /etc/hostname > ../out.txt')] },
      { calls: [t.write('/etc/lab-out.txt', 'x')] },
      { calls: [t.read('/root/.ssh/id_rsa')] },
      { calls: [t.sh('echo fine')] },
      { text: 'Only echo.' },
    ],
  })),

  subinterrupt: only(['claude', 'grok'], (t) => ({
    steps: [
      { prompt: 'Let them wait.', approve: true, interruptAfter: 4000 },
      { prompt: 'Leave it.', resume: true },
    ],
    turns: [{ text: 'They wait.', calls: [t.sub('Wait long for me, helper.')] }, { text: 'Left.' }],
    threads: [
      {
        when: 'Wait long for me',
        turns: [{ calls: [t.sh("node -e 'setTimeout(() => {}, 60000)'")] }, { text: 'Waited.' }],
      },
    ],
  })),

  codexnested: only('codex', (t) => ({
    steps: [{ prompt: 'Nested helpers.', approve: true, flags: ['-m', 'gpt-6.1-sol'] }],
    turns: [
      {
        calls: [
          {
            tool: 'spawn_agent',
            namespace: 'collaboration',
            input: { message: 'Upper errand, send one.', task_name: 'upper' },
          },
        ],
      },
      { calls: [t.wait()] },
      { text: 'Done nested.' },
    ],
    threads: [
      { when: 'Lower errand', turns: [{ text: 'Lower seen.' }] },
      {
        when: 'Upper errand',
        turns: [
          {
            calls: [
              {
                tool: 'spawn_agent',
                namespace: 'collaboration',
                input: { message: 'Lower errand, look down.', task_name: 'lower' },
              },
            ],
          },
          { calls: [t.wait()] },
          { text: 'Upper done.' },
        ],
      },
    ],
  })),

  // Searches, lists, a tool that is not there. A command in the background would wake the agent at the end or not.
  groktools: only('grok', (t, { cwd }) => ({
    steps: [{ prompt: 'Many tools.', approve: true }],
    turns: [
      {
        calls: [
          { tool: 'grep', input: { pattern: 'sum', path: cwd } },
          { tool: 'list_dir', input: { target_directory: cwd } },
        ],
      },
      { calls: [{ tool: 'no_such_tool', input: { a: 1 } }] },
      { text: 'Many.' },
    ],
  })),

  // Compacted twice, with words for it, and gone on with.
  compacttwice: only(ALL, (t, { agent }) => {
    const step = { ...compactStep(agent), ...(agent === 'codex' ? {} : { prompt: '/compact keep the names' }) }
    return {
      steps: [
        { prompt: 'Name a lighthouse.' },
        step,
        { prompt: 'Who kept it?', resume: true, approve: true },
        step,
        { prompt: 'And after him?', resume: true },
      ],
      turns: [
        { text: 'Eddystone.' },
        ...compactTurns(agent),
        { think: 'Keepers.', calls: [t.sh('echo keeper')] },
        { text: 'Henry.' },
        ...compactTurns(agent),
        { text: 'His son.' },
      ],
    }
  }),

  // Interrupted twice, one of two calls done: of Grok that one is not told, see docs/formats/grok.md.
  midtool: only(['claude', 'codex'], (t) => ({
    steps: [
      { prompt: 'Two at once, one long.', approve: true, interruptAfter: 3000 },
      { prompt: 'What came of them?', resume: true, approve: true },
      { prompt: 'Again, and wait.', resume: true, approve: true, interruptAfter: 2500 },
      { prompt: 'Enough.', resume: true },
    ],
    turns: [
      { text: 'Both.', calls: [t.sh('echo quick-one'), t.sh("node -e 'setTimeout(() => {}, 50000)'")] },
      { calls: [t.sh('echo after')] },
      { text: 'One came back.' },
      { think: 'Wait again.', text: 'Waiting again.', calls: [t.sh("node -e 'setTimeout(() => {}, 51000)'")] },
      { text: 'Enough it is.' },
    ],
  })),

  // Calls of a program at the same time, some of which fail.
  codemix: only('codex', (t) => ({
    failures: 2,
    steps: [{ prompt: 'Mix by program.', approve: true, mcp: true, flags: sol('codex') }],
    turns: [
      {
        text: 'I mix.',
        calls: [
          t.program(
            'const all = await Promise.allSettled([tools.exec_command({ cmd: "echo ok; sleep 0.3" }), tools.exec_command({ cmd: "false" }), tools.mcp__lab__fail({ text: "x" }), tools.mcp__lab__echo({ text: "y" })]);\ntext(JSON.stringify(all));\n',
            ['exec_command', 'exec_command', 'mcp__lab__fail', 'mcp__lab__echo'],
          ),
        ],
      },
      { text: 'Mixed.' },
    ],
  })),
}
