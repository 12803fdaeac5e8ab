import { describe, expect, test } from 'vitest'
import type { Command, Context } from '../src/cli/command.ts'
import { cost } from '../src/cli/commands/cost.ts'
import { stats } from '../src/cli/commands/stats.ts'
import { Terminal } from '../src/cli/terminal.ts'
import { sources } from '../src/sources/index.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { demoHome, NOW, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

function logOf(name: string, commands: readonly string[], cwd = '/home/sam/code/demo', start?: number): string {
  const log = new ClaudeLog(uuid(name), { cwd }, start).user('do it')
  for (const [i, command] of commands.entries()) {
    const failed = command.startsWith('!')
    log.call(`c${i}`, 'Bash', { command: failed ? command.slice(1) : command })
    log.result(`c${i}`, failed ? 'Exit code 1' : 'fine', failed ? { is_error: true } : {})
  }
  return log.say('done').text()
}

function homeWith(sessions: Readonly<Record<string, string>>): Record<string, string> {
  const home = tempDir()
  for (const [name, text] of Object.entries(sessions)) write(transcriptPath(home, uuid(name)), text)
  const env = cleanEnv(home)
  expect(recallCli(env, 'sweep').code).toBe(0)
  return env
}

const rowsOf = (env: Record<string, string>, ...args: string[]): Json[] =>
  (recallJson(env, 'stats', ...args) as Json)['rows']

describe('stats bash', () => {
  test('counts a call by what it runs first, and beside it what runs inside', () => {
    const env = homeWith({
      a: logOf('a', [
        "git commit -m 'msg' && git push",
        'kubectl get pods -n default',
        'cat file.txt | grep error',
        'sudo apt install jq',
        '!git -C /x status',
        'for f in a b; do wc -l "$f"; done',
        'echo "unterminated',
      ]),
    })
    const rows = new Map(
      rowsOf(env, 'bash').map((row) => [
        [row['bash_base'], row['bash_sub']].join(' '),
        [row['count'], row['errors'], row['compound'], row['inner']],
      ]),
    )
    expect(rows.get('git commit')).toEqual([1, 0, 1, 0])
    expect(rows.get('git push')).toEqual([0, 0, 0, 1])
    expect(rows.get('git status')).toEqual([1, 1, 0, 0])
    expect(rows.get('kubectl get')).toEqual([1, 0, 0, 0])
    expect(rows.get('cat ')).toEqual([1, 0, 1, 0])
    expect(rows.get('grep ')).toEqual([0, 0, 0, 1])
    expect(rows.get('sudo ')).toEqual([1, 0, 0, 0])
    expect(rows.get('apt install')).toEqual([0, 0, 0, 1])
    expect(rows.get('wc ')).toEqual([1, 0, 1, 0])
    expect(recallJson(env, 'stats', 'bash')).toMatchObject({ unparsed: 1 })
    expect(rowsOf(env, 'bash').reduce((sum, row) => sum + row['count'], 0)).toBe(7)
  })
})

describe('every report', () => {
  const early = Date.parse('2026-09-01T09:00:00Z')
  const env = homeWith({
    old: logOf('old', ['ls', 'ls', '!ls'], '/home/sam/code/one', early),
    new: logOf('new', ['pwd'], '/home/sam/code/two'),
  })

  test.each([
    [['--dry-run'], '--apply'],
    [['--suggest', '--scope', 'user'], '--apply'],
    [['--suggest', '--yes'], '--apply'],
    [['--for', 'codex'], '--suggest'],
    [['--suggest', '--by', 'day'], '--by'],
  ])('bash refuses %j, which would do nothing', (args, named) => {
    expect(recallCli(env, 'stats', 'bash', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(named) })
  })

  test('of days, --limit shows the last', () => {
    for (const report of ['tokens', 'time']) {
      const days = rowsOf(env, report, '--by', 'day', '--limit', '1').map((row) => row['key'])
      expect(days, report).toEqual(['2026-10-01'])
    }
  })

  test('tells tools with calls, failures and sessions', () => {
    expect(rowsOf(env, 'tools')).toEqual([{ tool: 'Bash', count: 4, errors: 1, sessions: 2 }])
    expect(rowsOf(env, 'tools', '--by', 'day').map((row) => [row['key'], row['count']])).toEqual([
      ['2026-09-01', 3],
      ['2026-10-01', 1],
    ])
  })

  test.each(['tools', 'bash', 'tokens', 'models', 'files', 'time', 'errors'])('%s takes the filters', (report) => {
    for (const by of ['project', 'model', 'day', 'source', 'session'])
      expect(recallCli(env, 'stats', report, '--by', by).code).toBe(0)
    expect(recallCli(env, 'stats', report, '--by', 'mood').code).toBe(2)
    if (report !== 'tokens')
      expect(recallCli(env, 'stats', report, '--audit', '2026-11-03')).toMatchObject({
        code: 2,
        err: expect.stringContaining('stats tokens'),
      })
    expect(rowsOf(env, report, '--since', '2027-01-01')).toEqual([])
    expect(rowsOf(env, report, '--project', 'nowhere')).toEqual([])
    expect(rowsOf(env, report, '--source', 'codex')).toEqual([])
  })

  test('models are told by key, each with its own sessions', () => {
    const rows = rowsOf(env, 'models', '--by', 'project')
    expect(rows.map((row) => [row['key'], row['sessions'], row['responses']])).toEqual([
      ['/home/sam/code/one', 1, 4],
      ['/home/sam/code/two', 1, 2],
    ])
    expect(new Set(rows.map((row) => row['model'])).size).toBe(1)
    const [all, ...rest] = rowsOf(env, 'models')
    expect([all?.['key'], all?.['sessions'], all?.['responses'], rest]).toEqual([all?.['model'], 2, 6, []])
  })

  test('--since is about when a call was made, to the second', () => {
    // the log writes a record a second: the prompt, then call and result by turns
    const since = (second: number) => new Date(early + second * 1000).toISOString().slice(0, 19)
    const count = (when: string) => rowsOf(env, 'tools', '--since', when, '--project', 'one')[0]?.['count'] ?? 0
    expect([count(since(2)), count(since(3)), count(since(4)), count(since(7))]).toEqual([3, 2, 2, 0])
  })

  test('the dashboard adds up to the reports', () => {
    const view: Json = recallJson(env, 'stats')
    const tokens: Json = recallJson(env, 'stats', 'tokens')
    expect(view).toMatchObject({ sessions: 2, exchanges: 2, tool_calls: 4, commands: 4 })
    const { key: _, ...totals } = tokens['totals']
    expect(view['tokens']).toEqual(totals)
    expect(view['days'].map((day: Json) => [day['day'], day['sessions']])).toEqual([
      ['2026-09-01', 1],
      ['2026-10-01', 1],
    ])
    expect(view['time']['unknown']).toBe(0)
    expect(recallCli(env, 'stats').out).toContain('sessions')
    expect(recallCli(env, 'stats', '--since', '2027-01-01')).toMatchObject({ code: 0, out: '' })
  })
})

describe('a session over two days, with two models and one that has no price', () => {
  const [first, second] = [Date.parse('2026-10-01T23:30:00Z'), Date.parse('2026-10-02T00:30:00Z')]
  const at = (time: number) => ({ timestamp: new Date(time).toISOString() })
  const by = (model: string, time: number) => ({ ...at(time), message: { model } })
  const log = new ClaudeLog(uuid('two'), { cwd: '/home/sam/code/two' })
    .user('go', at(first))
    .assistant({ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } }, by('claude-sonnet-4-5', first))
    .result('a', 'fine', at(first + 1000))
    .assistant({ type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'pwd' } }, by('claude-haiku-4-5', second))
    .result('b', 'fine', at(second + 1000))
    .say('done', by('claude-sonnet-4-5', second + 2000))
  const untimed = new ClaudeLog(uuid('never'), { cwd: '/home/sam/code/never' })
    .user('go', { timestamp: undefined })
    .say('done', { timestamp: undefined, message: { model: 'nobody-knows-1' } })
  const env = homeWith({ two: log.text(), never: untimed.text() })
  const rows = (...args: string[]): Json[] => (recallJson(env, 'stats', ...args) as Json)['rows']

  test('has its cost on both days of the dashboard, also where no session ended', () => {
    const view: Json = recallJson(env, 'stats')
    expect(view['days'].map((day: Json) => [day['day'], day['sessions'], day['usd'] > 0])).toEqual([
      [null, 1, false],
      ['2026-10-01', 0, true],
      ['2026-10-02', 1, true],
    ])
    for (const list of ['days', 'projects'])
      expect(view[list].reduce((sum: number, row: Json) => sum + row['usd'], 0)).toBeCloseTo(view['cost']['usd'], 10)
  })

  test('counts the calls of the dashboard by when they were made, as `stats tools` does', () => {
    const since = ['--since', '2026-10-02']
    expect(recallJson(env, 'stats', ...since)).toMatchObject({ sessions: 1, tool_calls: 1, commands: 1 })
    expect(rows('tools', ...since)).toMatchObject([{ tool: 'Bash', count: 1 }])
  })

  test.each(['project', 'model', 'day', 'source', 'session'])('adds up by %s at a glance', (key) => {
    const view: Json = recallJson(env, 'stats', '--by', key)
    const sum = (name: string) => view['rows'].reduce((total: number, row: Json) => total + row[name], 0)
    expect([sum('sessions'), sum('exchanges'), sum('tool_calls')]).toEqual([2, 2, 2])
    expect(sum('usd')).toBeCloseTo(view['cost']['usd'], 10)
    expect(recallCli(env, 'stats', '--by', key).out).toMatch(new RegExp(`^${key} +sessions`, 'm'))
  })

  test('is a session of each of its models, also by model', () => {
    const sessions = (...args: string[]) =>
      Object.fromEntries(rows('models', ...args).map((row) => [row['model'], row['sessions']]))
    expect(sessions('--by', 'model')).toEqual({ 'claude-sonnet-4-5': 1, 'claude-haiku-4-5': 1, 'nobody-knows-1': 1 })
    expect(sessions('--by', 'model')).toEqual(sessions())
  })

  test('tokens by session: the largest thirty, with the sum of all; JSON has all', () => {
    const names = Array.from({ length: 33 }, (_, i) => `s${i}`)
    const many = homeWith(Object.fromEntries(names.map((name) => [name, logOf(name, ['ls'])])))
    const { rows: all, totals }: Json = recallJson(many, 'stats', 'tokens', '--by', 'session')
    expect(all).toHaveLength(33)
    const { out, err } = recallCli(many, 'stats', 'tokens', '--by', 'session')
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(32)
    expect(lines.at(-1)).toMatch(new RegExp(`^all .* ${totals.responses}$`))
    expect(err).toContain('30 of 33 rows')
  })

  test('what is not known is told so, not as nothing', () => {
    expect(rows('time')).toContainEqual(
      expect.objectContaining({ key: '/home/sam/code/never', active_s: null, idle_s: null, unknown: 1 }),
    )
    expect(recallJson(env, 'time')).toMatchObject({ untimed: 1 })
    expect(recallCli(env, 'time').err).toContain('1 session whose logs tell no times')
    expect(recallCli(env, 'stats', 'time').out).toMatch(/never +unknown/)
    expect(recallCli(env, 'stats').out).toMatch(/never .* no price$/m)
  })
})

describe('on a terminal', () => {
  const reports = ['', 'tools', 'bash', 'tokens', 'errors', 'models', 'files', 'time']
  const bench = productOn(demoHome())

  /** The lines of a command on a terminal so wide. */
  async function shown(command: Command, columns: number, args: readonly string[], by?: string): Promise<string[]> {
    let out = ''
    const screen = { isTTY: true, columns, write: (text: string) => (out += text) }
    const terminal = new Terminal(screen, { write: () => true }, false)
    const parts: Partial<Context> = { recall: bench.recall, sources, terminal, env: {}, now: () => NOW }
    await command.run(parts as Context, args, by === undefined ? {} : { by })
    return out.split('\n')
  }

  test.each([66, 80, 120])('no line of a report is wider than %i columns', async (columns) => {
    await bench.recall.sweep()
    const wide: string[] = []
    for (const by of [undefined, 'day', 'model', 'project', 'session']) {
      for (const report of reports)
        wide.push(
          ...(await shown(stats, columns, report === '' ? [] : [report], by)).filter((line) => line.length > columns),
        )
      wide.push(...(await shown(cost, columns, [], by)).filter((line) => line.length > columns))
    }
    await bench.recall.close()
    expect(wide).toEqual([])
  })

  test('has bars where there is room', async () => {
    for (const report of reports) {
      const lines = await shown(stats, 200, report === '' ? [] : [report])
      expect([report, lines.some((line) => /[█▉▊▋▌▍▎▏]$/.test(line))]).toEqual([report, true])
    }
    await bench.recall.close()
  })
})

describe('sums', () => {
  test('agree with the rows they are made of, whatever they are by', async () => {
    const { recall, store } = productOn(demoHome())
    await recall.sweep()
    const called = query(
      store,
      `SELECT count(*) AS n FROM event WHERE kind IN ('tool_call','test_run','edit','retry') AND flags & 134 = 0`,
    )[0]?.['n']
    const billed = query(store, 'SELECT sum(output) AS n, count(*) AS rows FROM ledger')[0]
    for (const by of ['all', 'project', 'model', 'day', 'source', 'session'] as const) {
      const tools = await recall.insight.tools(by, {})
      expect(tools.reduce((sum, row) => sum + row.count, 0)).toBe(called)
      const { total } = await recall.insight.cost(by, {})
      expect([total.output, total.responses]).toEqual([billed?.['n'], billed?.['rows']])
    }
    const shell = await recall.insight.shell('all', {})
    const views = query(store, 'SELECT count(*) AS n FROM tool_calls WHERE bash_command IS NOT NULL')[0]?.['n']
    expect(shell.rows.reduce((sum, row) => sum + row.count, 0)).toBe(views)
    const touched = query(
      store,
      'SELECT count(*) AS n FROM touch t JOIN event e ON e.id = t.event WHERE flags & 134 = 0',
    )
    const files = await recall.insight.files('all', {})
    expect(files.reduce((sum, row) => sum + row.edits + row.reads, 0)).toBe(touched[0]?.['n'])
    expect((await recall.insight.errors('all', {})).length).toBeGreaterThan(0)
    await recall.close()
  })

  test('stay when the raw text of a session has gone', async () => {
    const home = tempDir()
    const log = new ClaudeLog(uuid('e')).user('go').call('a', 'Bash', { command: 'ls | wc -l' }).result('a', '3')
    log
      .call('b', 'Bash', { command: 'pwd' })
      .result('b', '/x')
      .call('c', 'Read', { file_path: '/x/y.ts' })
      .result('c', '1')
    write(transcriptPath(home, uuid('e')), log.say('done').text())
    const { recall } = productOn(home, undefined, { rawSoftCapBytes: 0, rawHardCapBytes: 1e12 })
    const all = async (filter: { since?: number } = {}) => ({
      cost: await recall.insight.cost('day', filter),
      tools: await recall.insight.tools('day', filter),
      shell: await recall.insight.shell('day', filter),
      files: await recall.insight.files('day', filter),
    })
    // cuts through the quarter of an hour in which everything happened, a moment before
    const cut = { since: Date.parse('2026-10-01T09:00:00.500Z') }
    await recall.index()
    const before = await all()
    expect(await all(cut)).toEqual(before)
    expect(before.shell.rows.map(({ base, count, inner }) => [base, count, inner])).toEqual([
      ['ls', 1, 0],
      ['pwd', 1, 0],
      ['wc', 0, 1],
    ])
    expect(before.files).toHaveLength(1)
    await recall.close()
    await recall.sweep()
    expect((await recall.find(`claude:${uuid('e')}`)).evictedAt).not.toBeNull()
    expect(await all()).toEqual(before)
    expect(await all(cut)).toEqual(before)
    await recall.close()
    await recall.index({ recreate: true })
    expect((await recall.find(`claude:${uuid('e')}`)).evictedAt).not.toBeNull()
    expect(await all()).toEqual(before)
    await recall.forget([await recall.find(`claude:${uuid('e')}`)])
    expect((await all()).tools).toEqual([])
    await recall.close()
  })
})
