import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { auditRules, type RuleHere } from '../src/insight/permissions/audit.ts'
import { claudePermissions } from '../src/sources/claude/permissions.ts'
import { codexPermissions } from '../src/sources/codex/permissions.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallIn, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

function home(): { readonly home: string; readonly env: Record<string, string>; readonly settings: string } {
  const dir = tempDir()
  const log = new ClaudeLog(uuid('audit'), { cwd: dir }).user('go')
  for (let i = 0; i < 5; i++) log.call(`g${i}`, 'Bash', { command: 'git log --oneline -5' }).result(`g${i}`, 'ok')
  for (let i = 0; i < 3; i++) log.call(`d${i}`, 'Bash', { command: 'docker port web' }).result(`d${i}`, 'ok')
  write(transcriptPath(dir, log.session), log.text())
  const env = cleanEnv(dir)
  expect(recallCli(env, 'index').code).toBe(0)
  const settings = path.join(dir, '.claude', 'settings.json')
  const allow = [
    'Bash(git:*)',
    'Bash(docker port:*)',
    'Bash(docker port web)',
    'Bash(ls:*)',
    'Bash(lscpu:*)',
    'Edit',
    'Bash(gh repo view)',
  ]
  write(settings, `${JSON.stringify({ permissions: { allow } }, null, 2)}\n`)
  return { home: dir, env, settings }
}

const rows = (env: Record<string, string>, ...more: string[]) => {
  const found = recallJson(env, 'permissions', 'audit', ...more)
  return { ...found, rules: found['rules'] as readonly Record<string, unknown>[] }
}

test('each rule is judged: too wide with the worst it admits, for nothing, shadowed, used', () => {
  const { env } = home()
  const by = new Map(rows(env).rules.map((row) => [row['rule'], row]))
  expect(by.get('Bash(git:*)')).toMatchObject({
    verdict: 'wide',
    worst: 'git push --force',
    agent: 'claude',
    used: 5,
    scope: 'user',
  })
  expect(by.get('Bash(docker port:*)')).toMatchObject({ verdict: 'safe', used: 3, worst: null })
  expect(by.get('Bash(docker port web)')).toMatchObject({
    verdict: 'shadowed',
    reason: expect.stringContaining('Bash(docker port:*)'),
  })
  expect(by.get('Bash(ls:*)')).toMatchObject({ verdict: 'idle', reason: expect.stringContaining('never asks') })
  expect(by.get('Bash(lscpu:*)')).toMatchObject({ verdict: 'safe', used: 0 })
  expect(by.get('Edit')).toMatchObject({ verdict: 'other', reason: expect.stringContaining('outside the project') })
})

test('what another agent here reads from the same file is judged as that agent takes it', () => {
  const at = home()
  mkdirSync(path.join(at.home, '.grok'))
  const grok = rows(at.env).rules.filter((row) => row['agent'] === 'grok')
  expect(grok).toHaveLength(7)
  expect(grok.find((row) => row['rule'] === 'Bash(gh repo view)')).toMatchObject({
    verdict: 'wide',
    written_for: 'claude',
    worst: 'gh repo view --output=/tmp/x',
  })
})

test('--fix proposes narrower rules as a diff, and writes nothing', () => {
  const { env, settings } = home()
  const before = readFileSync(settings, 'utf8')
  const { fixes } = rows(env, '--fix') as unknown as { fixes: { file: string; diff: string[] }[] }
  expect(fixes).toHaveLength(1)
  expect(fixes[0]!.diff).toContainEqual(expect.stringMatching(/^- .*Bash\(git:\*\)/))
  expect(fixes[0]!.diff).toContainEqual(expect.stringMatching(/^\+ .*Bash\(git log --oneline -5\)/))
  expect(readFileSync(settings, 'utf8')).toBe(before)
  expect(recallCli(env, 'permissions', 'audit', '--fix').out).toContain('git push --force')
})

test('a file that cannot be read is said, and the others are judged', () => {
  const at = home()
  write(path.join(at.home, '.claude', 'settings.local.json'), '{ broken')
  const found = recallJson(at.env, 'permissions', 'audit')
  expect(found['unreadable']).toEqual([
    expect.objectContaining({ file: expect.stringContaining('settings.local.json') }),
  ])
  expect(found['rules']).toHaveLength(7)
})

test('what another rule forbids, or has asked about, is let through by none', () => {
  const { env, settings } = home()
  const { permissions } = JSON.parse(readFileSync(settings, 'utf8')) as { permissions: { allow: string[] } }
  const deny = ['Bash(docker port:*)', 'Bash(git push:*)']
  write(
    settings,
    JSON.stringify({ permissions: { ...permissions, deny, ask: ['Bash(git reset:*)', 'Bash(lscpu:*)'] } }),
  )
  const by = new Map(rows(env).rules.map((row) => [row['rule'], row]))
  const forbidden = { verdict: 'shadowed', worst: null, reason: expect.stringContaining('forbids it, or has it asked') }
  for (const rule of ['Bash(docker port:*)', 'Bash(docker port web)', 'Bash(lscpu:*)'])
    expect(by.get(rule), rule).toMatchObject(forbidden)
  expect(by.get('Bash(git:*)')).toMatchObject({ verdict: 'wide', worst: 'git clean -fdx' })
  expect(by.size).toBe(7)
})

test('what Grok reads above the working directory counts, up to where the repository begins', () => {
  const at = home()
  const repo = path.join(at.home, 'above', 'repo')
  const cwd = path.join(repo, 'a', 'b')
  for (const dir of [cwd, path.join(repo, '.git'), path.join(at.home, '.grok')]) mkdirSync(dir, { recursive: true })
  const grok = (name: string) => `[permission]\nallow = ["Bash([d]ocker port ${name})"]\n`
  write(path.join(at.home, 'above', '.grok', 'config.toml'), grok('above'))
  write(path.join(repo, '.grok', 'config.toml'), grok('root'))
  write(path.join(repo, 'a', '.grok', 'config.toml'), grok('between'))
  const claude = JSON.stringify({ permissions: { allow: ['Bash(docker port local:*)'] } })
  write(path.join(repo, 'a', '.claude', 'settings.local.json'), claude)
  const { out } = recallIn(cwd, at.env, 'permissions', 'audit', '--json')
  const { rules } = JSON.parse(out) as { rules: Record<string, unknown>[] }
  const own = rules.filter((row) => row['agent'] === 'grok' && row['scope'] !== 'user')
  expect(own.map((row) => [row['rule'], row['written_for'], row['scope']]).sort()).toEqual([
    ['Bash([d]ocker port between)', 'grok', 'project'],
    ['Bash([d]ocker port root)', 'grok', 'project'],
    ['Bash(docker port local:*)', 'claude', 'local'],
  ])
})

test('what an administrator has put down for everybody counts, and alone where it says so', () => {
  const scopes = (files: readonly { scope: string; path: string }[]) =>
    files.flatMap(({ scope, path: file }) => (scope === 'managed' ? [path.basename(file)] : []))
  expect(scopes(claudePermissions.settings({}, '/', '/'))).toEqual(['managed-settings.json', 'managed-settings.d'])
  expect(scopes(codexPermissions.settings({}, '/', '/'))).toEqual(['rules', 'requirements.toml'])
  expect(claudePermissions.holdsAlone('{"allowManagedPermissionRulesOnly":true}')).toBe(true)
  expect(claudePermissions.holdsAlone('{"permissions":{"allow":["Bash(ls:*)"]}}')).toBe(false)
  const requirements = `[rules]
prefix_rules = [
  { pattern = [{ token = "git" }, { any_of = ["push", "fetch"] }], decision = "forbidden", justification = "ask" },
  { pattern = [{ wrong = 1 }], decision = "prompt" },
]`
  expect(codexPermissions.barred(requirements)).toEqual([
    'prefix_rule(pattern=["git", "push"], decision="allow")',
    'prefix_rule(pattern=["git", "fetch"], decision="allow")',
  ])
  const here = (rule: string, more: Partial<RuleHere> = {}): RuleHere => ({
    effect: 'allows',
    target: claudePermissions,
    writer: claudePermissions,
    file: '/settings.json',
    scope: 'user',
    rule,
    ...more,
  })
  const managed = { scope: 'managed', file: '/managed.json' } as const
  const judged = auditRules(
    [
      here('Bash(docker port:*)', { moot: '/managed.json' }),
      here('Bash(git:*)', managed),
      here('Bash(docker port:*)', managed),
      here('Bash(git:*)', { effect: 'bars', moot: '/managed.json' }),
    ],
    new Map(),
  )
  expect(judged.map(({ scope, rule, verdict }) => [scope, rule, verdict])).toEqual([
    ['user', 'Bash(docker port:*)', 'shadowed'],
    ['managed', 'Bash(git:*)', 'wide'],
    ['managed', 'Bash(docker port:*)', 'safe'],
  ])
  expect(judged[0]?.reason).toContain('only managed rules')
})
