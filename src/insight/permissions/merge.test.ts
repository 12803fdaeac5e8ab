import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../model/errors.ts'
import { parsePattern, patternText, type PermissionTarget } from '../../model/permission.ts'
import { claudePermissions as claude } from '../../sources/claude/permissions.ts'
import { codexPermissions as codex } from '../../sources/codex/permissions.ts'
import { grokPermissions as grok } from '../../sources/grok/permissions.ts'
import { lineDiff, planApply, planUndo, rulesToApply } from './merge.ts'
import { suggest } from './suggest.ts'

const targets: readonly PermissionTarget[] = [claude, codex, grok]
const wide = (target: PermissionTarget, ...patterns: string[]): string[] =>
  patterns.map((text) => target.rule(parsePattern(text)) ?? '')
/** Rules that the agent can say: for commands, or for tools of a server. */
const some = (target: PermissionTarget, ...names: string[]): string[] =>
  target.noWide === null
    ? wide(target, ...names.map((name) => `${name} *`))
    : names.map((name) => target.toolRule({ kind: 'server', server: 'lab', tool: name }) ?? '')
const HOME = { HOME: '/home/me' }

describe.each(targets.map((target) => [target.agent, target] as const))('%s', (_, target) => {
  const rules = some(target, 'docker logs', 'ls')

  test('a file that is not there is made, and holds the rules', () => {
    const edit = planApply(target, null, rules)
    expect(edit.changed).toEqual(rules)
    expect(target.list(edit.after)).toEqual(rules)
    expect(edit.after.endsWith('\n')).toBe(true)
  })

  test('applying twice changes nothing', () => {
    const { after } = planApply(target, null, rules)
    expect(planApply(target, after, rules)).toMatchObject({ after, changed: [], unchanged: rules })
    expect(target.add(after, rules)).toBe(after)
  })

  test('what is taken back is gone, what was there before stays', () => {
    const before = target.add(null, some(target, 'cat'))
    const { after } = planApply(target, before, rules)
    const back = planUndo(target, after, [...rules, ...some(target, 'wc')])
    expect(back.changed).toEqual(rules)
    expect(back.unchanged).toHaveLength(1)
    expect(target.list(back.after)).toEqual(some(target, 'cat'))
    expect(target.remove(before, rules)).toBe(before)
  })
})

describe('claude', () => {
  test('rules and files', () => {
    expect(wide(claude, 'git status *', 'git diff --stat')).toEqual(['Bash(git status:*)', 'Bash(git diff --stat)'])
    expect(claude.file('project', HOME, '/p')).toBe('/p/.claude/settings.local.json')
    expect(claude.file('user', HOME, '/p')).toBe('/home/me/.claude/settings.json')
    expect(claude.file('user', { CLAUDE_CONFIG_DIR: '/a,/b' }, '/p')).toBe('/a/settings.json')
  })

  test('everything else in the file stays as it was', () => {
    const before =
      '{\n    "model": "x",\n    "permissions": {\n        "deny": ["Read(.env)"],\n        "allow": ["Bash(ls:*)"]\n    },\n    "env": {}\n}'
    const after = claude.add(before, ['Bash(ls:*)', 'Bash(wc:*)'])
    expect(JSON.parse(after)).toEqual({
      model: 'x',
      permissions: { deny: ['Read(.env)'], allow: ['Bash(ls:*)', 'Bash(wc:*)'] },
      env: {},
    })
    expect(Object.keys(JSON.parse(after) as object)).toEqual(['model', 'permissions', 'env'])
    expect(after).toContain('\n    "model"')
  })

  test.each(['{', '// a comment\n{}', '[]', '3', '{"permissions":[]}', '{"permissions":{"allow":"x"}}'])(
    '%j is refused',
    (text) => {
      expect(() => claude.add(text, ['Bash(ls:*)'])).toThrow(UserError)
      expect(() => claude.list(text)).toThrow(UserError)
    },
  )
})

describe('codex', () => {
  test('rules and files', () => {
    expect(codex.rule(parsePattern('git diff --stat'))).toBeNull()
    expect(codex.rule(parsePattern('ls *'))).toBe('prefix_rule(pattern=["ls"], decision="allow")')
    expect(codex.file('project', HOME, '/p')).toBe('/p/.codex/rules/recall.rules')
    expect(codex.file('user', { CODEX_HOME: '/c' }, '/p')).toBe('/c/rules/recall.rules')
  })

  test('spacing does not matter, and other lines stay', () => {
    const text =
      '# mine\nprefix_rule( pattern = [ "ls" ], decision = "allow" )\nprefix_rule(pattern=["rm"], decision="forbidden")\n'
    expect(codex.list(text)).toEqual(wide(codex, 'ls *'))
    expect(codex.list(codex.add(text, wide(codex, 'ls *')))).toEqual(wide(codex, 'ls *'))
    expect(codex.remove(text, wide(codex, 'ls *'))).toBe('# mine\nprefix_rule(pattern=["rm"], decision="forbidden")\n')
    expect(() => codex.add(text, ['print("x")'])).toThrow(UserError)
  })

  const rules = wide(codex, 'docker logs *', 'docker ps *', 'ls *')
  const bindings = (text: string) => text.split('\n').filter((line) => line.startsWith('host_executable('))

  test('a rule for a name is bound to the usual paths of that name, once', () => {
    const text = codex.add(null, rules)
    expect(bindings(text)).toHaveLength(2)
    expect(text).toContain('host_executable(name="ls", paths=["/bin/ls", "/usr/bin/ls", ')
    expect(codex.list(text)).toEqual(rules)
    expect(codex.add(text, rules)).toBe(text)
  })

  test('rules that were written without are bound when others come', () => {
    const old = `${rules[2]}\n`
    expect(bindings(codex.add(old, rules.slice(0, 2)))).toHaveLength(2)
    expect(bindings(codex.add(old, rules.slice(2)))).toHaveLength(1)
  })

  test('a name stays bound as long as there is a rule for it', () => {
    const text = codex.add(null, rules)
    const less = codex.remove(text, rules.slice(0, 1))
    expect(bindings(less)).toHaveLength(2)
    expect(bindings(codex.remove(less, rules.slice(1, 2)))).toEqual([expect.stringContaining('name="ls"')])
    expect(bindings(codex.remove(text, rules))).toEqual([])
  })

  test('there is none for git: the agent chooses the directory, and that the settings', () => {
    expect(wide(codex, 'git status *', 'git rev-parse *')).toEqual(['', ''])
    expect(codex.without['git']).toContain('directory')
  })
})

describe('how a file is written', () => {
  const rules = ['Bash(ls:*)']

  test('its ends of lines, its indentation and its byte order mark stay', () => {
    const before = '\uFEFF{\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Read"\r\n\t\t]\r\n\t}\r\n}\r\n'
    const after = claude.add(before, rules)
    expect(after).toBe(before.replace('"Read"', '"Read",\r\n\t\t\t"Bash(ls:*)"'))
    expect(claude.remove(after, rules)).toBe(before)
    const toml = '[permission]\r\nallow = [\r\n  "Read"\r\n]\r\n'
    expect(grok.add(toml, ['Bash([l]s)'])).toBe(toml.replace('"Read"', '"Read",\r\n  "Bash([l]s)",'))
  })

  test.each(['{"a":1,"a":2}', '{"a":12345678901234567890}', '{"a":1e400}'])(
    '%s would lose something: refused',
    (text) => {
      expect(() => claude.add(text, rules)).toThrow(UserError)
    },
  )

  test('what is only spelt differently is no loss', () => {
    const after = claude.add('{ "a" : 1.0, "b": "\\u00e9 \\/ \\" {", "c": [ -2e3, true , null ] }', rules)
    expect(JSON.parse(after)).toEqual({ a: 1, b: 'é / " {', c: [-2000, true, null], permissions: { allow: rules } })
  })
})

describe('grok', () => {
  test('rules and files', () => {
    expect(wide(grok, 'git status *', 'git diff --stat')).toEqual(['', ''])
    expect(grok.file('project', HOME, '/p')).toBe('/p/.grok/config.toml')
    expect(grok.file('user', HOME, '/p')).toBe('/home/me/.grok/config.toml')
  })

  test.each([
    ['empty', ''],
    ['without the table', '# mine\n[ui]\nyolo = false'],
    ['with an empty table', '[permission]\n[ui]\nx = 1\n'],
    ['with other lists', '[ui]\nx = 1\n[permission]\ndeny = ["Bash(rm *)"] # no\n\n[[mcp]]\nname = "a"\n'],
    ['with an empty list', '[permission]\nallow = []\n'],
    ['on one line', '[permission] # rules\nallow = [\'Read\', "Bash(a \\"b\\" *)"] # keep\nask = []\n'],
    ['in one name', 'model = "x"\npermission.allow = ["Read"] # keep\n[ui]\nx = 1\n'],
    ['on many lines', '[permission]\nallow = [\n  "Read", # reads ], too\n  "Grep",\n]\n\n[ui]\n'],
  ])('comments and the rest survive: %s', (_, before) => {
    const rules = ['Bash(ls *)', 'Bash([g]it diff --stat)']
    const after = grok.add(before, rules)
    const old = grok.list(before)
    expect(grok.list(after)).toEqual([...old, ...rules])
    for (const comment of before.match(/#.*/g) ?? []) expect(after).toContain(comment)
    expect({ ...parse(grok.remove(after, rules)), permission: null }).toEqual({ ...parse(before), permission: null })
    expect(grok.list(grok.remove(after, rules))).toEqual(old)
    expect(grok.list(grok.remove(after, old))).toEqual(rules)
  })

  test.each([
    '[permission',
    'permission = 3',
    '[permission]\nallow = "x"',
    'permission.deny = ["Bash(rm *)"]',
    'permission = { allow = [] }',
  ])('%j is refused', (text) => {
    expect(() => grok.add(text, ['Bash(ls *)'])).toThrow(UserError)
  })

  test.each([
    ['\n', '  "Read", # r\n  "Grep" # g\n'],
    ['\r\n', '  "Read",\r\n  "Grep" # g\r\n'],
    ['\n', '    "Read",\n'],
  ])('a comment stays beside its rule, and no line is left behind (%j)', (eol, items) => {
    const before = `[permission]${eol}allow = [${eol}${items}]${eol}ask = []\n`
    const rules = ['Bash([l]s)', 'Bash([p]wd)']
    const after = grok.add(before, rules)
    expect(after).toContain(`  "Bash([l]s)",${eol}  "Bash([p]wd)",${eol}]${eol}`)
    expect(grok.remove(after, rules)).toBe(before.replace('"Grep" #', '"Grep", #'))
  })

  test('a list on one line stays there, with as many commas as before', () => {
    const before = '[permission]\nallow = ["Read"]\n'
    expect(grok.add(before, ['Bash([l]s)'])).toBe('[permission]\nallow = ["Read", "Bash([l]s)"]\n')
    expect(grok.remove(grok.add(before, ['Bash([l]s)']), ['Bash([l]s)'])).toBe(before)
  })

  test('what is TOML is not called none', () => {
    expect(() => grok.add('permission.deny = []', ['Bash(ls *)'])).toThrow(/cannot be edited safely/)
  })
})

test('a pattern and its text are the same thing', () => {
  for (const text of ['ls *', 'git diff --stat', 'docker image ls *'])
    expect(patternText(parsePattern(text))).toBe(text)
})

test('low rules are applied only if asked for', () => {
  const use = (command: string, count: number) => ({
    command,
    count,
    errors: 0,
    projects: [],
    lastUsed: null,
    asked: 0,
    unseen: count,
  })
  const uses = [use('docker port x', 60), use('lscpu', 12), use('docker diff x', 2), use('npm test', 900)]
  const { suggestions } = suggest(uses, { target: claude })
  expect(rulesToApply(suggestions, false)).toEqual(['Bash(docker port:*)', 'Bash(lscpu:*)'])
  expect(rulesToApply(suggestions, true)).toHaveLength(4)
})

test('the diff shows what changes and a little around it', () => {
  expect(lineDiff('a\nb\nc\nd\n', 'a\nb\nx\nd\n')).toEqual(['  a', '  b', '- c', '+ x', '  d'])
  expect(lineDiff(null, 'a\n')).toEqual(['+ a'])
  expect(lineDiff('a\n', 'a\n')).toEqual([])
})
