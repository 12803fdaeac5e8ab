import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { suggest } from '../src/insight/permissions/suggest.ts'
import { TRIED_AGENTS, TRIED_COMMANDS } from '../src/sources/kit/tried-commands.ts'
import { claudePermissions } from '../src/sources/claude/permissions.ts'
import { ClaudeLog, type LogRecord, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

interface Lab {
  readonly commands: readonly string[]
  readonly wide: Readonly<Record<string, readonly string[]>>
  readonly exact: Readonly<Record<string, readonly string[]>>
}

const lab: string = '../lab/commands.mjs'
const { commands, exact, wide } = (await import(lab)) as Lab

interface Row {
  readonly pattern: string
  readonly rule: string
  readonly count: number
  readonly spared: number
  readonly asked: number
  readonly waited_s: number
  readonly reason: string
}

/** What Claude Code of the newest version that was tried did with a command. */
const asked: ReadonlyMap<string, boolean> = new Map(
  Object.entries(TRIED_COMMANDS).flatMap(([said, list]) => {
    const at = TRIED_AGENTS.findLastIndex(({ agent }) => agent === 'claude')
    return list.split('  ').map((command) => [command, said.split(' ')[at] === 'a'] as const)
  }),
)
const isWide = (command: string) => Object.values(wide).some((forms) => forms.includes(command))

function indexed(...logs: readonly ClaudeLog[]): Record<string, string> {
  const home = tempDir()
  mkdirSync(path.join(home, 'app'))
  for (const log of logs) write(transcriptPath(home, log.session), log.text())
  const env = cleanEnv(home)
  expect(recallCli(env, 'index').code).toBe(0)
  return env
}

function suggested(env: Record<string, string>, ...more: string[]) {
  const found = recallJson(env, 'stats', 'bash', '--suggest', '--limit', '0', ...more)
  return { suggestions: found['suggestions'] as Row[], idle: found['spare_nothing'] as Row[] }
}

test('every command of the lab stands in the table', () => {
  expect([...asked.keys()].sort()).toEqual([...commands].sort())
})

describe('72 forms that only read, used 50 times each', () => {
  /** One form of each name, first those of rules with a wildcard. */
  const forms = [...Object.values(wide), ...Object.values(exact)].map((all) => all[0]!).slice(0, 72)
  const log = new ClaudeLog(uuid('forms'), { cwd: '/work/app' }).user('go')
  for (const [n, command] of forms.entries())
    for (let i = 0; i < 50; i++) log.call(`c${n}-${i}`, 'Bash', { command }).result(`c${n}-${i}`, 'ok')
  const { suggestions, idle } = suggested(indexed(log))
  const of = (rows: readonly Row[]) => new Set(rows.map(({ pattern }) => pattern.replace(/ \*$/, '')))

  test('no suggestion is about one that Claude Code never asks about; all of those are listed apart', () => {
    const never = forms.filter((command) => asked.get(command) === false)
    const names = (command: string) =>
      [...of(suggestions)].filter((name) => command === name || command.startsWith(`${name} `))
    expect(never.flatMap(names)).toEqual([])
    expect(idle.length).toBeGreaterThan(40)
    expect(idle.filter(({ reason }) => !reason.includes('never asks'))).toEqual([])
  })

  test('the suggestions spare at least 80 % of the questions that could safely be spared', () => {
    const safely = forms.filter((command) => asked.get(command) === true && isWide(command))
    const spared = suggestions.reduce((sum, row) => sum + row.spared, 0)
    expect(safely.length).toBeGreaterThan(15)
    expect(spared).toBeGreaterThanOrEqual(0.8 * 50 * safely.length)
    expect(spared).toBeLessThanOrEqual(50 * forms.filter((command) => asked.get(command) === true).length)
  })
})

describe('questions are counted from what logs tell', () => {
  const NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."
  const accept = { permissionDecision: { decision: 'accept', source: 'user_temporary' } }
  const rule = { permissionDecision: { decision: 'accept', source: 'config' } }

  test('yes and no are questions; a no with a comment speaks for no rule; a log that tells all leaves none unseen', () => {
    const log = new ClaudeLog(uuid('told'), { cwd: '/work/app' }).user('go')
    const turn = (id: string, command: string, text: string, more: LogRecord) =>
      log.call(id, 'Bash', { command }).result(id, text, more)
    for (let i = 0; i < 10; i++) turn(`rule${i}`, 'docker port web', 'ok', rule)
    for (let i = 0; i < 3; i++) turn(`yes${i}`, 'docker port web', 'ok', accept)
    turn('no', 'docker port api', NO, { is_error: true })
    for (let i = 0; i < 5; i++)
      turn(`said${i}`, 'docker diff web', `${NO} To tell you how to proceed, the user said:\nnot now`, {
        is_error: true,
      })
    const { suggestions, idle } = suggested(indexed(log))
    expect(suggestions).toEqual([expect.objectContaining({ pattern: 'docker port *', count: 14, asked: 4, spared: 4 })])
    expect(suggestions[0]!.waited_s).toBeGreaterThan(0)
    expect(idle).toEqual([
      expect.objectContaining({
        pattern: 'docker diff *',
        reason: 'every question about it was answered with a no and a reason',
      }),
    ])
  })

  test('in a mode in which nothing is asked, and in runs without a person, nothing unseen was', () => {
    const first = new ClaudeLog(uuid('bypass'), { cwd: '/work/app' }).user('go', {
      permissionMode: 'bypassPermissions',
    })
    const second = new ClaudeLog(uuid('program'), { cwd: '/work/app' }).user('go', { entrypoint: 'sdk-cli' })
    for (const log of [first, second])
      for (let i = 0; i < 20; i++) log.call(`c${i}`, 'Bash', { command: 'docker port web' }).result(`c${i}`, 'ok')
    const { suggestions, idle } = suggested(indexed(first, second))
    expect(suggestions).toEqual([])
    expect(idle).toEqual([expect.objectContaining({ pattern: 'docker port *', count: 40 })])
  })

  test('a question about a path outside the project is spared by no rule for the command', () => {
    const log = new ClaudeLog(uuid('outside'), { cwd: '/work/app' }).user('go')
    log.call('c', 'Bash', { command: 'cat /etc/hosts' }).result('c', NO, { is_error: true })
    const { suggestions, idle } = suggested(indexed(log))
    expect(suggestions).toEqual([])
    expect(idle).toEqual([
      expect.objectContaining({ pattern: 'cat *', reason: expect.stringContaining('path outside') }),
    ])
  })

  test('ranked by what would be spared, not by uses', () => {
    const log = new ClaudeLog(uuid('rank'), { cwd: '/work/app' }).user('go')
    for (let i = 0; i < 30; i++) log.call(`a${i}`, 'Bash', { command: 'lscpu' }).result(`a${i}`, 'ok', rule)
    for (let i = 0; i < 2; i++) log.call(`b${i}`, 'Bash', { command: 'lscpu' }).result(`b${i}`, 'ok', accept)
    for (let i = 0; i < 5; i++) log.call(`c${i}`, 'Bash', { command: 'docker port web' }).result(`c${i}`, 'ok', accept)
    const { suggestions } = suggested(indexed(log))
    expect(suggestions.map(({ pattern, spared, count }) => [pattern, spared, count])).toEqual([
      ['docker port *', 5, 5],
      ['lscpu *', 2, 32],
    ])
  })
})

describe('beside a shell', () => {
  const NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."
  const log = new ClaudeLog(uuid('tools'), { cwd: '/work/app' }).user('go')
  const ask = (id: string, tool: string, input: LogRecord, text = 'ok') =>
    log.call(id, tool, input).result(id, text, {
      ...(text === 'ok' ? {} : { is_error: true }),
      permissionDecision: { decision: text === 'ok' ? 'accept' : 'reject', source: 'user_temporary' },
    })
  for (let i = 0; i < 4; i++) ask(`f${i}`, 'WebFetch', { url: `https://docs.example.org/${i}`, prompt: 'x' })
  ask('ip', 'WebFetch', { url: 'http://10.0.0.1/x', prompt: 'x' })
  ask('hook', 'WebFetch', { url: 'https://webhook.site/x', prompt: 'x' })
  for (let i = 0; i < 3; i++) ask(`m${i}`, 'mcp__tracker__get_issue', { id: i })
  ask('md', 'mcp__tracker__delete_issue', { id: 1 })
  ask('e', 'Edit', { file_path: '/etc/hosts', old_string: 'a', new_string: 'b' })
  ask('cd', 'Bash', { command: 'cd /srv && docker port web' })
  ask('push', 'Bash', { command: 'git push' }, NO)
  const env = indexed(log)

  test('a tool that reads and a named site may have a rule, to be reviewed; nothing else has', () => {
    const { suggestions } = suggested(env)
    expect(suggestions.map(({ rule, spared }) => [rule, spared])).toEqual([
      ['WebFetch(domain:docs.example.org)', 4],
      ['mcp__tracker__get_issue', 3],
    ])
    expect(recallJson(env, 'stats', 'bash', '--suggest', '--apply', '--dry-run')['applied']).toMatchObject({
      rules: [],
    })
  })

  test('friction names what cost most, what is in the way, and what would help', () => {
    const rows = recallJson(env, 'permissions', 'friction')['rows'] as readonly Record<string, unknown>[]
    const by = new Map(rows.map((row) => [row['subject'], row]))
    expect(by.get('docs.example.org')).toMatchObject({
      asked: 4,
      help: 'rule',
      how: 'WebFetch(domain:docs.example.org)',
    })
    expect(by.get('mcp__tracker__delete_issue')).toMatchObject({ help: 'nothing' })
    expect(by.get('Edit')).toMatchObject({ asked: 1, help: 'nothing' })
    expect(by.get('git push')).toMatchObject({ asked: 1, help: 'nothing' })
    expect(by.get('cd … docker port')).toMatchObject({
      obstacles: ['cd', 'list'],
      help: 'phrasing',
      how: expect.stringContaining('CLAUDE.md'),
    })
    expect(Number(by.get('git push')?.['waited_s'])).toBeGreaterThan(0)
    expect(recallCli(env, 'permissions', 'friction').out).toContain('git push')
  })
})

test('a newer agent than the table was made with is said', () => {
  const log = new ClaudeLog(uuid('newer'), { cwd: '/work/app', version: '9.1.0' }).user('go')
  const env = indexed(log)
  expect(recallJson(env, 'stats', 'bash', '--suggest')['table']).toMatchObject({ newest: '9.1.0', newer: true })
  expect(recallCli(env, 'permissions', 'never-asked').err).toContain('made with (2.1.326)')
  expect(recallCli(env, 'stats', 'bash', '--suggest').err).toContain('made with 2.1.326')
})

test('what is not in the table of rules is offered for nobody, however often it was asked about', () => {
  const use = { command: 'git push', count: 90, errors: 0, projects: [], lastUsed: null, asked: 90 }
  expect(suggest([use], { target: claudePermissions }).suggestions).toEqual([])
})
