import * as fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { claudeHooks } from '../claude/hooks.ts'
import { codexHooks } from '../codex/hooks.ts'
import { codexNotify } from '../codex/notify.ts'
import { grokOrigin } from '../grok/hook-origin.ts'
import { grokHooks } from '../grok/hooks.ts'

const commandFor = (agent: string, bin = '/opt/recall/bin/recall.js') => ['/usr/bin/node', bin, 'hook', 'run', agent]
const CLAUDE = commandFor('claude')
const CODEX = commandFor('codex')

test('each agent has its own file, where its variable says', () => {
  expect(claudeHooks.file({ HOME: '/h' })).toBe('/h/.claude/settings.json')
  expect(claudeHooks.file({ HOME: '/h', CLAUDE_CONFIG_DIR: '/c, /d' })).toBe('/c/settings.json')
  expect(codexHooks.file({ HOME: '/h' })).toBe('/h/.codex/hooks.json')
  expect(codexNotify.file({ HOME: '/h' })).toBe('/h/.codex/config.toml')
  expect(codexNotify.file({ HOME: '/h', CODEX_HOME: '/c' })).toBe('/c/config.toml')
  expect(grokHooks.file({ HOME: '/h' })).toBe('/h/.grok/hooks/recall.json')
  expect(grokHooks.file({ HOME: '/h', GROK_HOME: '/g' })).toBe('/g/hooks/recall.json')
})

describe('hooks in JSON', () => {
  const theirs = {
    model: 'opus',
    hooks: {
      Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'beep' }] }],
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }],
    },
    permissions: { allow: ['Bash(ls:*)'] },
  }

  test('come beside those of others, for the four events, and everything else stays', () => {
    const text = claudeHooks.add(JSON.stringify(theirs, null, 4), CLAUDE)
    const merged = JSON.parse(text)
    const ours = {
      hooks: [
        { type: 'command', command: '/usr/bin/node /opt/recall/bin/recall.js hook run claude || true', timeout: 5 },
      ],
    }
    expect(merged).toEqual({
      ...theirs,
      hooks: {
        ...theirs.hooks,
        Stop: [theirs.hooks.Stop[0], ours],
        SessionStart: [ours],
        SessionEnd: [ours],
        PreCompact: [ours],
      },
    })
    expect(text).toContain('\n    "model"')
  })

  test('are there once, however often they are added, and follow the program when it moves', () => {
    const once = claudeHooks.add(null, CLAUDE)
    expect(claudeHooks.add(once, CLAUDE)).toBe(once)
    const reformatted = JSON.stringify(JSON.parse(once))
    expect(claudeHooks.add(reformatted, CLAUDE)).toBe(reformatted)
    const moved = claudeHooks.add(once, commandFor('claude', "/home/o'hara/my node/recall.js"))
    expect(moved).not.toContain('/opt/recall')
    const command = JSON.parse(moved).hooks.Stop[0].hooks[0].command
    expect(command).toBe(`/usr/bin/node '/home/o'\\''hara/my node/recall.js' hook run claude || true`)
    expect(claudeHooks.has(moved)).toBe(true)
    expect(JSON.parse(moved).hooks.Stop).toHaveLength(1)
  })

  test('go without a trace of ours, and take nothing along', () => {
    expect(JSON.parse(claudeHooks.remove(claudeHooks.add(JSON.stringify(theirs), CLAUDE)))).toEqual(theirs)
    expect(JSON.parse(claudeHooks.remove(claudeHooks.add('{}', CLAUDE)))).toEqual({})
    const untouched = '{"hooks":{"Stop":[]}, "n":1.0}'
    expect(claudeHooks.remove(untouched)).toBe(untouched)
  })

  test("are told apart by agent: Grok's are not Claude's", () => {
    expect(claudeHooks.has(grokHooks.add(null, commandFor('grok')))).toBe(false)
    expect(
      claudeHooks.has(JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: 'recall-notes run claude' }] }] } })),
    ).toBe(false)
  })

  test.each([
    ['// mine\n{}', /is not JSON/],
    ['[]', /no object/],
    ['{"id":12345678901234567890}', /too many digits/],
    ['{"a":1,"a":2}', /twice/],
    ['{"hooks":[]}', /no object/],
    ['{"hooks":{"Stop":{}}}', /no list/],
  ])('refuse a file they cannot be merged with: %s', (text, why) => {
    expect(() => claudeHooks.add(text, CLAUDE)).toThrow(why)
  })

  test('whatever JSON was there is there afterwards', () => {
    const entry = fc.record({ type: fc.constant('command'), command: fc.string() })
    const group = fc.record({ matcher: fc.string(), hooks: fc.array(entry, { maxLength: 2 }) })
    const events = fc.constantFrom('Stop', 'SessionStart', 'PreToolUse', 'Other')
    const hooks = fc.dictionary(events, fc.array(group, { minLength: 1, maxLength: 2 }), { minKeys: 1 })
    const settings = fc.record({ hooks, other: fc.jsonValue() })
    fc.assert(
      fc.property(settings, (before) => {
        const plain: unknown = JSON.parse(JSON.stringify(before))
        const added = claudeHooks.add(JSON.stringify(before), CLAUDE)
        expect(claudeHooks.has(added)).toBe(true)
        expect(JSON.parse(claudeHooks.remove(added))).toEqual(plain)
      }),
    )
  })
})

describe("Codex's notify", () => {
  const config =
    '# mine\r\nmodel = "o3" # best\r\nodd = """\nnotify = ["in a string"]\n"""\r\n\r\n[tui]\r\nnotify = ["x"]\r\n'

  test('stands before everything else, and the rest keeps its comments to the byte', () => {
    const text = codexNotify.add(config, CODEX)
    expect(text).toBe(`notify = ["/usr/bin/node", "/opt/recall/bin/recall.js", "hook", "run", "codex"]\r\n${config}`)
    expect(parse(text)['notify']).toEqual(CODEX)
    expect(codexNotify.add(text, CODEX)).toBe(text)
    expect(codexNotify.remove(text)).toBe(config)
    expect([codexNotify.has(config), codexNotify.has(text)]).toEqual([false, true])
    expect(codexNotify.remove(config)).toBe(config)
    expect(codexNotify.remove(codexNotify.add(null, CODEX))).toBe('')
  })

  test('is found again where somebody moved and reformatted it', () => {
    const moved = `model = "o3"\n"notify" = [\n  "/usr/bin/node", # which\n  '/old/recall.js', "hook",\n  "run", "codex",\n] # ours\n[tui]\nnotify = ["x"]\n`
    expect(codexNotify.remove(moved)).toBe('model = "o3"\n[tui]\nnotify = ["x"]\n')
    const updated = codexNotify.add(moved, CODEX)
    expect(parse(updated)).toEqual({ ...parse(moved), notify: CODEX })
    expect(updated).toMatch(/^model = "o3"\nnotify = /)
  })

  test('is not mistaken for the same words in a string', () => {
    const old = `notify = ${JSON.stringify(commandFor('codex', '/old/recall.js'))}\n`
    const tricky = `odd = '''\n${old}'''\n${old}`
    expect(codexNotify.remove(tricky)).toBe(`odd = '''\n${old}'''\n`)
    expect(parse(codexNotify.add(tricky, CODEX))).toEqual({ odd: old, notify: CODEX })
  })

  test("is refused where it is somebody else's, and where the file is no TOML", () => {
    expect(() => codexNotify.add('notify = ["terminal-notifier"]\n', CODEX)).toThrow(
      /already has another notify.*terminal-notifier/,
    )
    expect(() => codexNotify.add('model = \n', CODEX)).toThrow(/is not TOML \(line 1/)
  })
})

describe('a hook of Claude Code that fires from Grok', () => {
  const isGrok = (payload: Record<string, unknown>, env = {}) => grokOrigin.isBehind(payload, env)

  test('is known by its spelling, by where its transcript lies, or by its environment', () => {
    expect(isGrok({ hookEventName: 'stop', sessionId: 'x' })).toBe(true)
    expect(isGrok({ session_id: 'x', transcript_path: '/h/.grok/sessions/a/x' })).toBe(true)
    expect(isGrok({ session_id: 'x', transcript_path: '/g/sessions/a/x' }, { GROK_HOME: '/g' })).toBe(true)
    expect(isGrok({}, { GROK_HOOK_EVENT: 'stop' })).toBe(true)
  })

  test('is not taken for one where Claude Code itself speaks, even inside Grok', () => {
    const payload = { hook_event_name: 'Stop', session_id: 'x', transcript_path: '/h/.claude/projects/p/x.jsonl' }
    expect(isGrok(payload)).toBe(false)
    expect(isGrok(payload, { GROK_HOOK_EVENT: 'stop', GROK_HOME: '/g' })).toBe(false)
    expect(isGrok({})).toBe(false)
  })
})
