import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallIn } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

interface Place {
  readonly home: string
  readonly project: string
  readonly env: Record<string, string>
}

function place(commands: Readonly<Record<string, number>>): Place {
  const home = tempDir()
  const project = path.join(home, 'code', 'app')
  mkdirSync(project, { recursive: true })
  const env = cleanEnv(home)
  addSession(home, project, 'first', commands)
  expect(recallCli(env, 'index').code).toBe(0)
  return { home, project, env }
}

function addSession(
  home: string,
  cwd: string,
  name: string,
  commands: Readonly<Record<string, number>>,
  start?: number,
): void {
  const log = new ClaudeLog(uuid(name), { cwd }, start).user('go')
  let calls = 0
  for (const [command, count] of Object.entries(commands))
    for (let i = 0; i < count; i++) {
      const id = `${name}${calls++}`
      log.call(id, 'Bash', { command }).result(id, 'ok')
    }
  write(transcriptPath(home, uuid(name)), log.text())
}

/** Runs the program in the project. */
function run({ project, env }: Place, ...args: string[]) {
  return recallIn(project, env, ...args)
}

function json(at: Place, ...args: string[]): Json {
  const done = run(at, ...args, '--json')
  return { ...(JSON.parse(done.out) as Json), code: done.code }
}

const USED = {
  'docker port web': 60,
  'lscpu -e': 12,
  'npm test': 55,
  'rm -rf build': 3,
  'git remote get-url origin': 20,
  'cat a | sh': 70,
  'git status': 90,
  'cargo install x': 2,
}

describe('stats bash --suggest', () => {
  test('lays suggestions out by confidence, with what was left out and why', () => {
    const at = place(USED)
    const { out } = run(at, 'stats', 'bash', '--suggest')
    const lines = out.split('\n').filter((line) => /^\S|^ {2}- /.test(line))
    expect(lines.slice(0, 2)).toEqual(['Suggested Bash Permissions', '=========================='])
    const section = (title: RegExp) => {
      const start = lines.findIndex((line) => title.test(line)) + 1
      const rest = lines.slice(start)
      return rest.slice(0, rest.findIndex((line) => !line.startsWith('  - ')) >>> 0)
    }
    expect(section(/^High/)).toEqual([expect.stringMatching(/^ {2}- docker port \*\s+\(60 uses\)$/)])
    expect(section(/^Medium/)).toHaveLength(2)
    expect(section(/^Review/)).toEqual([expect.stringMatching(/^ {2}- npm test\s+\(55 uses\)$/)])
    expect(section(/^Would spare nothing/)).toEqual([
      expect.stringMatching(/^ {2}- git status \*\s+\(90 uses\)\s+Claude Code 2\.1\.326 never asks about it$/),
    ])
    expect(section(/^Not suggested/).join('\n')).toMatch(/- rm \*\s+\(3 uses\) \[SKIPPED\]/)
    expect(section(/^Not suggested/).join('\n')).toMatch(/- cargo install \*\s+\(2 uses\) \[SKIPPED\]/)
  })

  test('has the promised fields, in the words of each agent', () => {
    const at = place(USED)
    const found = json(at, 'stats', 'bash', '--suggest')
    expect(found['suggestions'][0]).toEqual({
      pattern: 'docker port *',
      rule: 'Bash(docker port:*)',
      count: 60,
      confidence: 'high',
      reason: expect.any(String),
      projects: ['app'],
      error_rate: 0,
      last_used: expect.stringMatching(/^2026-10-01T.*Z$/),
      samples: ['docker port web'],
      spared: 60,
      asked: 0,
      waited_s: 0,
      nearest_danger: null,
    })
    expect(found['skipped'].map((one: Json) => one['pattern'])).toContain('(compound)')
    expect(found['table']).toEqual({
      made_with: '2.1.326',
      on: expect.any(String),
      newest: expect.any(String),
      newer: false,
    })
    for (const agent of ['codex', 'grok'])
      expect(json(at, 'stats', 'bash', '--suggest', '--for', agent), agent).toMatchObject({
        for: agent,
        suggestions: [],
        spare_nothing: [],
      })
    expect(run(at, 'stats', 'bash', '--suggest', '--for', 'kei').code).toBe(2)
  })
})

describe('applying rules', () => {
  const settings = (at: Place) => path.join(at.project, '.claude', 'settings.local.json')

  test('shows the change, keeps everything else, and a dry run writes nothing', () => {
    const at = place(USED)
    write(
      settings(at),
      '{\n    "model": "x",\n    "permissions": { "deny": ["Bash(rm:*)"], "allow": ["Bash(ls:*)"] }\n}\n',
    )
    chmodSync(settings(at), 0o640)
    const before = readFileSync(settings(at), 'utf8')
    const dry = run(at, 'stats', 'bash', '--suggest', '--apply', '--dry-run')
    expect(dry.out).toContain('+             "Bash(docker port:*)"')
    expect(readFileSync(settings(at), 'utf8')).toBe(before)
    expect(run(at, 'permissions', 'log').out).toBe('')

    expect(run(at, 'stats', 'bash', '--suggest', '--apply', '--yes').code).toBe(0)
    expect(JSON.parse(readFileSync(settings(at), 'utf8'))).toEqual({
      model: 'x',
      permissions: {
        deny: ['Bash(rm:*)'],
        allow: ['Bash(ls:*)', 'Bash(docker port:*)', 'Bash(git remote get-url origin)', 'Bash(lscpu:*)'],
      },
    })
    expect(statSync(settings(at)).mode & 0o777).toBe(0o640)
    expect(readdirSync(path.dirname(settings(at)))).toEqual(['settings.local.json'])
    const again = json(at, 'stats', 'bash', '--suggest', '--apply', '--yes')
    expect(again['applied']).toMatchObject({ changed: false, rules: [] })
    expect(json(at, 'permissions', 'log')['applied']).toHaveLength(1)

    expect(run(at, 'permissions', 'undo', '--yes').code).toBe(0)
    expect(readFileSync(settings(at), 'utf8')).toBe(before)
    expect(run(at, 'permissions', 'undo', '--yes').code).toBe(1)
  })

  test('a rule that Grok reads from the same file and takes for more is not written where Grok is', () => {
    const at = place(USED)
    mkdirSync(path.join(at.home, '.grok'))
    for (const scope of ['project', 'user']) {
      const { applied } = json(
        at,
        'stats',
        'bash',
        '--suggest',
        '--apply',
        '--scope',
        scope,
        '--include-review',
        '--yes',
      )
      expect(applied.rules.sort()).toEqual(['Bash(docker port:*)', 'Bash(lscpu:*)'])
      expect(applied.refused.map((one: Json) => one['rule']).sort()).toEqual([
        'Bash(git remote get-url origin)',
        'Bash(npm test)',
      ])
      expect(applied.refused[0].reason).toContain('Grok reads this file, too')
    }
    expect(readFileSync(settings(at), 'utf8')).not.toContain('get-url')
  })

  test('off a terminal nothing is written without --yes', () => {
    const at = place(USED)
    for (const json of [[], ['--json']]) expect(run(at, 'stats', 'bash', '--suggest', '--apply', ...json).code).toBe(2)
    expect(existsSync(settings(at))).toBe(false)
  })

  test('rules to review come only when asked for, and an undo spares what others added since', () => {
    const at = place(USED)
    const applied = json(at, 'stats', 'bash', '--suggest', '--apply', '--scope', 'user', '--include-review', '--yes')[
      'applied'
    ]
    expect(applied['file']).toBe(path.join(at.home, '.claude', 'settings.json'))
    expect(applied['rules']).toContain('Bash(npm test)')
    const file = JSON.parse(readFileSync(applied['file'], 'utf8')) as Json
    file['permissions']['allow'].push('Bash(mine)')
    write(applied['file'], JSON.stringify(file))
    expect(json(at, 'permissions', 'undo', '--yes')).toMatchObject({
      undone: true,
      undone_at: expect.any(String),
      changed: true,
    })
    expect((JSON.parse(readFileSync(applied['file'], 'utf8')) as Json)['permissions']['allow']).toEqual(['Bash(mine)'])
    expect(json(at, 'permissions', 'log')['applied'][0]['undone_at']).not.toBeNull()
  })

  test('a file that did not exist is gone after an undo', () => {
    const at = place(USED)
    expect(run(at, 'stats', 'bash', '--suggest', '--apply', '--yes').code).toBe(0)
    expect(existsSync(settings(at))).toBe(true)
    expect(run(at, 'permissions', 'undo', '--yes').code).toBe(0)
    expect(existsSync(settings(at))).toBe(false)
  })

  test('a broken or read-only file and a missing agent are told, and nothing is written', () => {
    const at = place(USED)
    write(settings(at), '{ // mine\n}')
    const broken = run(at, 'stats', 'bash', '--suggest', '--apply', '--yes')
    expect(broken).toMatchObject({ code: 2 })
    expect(broken.err).toContain(settings(at))
    expect(readFileSync(settings(at), 'utf8')).toBe('{ // mine\n}')

    write(settings(at), '{}\n')
    chmodSync(settings(at), 0o400)
    expect(run(at, 'stats', 'bash', '--suggest', '--apply', '--yes')).toMatchObject({ code: 2 })
    expect(readFileSync(settings(at), 'utf8')).toBe('{}\n')

    const missing = run(at, 'stats', 'bash', '--suggest', '--apply', '--for', 'codex', '--yes')
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.err).toContain('.codex')
    expect(existsSync(path.join(at.project, '.codex'))).toBe(false)
    expect(json(at, 'permissions', 'log')['applied']).toEqual([])
  })

  test.each([
    ['no object', '[1, 2]\n'],
    ['permissions that are a list', '{"permissions":[]}\n'],
    ['an allow that is a text', '{"permissions":{"allow":"Bash(ls:*)"}}\n'],
    ['a name twice', '{"permissions":{"allow":["A"]},"permissions":{"allow":["B"]}}\n'],
    ['half a text', '{"permissions":{"allow":["Bash(ls'],
    ['letters that are not UTF-8', '{"x":"f\xfcr mich"}\n'],
  ])('settings with %s are told and left alone', (_, text) => {
    const at = place({ 'docker port web': 60 })
    write(settings(at), '')
    writeFileSync(settings(at), text, 'latin1')
    const told = json(at, 'stats', 'bash', '--suggest', '--apply', '--yes')
    expect(told).toMatchObject({
      code: 2,
      error: { code: 'BAD_CONFIG', message: expect.stringContaining(settings(at)) },
    })
    expect(readFileSync(settings(at), 'latin1')).toBe(text)
    expect(readdirSync(path.dirname(settings(at)))).toEqual(['settings.local.json'])
    expect(json(at, 'permissions', 'log')['applied']).toEqual([])
  })

  test('the report tells what each rule has matched since, where it applies', () => {
    const at = place(USED)
    expect(run(at, 'stats', 'bash', '--suggest', '--apply', '--yes').code).toBe(0)
    const soon = Date.now() + 60_000
    addSession(
      at.home,
      at.project,
      'later',
      { 'docker port api': 3, 'docker port web && rm x': 2, 'git remote get-url origin': 1 },
      soon,
    )
    addSession(at.home, '/elsewhere', 'other', { 'docker port web': 9 }, soon)
    expect(recallCli(at.env, 'index').code).toBe(0)
    const rules = json(at, 'permissions', 'report')['rules'] as Json[]
    const matched = new Map(rules.map((row) => [row['rule'], row['matched']]))
    expect(Object.fromEntries(matched)).toEqual({
      'Bash(docker port:*)': 3,
      'Bash(git remote get-url origin)': 1,
      'Bash(lscpu:*)': 0,
    })
    expect(rules.every((row) => row['present'])).toBe(true)
    expect(rules.every((row) => row['scope'] === 'project' && row['dir'] === at.project)).toBe(true)
    expect(run(at, 'permissions', 'report').out).toContain(path.basename(at.project))
  })
})
