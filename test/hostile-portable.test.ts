import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { tempDir } from './kit/home.ts'

// An export in which every session is made to hurt whoever takes it in, each in its own way.

type Json = Record<string, any> // eslint-disable-line @typescript-eslint/no-explicit-any

interface Attack {
  readonly record?: (record: Json) => Json | Json[]
  readonly event?: (event: Json, i: number, line: Json) => void
}

const of = (name: string, change: (record: Json) => void): Attack => ({
  record(record) {
    if (record['record'] === name) change(record)
    return record
  },
})
const each = (record: Json, what: string, n: number, more: Json): Json[] =>
  record['record'] === 'digest'
    ? [
        record,
        ...Array.from({ length: n }, (_, i) => ({
          v: 1,
          record: what,
          session_uid: record['session_uid'],
          ...more,
          fingerprint: `f${i}`,
          text: `t${i}`,
        })),
      ]
    : [record]
const lanes = (change: (lane: Json) => void) => of('session', ({ lanes: told }) => (told as Json[]).forEach(change))
const pick = <T>(values: readonly T[], i: number): T => values[i % values.length] as T
const HUGE = 2 ** 53 - 1
const ESCAPE = '\u001b]0;owned\u0007\u001b[2J'

const ATTACKS: Readonly<Record<string, Attack>> = {
  'one place for all': { event: ({ place }, i) => void (i > 1 && (place.pos = 1)) },
  'one id for all': { event: ({ place }) => void (place.native = 'abcdef0123456789') },
  'places beyond all': {
    event: ({ place }) => void Object.assign(place, { pos: 2 ** 32 - place.pos, line: 2 ** 48 - 1 }),
  },
  'a parent of itself': { event: ({ place }) => void (place.parent = place.pos) },
  'kinds at random': {
    event: (e, i) =>
      void Object.assign(e, {
        kind: pick(['decision', 'completion', 'retry', 'edit', 'test_run', 'tool_call'], i),
        role: pick(['user', 'assistant', 'system', 'tool'], i),
      }),
  },
  'marks of no kind': {
    event: (e, i) =>
      void (e['marks'] = pick(
        [
          { denied: 5, exitCode: 'x', interrupted: [] },
          { denied: {}, compacted: 7, turn: [] },
          { takenBack: -5, exitCode: 1e300 },
        ],
        i,
      )),
  },
  'paths and commits': {
    event: (e) =>
      void Object.assign(e, {
        files: [
          ['\u0000/etc/passwd', 1],
          ['../'.repeat(50), 1],
        ],
        made: [
          ['commit', ESCAPE],
          ['pr', 'javascript:alert(1)'],
        ],
      }),
  },
  'names of tools': {
    event: (e, i) => void (e['tool'] &&= pick(['constructor', '__proto__', ESCAPE, 'x'.repeat(100_000)], i)),
  },
  'arguments of no kind': {
    event: (_, i, { message }) => {
      const block = message.content[0]
      if (block.type === 'tool_use')
        block.input = pick([[1], 'text', 7, { command: { a: 1 } }, { file_path: 9, edits: 'no', old_string: {} }], i)
    },
  },
  'programs of no kind': {
    event: ({ place }) => void Object.assign(place, { base: '__proto__', sub: 'constructor', runs: '["a",null]' }),
  },
  'every flag': { event: ({ place }, i) => void (place.flags = pick([4095, 128, 1028, 16, 2], i)) },
  'calls beyond all': {
    event: ({ place }) => void Object.assign(place, { call: 'ab', call_idx: 2 ** 40, message: 2 ** 40 }),
  },
  'names of threads': { event: (e, i) => void (e['thread'] = pick(['__proto__', 'x'.repeat(5000), '\u202e'], i)) },
  'no times': {
    event: (e, i) => void (e['ts'] = pick(['9999-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '2026-13-45T99:99:99Z'], i)),
  },
  'words that act': { event: (e) => void (e['text'] = `<script>alert(1)</script>${ESCAPE}\u202e`) },
  'its own parent': lanes(
    (lane) => void Object.assign(lane['facts'], { inherits: { uid: lane['uid'], records: HUGE } }),
  ),
  'gives way to itself': lanes((lane) => void (lane['yields_to'] = lane['name'])),
  'facts of no kind': lanes(
    (lane) =>
      void Object.assign(lane['facts'], {
        cwd: '\u0000',
        gitRepo: ESCAPE,
        branches: Array(1000).fill('b'),
        startedAt: 4e12,
        endedAt: 1e12,
        redactions: { evil: HUGE },
      }),
  ),
  'bills beyond all': lanes((lane) => {
    const sums = Object.fromEntries(
      ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'reasoning'].map((name) => [name, HUGE]),
    )
    lane['facts'].billed = { line: 1, models: [{ model: '__proto__', ...sums }] }
  }),
  'lanes of our own': of('session', (session) => {
    const [lane] = session['lanes'] as Json[]
    session['lanes'] = [lane, ...['~decisions', '~inferred', '~digest'].map((name) => ({ ...lane, name }))]
  }),
  'a lane twice': of(
    'session',
    (session) => void (session['lanes'] = [...(session['lanes'] as Json[]), (session['lanes'] as Json[])[0]]),
  ),
  'gone, with huge counts': of(
    'session',
    (session) =>
      void Object.assign(session, {
        evicted_at: '2026-10-01T00:00:00.000Z',
        message_count: HUGE,
        tool_count: HUGE,
        event_count: HUGE,
      }),
  ),
  'an id that others have': of('session', (session) => void (session['id'] = '0000000000000000')),
  'the same id again': of('session', (session) => void (session['id'] = '0000000000000000')),
  'links in its task': of('session', (session) => void (session['task_ref'] = `\u001b]8;;http://evil\u0007`)),
  'an empty digest': of('digest', (line) => void (line['digest'] = { session_uid: line['session_uid'] })),
  'a digest of no kind': of('digest', (line) => {
    const told = line['digest'] as Json
    for (const [i, name] of Object.keys(told).entries())
      if (name !== 'session_uid') told[name] = pick([5, 'x', [], {}, null, true], i)
  }),
  'a digest of the far future': of(
    'digest',
    (line) => void Object.assign(line, { schema_version: 1000, analyzed_at: null, spans: 'garbage;;,1-2' }),
  ),
  'signals of no kind': {
    record: (record) =>
      each(record, 'signal', 3, {
        kind: 'evil',
        summary: ESCAPE,
        count: HUGE,
        tool: null,
        seqs: [HUGE],
        denied_by: 'x',
      }),
  },
  'signals without end': {
    record: (record) =>
      each(record, 'signal', 12_000, { kind: 'error', summary: 's', count: 1, tool: null, seqs: [], denied_by: null }),
  },
  'decisions without end': {
    record: (record) => each(record, 'decision', 12_000, { seq: 1, ts: '2026-10-01T00:00:00.000Z' }),
  },
  'a bill of another': of(
    'ledger',
    (line) => void Object.assign(line, { key: 'r1', input: HUGE, cost_usd: 9e8, model: '__proto__' }),
  ),
  'a later version': { record: (record) => ({ ...record, v: 2 }) },
  "shell;touch$IFS'x'`id`$(id)": {},
}

const home = tempDir()
const env = cleanEnv(home)
const storeFile = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')
const own = `claude:${uuid('own')}`
let taken: Json
let costBefore: unknown

/** Lays the attacks down as an export, made from a session that is nothing but good. */
function lay(to: string): void {
  const good = cleanEnv(tempDir())
  const log = new ClaudeLog(uuid('good')).user('why does the heron deploy fail?').think('hm')
  log.call('t1', 'Bash', { command: 'npm test' }).result('t1', 'AssertionError: 1 != 2', { is_error: true })
  log
    .call('t2', 'Edit', { file_path: '/home/sam/a.ts', old_string: 'a', new_string: 'b' })
    .result('t2', 'The file was changed')
  write(transcriptPath(good['HOME'] ?? '', uuid('good')), log.say('done').user('thanks').text())
  const from = path.join(tempDir(), 'good')
  for (const args of [['index'], ['analyze', '--all'], ['export', 'traces', '--out', from]]) recallCli(good, ...args)
  const read = (kind: string) =>
    readFileSync(path.join(from, kind, `${uuid('good')}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
  for (const kind of ['traces', 'records']) mkdirSync(path.join(to, kind), { recursive: true })
  const sessions: Json = {}
  for (const [n, [name, { record, event }]] of Object.entries(ATTACKS).entries()) {
    const native = name.replaceAll(/[\s/]/g, '-').replaceAll(',', '')
    const file = `attack-${n}`
    const hash = createHash('sha256').update(native).digest('hex')
    const as = (line: string) => JSON.parse(line.replaceAll(`claude:${uuid('good')}`, `claude:${native}`)) as Json
    const others = read('records').flatMap((line) => {
      const told = as(line)
      if (told['record'] === 'session') {
        Object.assign(told, { id: hash.slice(0, 16), native_id: native, source_path: `/x/${file}.jsonl` })
        for (const lane of told['lanes'] as Json[])
          Object.assign(lane, { main_path: `/x/${file}.jsonl`, uid: `claude:${native}` })
      }
      return record?.(told) ?? told
    })
    const lines = read('traces').map((line, i) => {
      const told = as(line)
      const rest = JSON.parse(told['recall'] as string) as Json
      rest['place'].native = hash.slice(0, 6) + String(rest['place'].native).slice(6)
      event?.(rest, i, told)
      return { ...told, recall: JSON.stringify(rest) }
    })
    const text = (rows: readonly Json[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    writeFileSync(path.join(to, 'traces', `${file}.jsonl`), text(lines))
    writeFileSync(path.join(to, 'records', `${file}.jsonl`), text(others))
    sessions[`claude:${native}`] = { file, events: lines.length, traces: hash, records: hash }
  }
  for (const kind of ['traces', 'records']) symlinkSync('/etc/passwd', path.join(to, kind, 'linked.jsonl'))
  const entry = { events: 1, traces: 'a'.repeat(64), records: 'b'.repeat(64) }
  for (const file of ['linked', '..', '../../etc/passwd', 'not-there'])
    sessions[`claude:to ${file}`] = { file, ...entry }
  sessions['__proto__'] = { file: 'x', ...entry }
  writeFileSync(path.join(to, 'manifest.json'), JSON.stringify({ format: 'recall-traces', version: 1, sessions }))
  const word = (i: number) =>
    `${JSON.stringify({ v: 1, record: 'tag', session_uid: `claude:nobody${i}`, tag: 't', on: true, at: 1.79e12 })}\n`
  writeFileSync(path.join(to, 'words.jsonl'), Array.from({ length: 5000 }, (_, i) => word(i)).join(''))
  mkdirSync(path.join(to, 'time-metrics'))
  writeFileSync(
    path.join(to, 'time-metrics', 'tasks.jsonl'),
    `{"kind":"task","name":"x","start_epoch":1e300,"end_epoch":-5,"ts":7}\nnot json\n`,
  )
}

describe('an export that was made to hurt', () => {
  beforeAll(() => {
    write(transcriptPath(home, uuid('own')), new ClaudeLog(uuid('own')).user('my own words').say('ok').text())
    recallCli(env, 'index')
    costBefore = query(storeFile, 'SELECT sum(cost_usd) AS cost, sum(input) AS input FROM ledger')
    const dir = path.join(tempDir(), 'hurting')
    lay(dir)
    taken = recallJson(env, 'import', 'traces', dir)
  }, 120_000)

  test('is taken in as far as it can be, and what cannot is counted and named', () => {
    expect(taken).toMatchObject({ code: 0 })
    expect(taken['sessions'].kept).toBeGreaterThan(25)
    expect(taken['bad']).toBeGreaterThan(50)
    expect(JSON.stringify(taken['problems'])).not.toContain('root:')
    expect(query(storeFile, "SELECT 1 FROM session WHERE uid LIKE 'claude:to %' OR uid LIKE '%proto%'")).toEqual([])
    expect(query(storeFile, 'SELECT count(*) AS n FROM signal')[0]?.['n']).toBeLessThanOrEqual(10_100)
  })

  test('takes nothing from what was here', () => {
    const { sessions } = recallJson(env, 'list', '--all', '--limit', '0') as unknown as { sessions: Json[] }
    expect(sessions.find(({ session_uid: uid }) => uid === own)).toMatchObject({
      title: 'my own words',
      message_count: 2,
    })
    expect(recallCli(env, 'show', own).out).toContain('my own words')
    const mine = `SELECT sum(g.cost_usd) AS cost, sum(g.input) AS input FROM ledger g JOIN session s ON s.id = g.session WHERE s.uid = '${own}'`
    expect(query(storeFile, mine)).toEqual(costBefore)
  })

  test.each([
    ['doctor', '--deep'],
    ['analyze', '--all'],
    ['list', '--all', '--limit', '0'],
    ['search', 'heron'],
    ['stats'],
    ['stats', 'files'],
    ['stats', 'time'],
    ['stats', 'bash', '--suggest'],
    ['cost', '--by', 'session'],
    ['retro', '--since', '2020-01-01'],
    ['permissions', 'friction'],
    ['patterns', '--limit', '0'],
    ['signals', '--limit', '0'],
    ['brief'],
    ['time', 'tasks'],
    ['export', 'duckdb', path.join(tempDir(), 'x.duckdb')],
    ['export', 'html', '--since', '2000-01-01', '--out', path.join(tempDir(), 'site')],
    ['export', 'traces', '--out', path.join(tempDir(), 'again')],
    ['backup', path.join(tempDir(), 'x.tar')],
  ])('does not keep `recall %s %s` from answering', (...args) => {
    const { code, out, err } = recallCli(env, ...args)
    expect([code, err.includes('this is a bug')]).toEqual([0, false])
    expect(out).not.toContain('\u001b]')
    expect(out).not.toContain('\u001b[2J')
  })

  test.each([
    'an-empty-digest',
    'a-digest-of-no-kind',
    'gone-with-huge-counts',
    'kinds-at-random',
    'marks-of-no-kind',
    'every-flag',
  ])('and neither does the session %s by itself', (name) => {
    for (const args of [['show'], ['show', '--json'], ['env'], ['handoff'], ['diff', own]]) {
      const [command = '', ...more] = args
      const { code, err } = recallCli(env, command, `claude:${name}`, ...more)
      expect([args.join(' '), (code ?? 9) <= 4, err.includes('this is a bug')]).toEqual([args.join(' '), true, false])
    }
  })
})
