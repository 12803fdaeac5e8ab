import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../src/cli/commands.ts'
import { REPORTS } from '../src/cli/stats/reports.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'
import { noPty, recallOnTerminal } from './kit/pty.ts'
import { hostileLogs, NAMES } from './kit/hostile-records.ts'

const logs = hostileLogs()
const home = tempDir()
const env = cleanEnv(home, path.join(tempDir(), 'data'))
const session = `claude:${uuid('hostile 1')}`

/** Every way to make a command go through what is stored; a new command fails here until it says how. */
const CALLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  index: [['--full', '-v']],
  search: [['heron'], ['deploy', '--in', 'results'], ...NAMES.map((name) => [name])],
  // Needs a terminal: below.
  browse: [],
  similar: [['the prompt of heron'], [session]],
  how: [['deploy'], ...NAMES.map((name) => [name])],
  fix: NAMES.map((name) => [`Error: ${name}`]),
  files: [...NAMES.map((name) => [name]), ['/home/sam/constructor']],
  blame: [['4f2a9c1']],
  list: [['--limit', '0', '--all'], ['--limit', '0'], ...NAMES.slice(0, 3).map((name) => ['--project', name])],
  show: [[session], [session, '--tools', '--thinking', '--sidechains'], [session, '--events']],
  diff: [
    [session, `claude:${uuid('good')}`],
    [session, `claude:${uuid('hostile 2')}`],
  ],
  stats: [[], ...REPORTS.map(({ name }) => [name]), ['tokens', '--by', 'session'], ['bash', '--suggest']],
  time: [[], ['tasks']],
  retro: [
    ['--since', '2023-01-01'],
    ['--since', '1000-01-01'],
    ['--since', '2023-01-01', '--html'],
  ],
  claim: [['--list']],
  cost: [['--by', 'model'], ['--by', 'project'], ['--by', 'session'], ['--by', 'day'], ['--statusline']],
  permissions: [['log'], ['report']],
  status: [[]],
  sweep: [['--dry-run', '-v']],
  analyze: [['--all']],
  budget: [[]],
  digest: [[session]],
  env: [[session], ['--last']],
  signals: [['--limit', '0']],
  patterns: [['--limit', '0']],
  decide: [[session, 'constructor']],
  note: [['__proto__']],
  pin: [[session]],
  unpin: [[session]],
  forget: [],
  rescue: [['--within', '1d']],
  watch: [],
  schedule: [['show']],
  hook: [['status']],
  exec: [],
  doctor: [[], ['--secrets']],
  demo: [],
  welcome: [[]],
  completion: [['bash']],
  resume: [[session, '--print']],
  handoff: [[session]],
  brief: [[]],
  connect: [['status']],
  // Waits for a client: test/mcp*.test.ts.
  mcp: [],
  group: [['list'], ['context', 'constructor']],
  session: [['history', '--group', 'constructor']],
  archive: [[session]],
  secrets: [[]],
  tag: NAMES.map((name) => [session, name]),
  untag: NAMES.map((name) => [session, name]),
  bookmark: [[session]],
  title: [[session, 'constructor']],
  export: [
    ['traces', '--out', path.join(home, 'exported')],
    ['html', '--out', path.join(home, 'pages')],
    ['md', session, '--out', path.join(home, 'one.md')],
    ['json', '--out', path.join(home, 'all.json')],
  ],
  import: [['traces', path.join(home, 'exported')]],
  sql: [['SELECT * FROM messages'], ['--csv', 'SELECT * FROM sessions']],
  sync: [[path.join(home, 'shared')]],
  backup: [[path.join(home, 'backup.tar')]],
  // Into an empty store: test/backup.test.ts.
  restore: [],
  // Serves until it is interrupted: test/web*.test.ts.
  serve: [],
  source: [],
}

beforeAll(() => {
  for (const log of logs) log.write(home)
  write(path.join(home, '.config', 'recall', 'config.toml'), '[redaction.rules]\nconstructor = "zebra-[0-9]+"\n')
  const log = new ClaudeLog(uuid('good')).user('the prompt of zebra-12 and walrus').say('found it')
  write(transcriptPath(home, uuid('good')), log.text())
  expect(recallCli(env, 'index')).toMatchObject({ code: 0 })
  expect(recallCli(env, 'analyze', '--all')).toMatchObject({ code: 0 })
})

test('every command is tried', () => {
  expect(Object.keys(CALLS).sort()).toEqual(Object.keys(COMMANDS).sort())
})

describe.each(Object.keys(CALLS))('recall %s', (name) => {
  test('answers on a store full of numbers, times and names that nothing should have', () => {
    for (const args of CALLS[name] ?? []) {
      const { code, err, out } = recallCli(env, name, ...args)
      expect([code, err.includes('this is a bug')], `${args.join(' ')}\n${err}`).toEqual([
        expect.toBeOneOf([0, 1]),
        false,
      ])
      expect(out, args.join(' ')).not.toMatch(/\bNaN\b|Infinity|\[object|function |native code/)
    }
  })
})

test.skipIf(noPty)('recall browse goes through such a store, too', () => {
  for (const words of [[], ['heron'], ['constructor']]) {
    const { code, shown } = recallOnTerminal(env, ['browse', ...words], '\u001b[B\u001b[B\u001b[6~q')
    expect([code, shown.includes('this is a bug')]).toEqual([0, false])
    expect(shown).not.toMatch(/\bNaN\b|Infinity|\[object|native code/)
  }
})

describe('a log that no agent should write', () => {
  const own = tempDir()
  const { recall } = productOn(own)
  const told = new Map<string, string[]>()
  const files = new Map(logs.map((log) => [log.name, log.write(own)]))
  let types: readonly string[] = []

  beforeAll(async () => {
    const onProblem = (file: string, message: string) => told.set(file, [...(told.get(file) ?? []), message])
    expect((await recall.index({ onProblem })).files.failed).toBe(0)
    types = (await recall.status()).problems.filter(({ level }) => level === 'warn').map(({ type }) => type)
  })
  afterAll(() => recall.close())

  test.each(logs)('$name: its prompt is found, and what is odd is told', async ({ name, word, odd }) => {
    expect((await recall.search({ text: word, filter: { limit: 10 }, now: NOW })).total).toBeGreaterThan(0)
    const unknown = (told.get(files.get(name) ?? '') ?? []).filter((message) => message.includes('taken as unknown'))
    expect(unknown.length > 0).toBe(odd)
    expect(new Set(unknown.map((message) => message.split(':')[0])).size).toBe(unknown.length)
  })

  test('a record in which several things cannot be is one Problem', async () => {
    const mixed = tempDir()
    const usage = { input_tokens: -1, output_tokens: -1, cache_read_input_tokens: 5 }
    const log = new ClaudeLog(uuid('mixed')).user('count the walruses')
    log.say('one', { timestamp: '6025-01-01T00:00:00.000Z', costUSD: -1, message: { usage } })
    write(transcriptPath(mixed, uuid('mixed')), log.text())
    const { recall: product } = productOn(mixed)
    const messages: string[] = []
    await product.index({ onProblem: (_, message) => messages.push(message) })
    await product.close()
    expect(messages).toEqual(['line 2: its time, cost, input tokens, output tokens taken as unknown'])
  })

  test('numbers and times that cannot be are Problems of their own', () => {
    expect(types).toEqual(expect.arrayContaining(['number out of range', 'time out of range']))
  })
})

describe('sums', () => {
  test('of a thousand responses, each as large as a number can be, are as large as a number can be', () => {
    const own = tempDir()
    const log = new ClaudeLog(uuid('rich')).user('count the walruses')
    const most = Number.MAX_SAFE_INTEGER
    const usage = { input_tokens: most, output_tokens: most, cache_read_input_tokens: most }
    for (let i = 0; i < 1100; i++) log.say(`answer ${i}`, { costUSD: most, message: { usage } })
    write(transcriptPath(own, uuid('rich')), log.text())
    const here = cleanEnv(own)
    expect(recallJson(here, 'index')).toMatchObject({ code: 0, problems: 0 })
    expect(recallJson(here, 'list')).toMatchObject({ sessions: [{ input_tokens: most, output_tokens: most }] })
    for (const args of [
      ['status'],
      ['stats'],
      ['stats', 'tokens'],
      ['cost'],
      ['analyze', '--all'],
      ['retro'],
      ['time'],
    ])
      expect(recallJson(here, ...args).code, args.join(' ')).toBe(0)
    expect(recallCli(here, 'forget', `claude:${uuid('rich')}`, '--yes')).toMatchObject({ code: 0 })
    expect(recallJson(here, 'list')).toMatchObject({ total: 0 })
  })
})

describe('a store that an older program has filled with what it was told', () => {
  const large = [9007199254740993n, 9223372036854775807n, 1e300]

  test.each(large)('%s where a number should be: every command answers, and the session can be forgotten', (told) => {
    const own = tempDir()
    const log = new ClaudeLog(uuid('old')).user('count the walruses').say('one').say('two')
    log.call('t1', 'Bash', { command: 'make deploy' }).result('t1', 'done')
    write(transcriptPath(own, uuid('old')), log.text())
    write(transcriptPath(own, uuid('other')), new ClaudeLog(uuid('other')).user('find the heron').say('found').text())
    const here = cleanEnv(own)
    recallCli(here, 'index')
    recallCli(here, 'analyze', '--all')
    const { store } = recallJson(here, 'status') as { store?: { path: string } }
    const db = new DatabaseSync(store?.path ?? '')
    const uid = `claude:${uuid('old')}`
    db.prepare('UPDATE ledger SET input = ?, output = ?, cost_usd = ?, at = ?').run(told, told, 1e308, told)
    db.prepare('UPDATE session SET input_tokens = ?, cache_read = ?, ended_at = ? WHERE uid = ?').run(
      told,
      told,
      told,
      uid,
    )
    db.prepare("UPDATE event SET at = ? WHERE kind = 'assistant_msg'").run(told)
    db.exec(
      "UPDATE meta SET value = '' WHERE key = 'day_zone'; INSERT OR IGNORE INTO stale_rollup SELECT id FROM session",
    )
    db.close()
    const runs = [
      ['list'],
      ['show', uid, '--tools'],
      ['search', 'walruses'],
      ['status'],
      ['stats'],
      ['stats', 'tokens'],
      ['cost'],
      ['time'],
      ['retro', '--since', '2023-01-01'],
      ['how', 'deploy'],
      ['digest', uid],
      ['doctor'],
      ['analyze', '--all'],
      ['sweep'],
      ['index', '--full'],
      ['forget', uid, '--yes'],
    ]
    for (const args of runs) {
      const { code, err } = recallCli(here, ...args)
      expect([code, err.includes('this is a bug')], `${args.join(' ')}\n${err}`).toEqual([
        expect.toBeOneOf([0, 1]),
        false,
      ])
    }
    expect(recallJson(here, 'list', '--limit', '0')).toMatchObject({ code: 0, total: 1 })
  })
})
