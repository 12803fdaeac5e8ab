// What people do beside prompts, and what never gets through: their own shell, answers to questions, hooks that block,
// parallel calls of which some are not allowed, arguments with anything in them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALL, only, SUMMARY } from './scenario-parts.mjs'

const live = (agents, scenario) => Object.assign(only(agents, scenario), { live: true })
const hooks = (event, command) => [
  '--settings',
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command, timeout: 10 }] }] } }),
]
const message = (content) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
/** A dot, as small as pictures are. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function layCommand(cwd) {
  mkdirSync(join(cwd, '.claude/commands'), { recursive: true })
  writeFileSync(join(cwd, '.claude/commands/weigh.md'), '---\ndescription: Weighs\n---\nWeigh this: $ARGUMENTS\n')
}

const escalated = {
  tool: 'exec_command',
  input: { cmd: 'cp README.md ../beside.md', sandbox_permissions: 'require_escalated', justification: 'May I?' },
}

/** Scenarios as in `scenarios.mjs`. */
export const besideScenarios = {
  // `!` runs a command in the person's own shell. Claude Code answers to what it put out; Grok logs it as a call.
  bang: live(ALL, (t, { agent }) => ({
    steps: [
      {
        prompt: '!',
        ran: agent === 'grok' ? ['run_terminal_command'] : undefined,
        spoken: [
          'Before the shell.',
          'Before.',
          '!echo from-the-shell',
          ...(agent === 'claude' ? ['It says so.'] : []),
          'After the shell.',
          'After.',
        ],
        live: async (screen) => {
          await screen.say('Before the shell.')
          await screen.until('Before.')
          await sleep(1500)
          await screen.press('!')
          await screen.say('echo from-the-shell')
          await screen.until(/from-the-shell[\s\S]*from-the-shell/)
          await sleep(2000)
          await screen.press('Escape', 'BSpace')
          await screen.say('After the shell.')
          await screen.until('After.')
        },
      },
    ],
    turns: [{ text: 'Before.' }, ...(agent === 'claude' ? [{ text: 'It says so.' }] : []), { text: 'After.' }],
  })),

  // The agent asks, the person writes something that was not among the choices.
  question: live(['claude', 'grok'], (t, { agent }) => ({
    steps: [
      {
        prompt: 'Ask me about birds.',
        spoken: ['Ask me about birds.', 'I ask.', 'Rather a bittern', 'A bittern.'],
        live: async (screen) => {
          await screen.say('Ask me about birds.')
          await screen.until(/Type (?:something|your answer)/)
          await screen.press('Down', 'Down')
          if (agent === 'grok') await screen.press('Enter')
          await screen.say('Rather a bittern')
          await screen.until('A bittern.')
        },
      },
    ],
    turns: [{ text: 'I ask.', calls: [t.ask('Which bird?', ['Heron', 'Stork'])] }, { text: 'A bittern.' }],
  })),

  // A hook turns a prompt away, another one a call.
  blocked: only('claude', (t) => ({
    failures: 0,
    steps: [
      { prompt: 'The first one is fine.' },
      { prompt: 'This one is blocked.', resume: true, flags: hooks('UserPromptSubmit', 'echo not today >&2; exit 2') },
      { prompt: 'This one hears more.', resume: true, flags: hooks('UserPromptSubmit', 'echo the sky is green') },
      {
        prompt: 'Use the shell.',
        resume: true,
        approve: true,
        flags: hooks('PreToolUse', 'grep -q blockme && { echo forbidden >&2; exit 2; }; exit 0'),
      },
    ],
    turns: [
      { text: 'Fine.' },
      { text: 'More.' },
      { calls: [t.sh('echo blockme')] },
      { calls: [t.sh('echo fine')] },
      { text: 'One of two.' },
    ],
  })),

  args: only('claude', (t, { cwd }) => {
    layCommand(cwd)
    const prompts = [
      '/weigh "quoted words" --flag=1 \'single\' && echo $HOME',
      '/weigh line one\nline two\n\n- a list',
      '/weigh <command-args>not args</command-args> & <b>',
      '/weigh 漢字 👩‍🚀',
      '/etc/hosts is wrong, why?',
      '/ a slash alone',
    ]
    return {
      steps: prompts.map((prompt, i) => ({ prompt, resume: i > 0 })),
      turns: prompts.map((_, i) => ({ text: `Weighed ${i}.` })),
    }
  }),

  // Several messages at once from a program, one of them only a picture.
  streamed: only('claude', (t) => ({
    steps: [
      {
        prompt: 'First of three.',
        input:
          message('First of three.') +
          message([{ type: 'text', text: 'Second of three.' }]) +
          message('Third of three.'),
        approve: true,
        spoken: ['First of three.', 'One.', 'Second of three.', 'Third of three.', 'Two and three.'],
      },
      {
        prompt: '[image]',
        resume: true,
        input: message([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }]),
      },
    ],
    turns: [{ text: 'One.', calls: [t.sh('sleep 1')] }, { text: 'Two and three.' }, { text: 'A dot.' }],
  })),

  // Of three calls in one answer one is not allowed and one fails (what comes after a no is in no transcript of Grok's:
  // docs/formats/grok.md); a call of a server that nobody allowed.
  partlydenied: only(['claude', 'grok'], (t, { agent }) => ({
    ...(agent === 'claude' ? { failures: 1 } : {}),
    steps: [
      {
        prompt: 'Three at once, some are not allowed.',
        flags: agent === 'claude' ? ['--allowedTools', 'Bash(cat:*)'] : [],
      },
      { prompt: 'And now?', resume: true },
    ],
    turns: [
      {
        text: 'Three.',
        calls: [
          t.sh('cat README.md'),
          t.sh('cp README.md ../out-partly.md'),
          ...(agent === 'claude' ? [t.sh('cat nothing-here.txt')] : []),
        ],
      },
      ...(agent === 'claude' ? [{ text: 'One was not allowed.' }] : []),
      { text: 'Nothing more.' },
    ],
  })),

  mcpdenied: only(ALL, (t, { agent }) => ({
    failures: 0,
    steps: [
      { prompt: 'Ask the server without leave.', mcp: true },
      { prompt: 'Never mind.', resume: true },
    ],
    turns: [
      ...(agent === 'claude'
        ? [{ calls: [{ tool: 'ToolSearch', input: { query: 'select:mcp__lab__echo', max_results: 5 } }] }]
        : []),
      { text: 'I ask it.', calls: [t.mcp('echo', { text: 'bittern' })] },
      ...(agent === 'grok' ? [] : [{ text: 'Not allowed.' }]),
      { text: 'Never.' },
    ],
  })),

  // The conversation becomes too long between two calls.
  midcompact: only(['claude', 'codex'], (t, { agent }) => ({
    steps: [
      {
        prompt: 'Look at three things, one after the other.',
        approve: true,
        flags: agent === 'codex' ? ['-c', 'model_auto_compact_token_limit=3500'] : ['--autocompact', '100k'],
      },
      { prompt: 'What were they?', resume: true },
    ],
    turns: [
      { text: 'One.', calls: [t.sh('echo thing-one')] },
      { text: 'Two.', calls: [t.sh('echo thing-two')], usage: { input: agent === 'claude' ? 190_000 : 9000 } },
      { text: SUMMARY, summary: true },
      { text: 'Three.', calls: [t.sh('echo thing-three')] },
      { text: 'All three.' },
      { text: 'One, two, three.' },
    ],
  })),

  // A program that catches what failed in it, and one that goes on in the background.
  codeinner: only('codex', (t, { cwd }) => ({
    failures: 3,
    steps: [{ prompt: 'Programs with bad parts.', approve: true, flags: ['-m', 'gpt-6.1-sol'] }],
    turns: [
      {
        calls: [
          t.program(
            `try { await tools.apply_patch(${JSON.stringify(`*** Begin Patch\n*** Update File: ${join(cwd, 'nothere.txt')}\n@@\n-a\n+b\n*** End Patch\n`)}); } catch (e) { text(String(e)); }\nconst r = await tools.exec_command({ cmd: "exit 9" });\ntext(String(r.exit_code));\n`,
            ['apply_patch', 'exec_command'],
          ),
        ],
      },
      {
        calls: [
          t.program(
            'const list = [];\nfor (let i = 0; i < 3; i++) list.push(tools.exec_command({ cmd: i === 1 ? "nosuchprogram --x" : `echo n${i}` }));\nfor (const p of list) text((await p).output);\n',
            ['exec_command', 'exec_command', 'exec_command'],
          ),
        ],
      },
      {
        calls: [
          t.program(
            'const a = await tools.exec_command({ cmd: "echo begin; sleep 2; echo finish", yield_time_ms: 300 });\ntext(a.output);\nconst b = await tools.write_stdin({ session_id: a.session_id, chars: "", yield_time_ms: 4000 });\ntext(b.output);\n',
            ['exec_command', 'write_stdin'],
          ),
        ],
      },
      { text: 'Bad parts told.' },
    ],
  })),

  // A no at Codex's question stops the turn: docs/formats/codex.md.
  codexno: live('codex', () => ({
    failures: 0,
    steps: [
      {
        prompt: 'Copy it.',
        flags: ['-a', 'on-request'],
        interrupted: true,
        spoken: ['Copy it.', 'I copy it.', 'rather not at all', 'As you like.'],
        live: async (screen) => {
          await screen.say('Copy it.')
          await screen.until('Would you like to run')
          await screen.reach(/› \d\. No/, 'Down')
          await screen.press('Enter')
          await sleep(1500)
          await screen.say('rather not at all')
          await screen.until('As you like.')
        },
      },
    ],
    turns: [{ text: 'I copy it.', calls: [escalated] }, { text: 'As you like.' }],
  })),

  // Gone back to an earlier place, and on from there.
  goneback: live(['claude', 'codex'], (t, { agent }) => ({
    steps: [
      {
        prompt: 'Name a colour.',
        spoken: ['Name a colour.', 'Blue.', 'Name a number.', 'Seven.', 'Name another.', 'Green.'],
        live: async (screen) => {
          await screen.say('Name a colour.')
          await screen.until('Blue.')
          await screen.say('Name a number.')
          await screen.until('Seven.')
          await sleep(1500)
          await screen.press('Escape', 'Escape')
          await sleep(800)
          if (agent === 'claude') await screen.press('Up')
          await screen.press('Enter')
          await sleep(1000)
          if (agent === 'claude') await screen.press('Enter')
          await sleep(1000)
          await screen.press('C-u')
          await screen.say('Name another.')
          await screen.until('Green.')
        },
      },
    ],
    turns: [{ text: 'Blue.' }, { text: 'Seven.' }, { text: 'Green.' }],
  })),

  // Sent at once, which stops the turn; what it ran goes on in the background.
  sendnow: live('grok', (t) => ({
    steps: [
      {
        prompt: 'Wait for the cart.',
        interrupted: true,
        spoken: ['Wait for the cart.', 'I wait.', 'Mind the horse now.', 'I mind it.'],
        live: async (screen) => {
          await screen.say('Wait for the cart.')
          await screen.until('I wait.')
          await screen.say('Mind the horse now.')
          await sleep(500)
          await screen.press('Enter')
          await screen.until('I mind it.')
        },
      },
    ],
    turns: [{ text: 'I wait.', calls: [t.sh('sleep 9 && echo cart')] }, { text: 'I mind it.' }],
  })),
}
