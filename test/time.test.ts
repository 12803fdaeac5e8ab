import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { openTaskJournal } from '../src/insight/task-journal.ts'
import { STRIDE } from '../src/distill/span-text.ts'
import { DaySums, lengthsOf, secondsOf, Timeline, type TimeSum } from '../src/insight/timeline.ts'
import { SPAN_KINDS, type Span } from '../src/distill/spans.ts'
import type { Digest } from '../src/model/digest.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { demoHome, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

const ALL = { sessions: { limit: 0 } }
const KINDS = ['active_s', 'agent_s', 'waiting_s', 'idle_s', 'wall_s'] as const

/** A prompt, ten minutes of work, and an answer. */
function tenMinutes(name: string, start: string, cwd = '/home/sam/code/demo'): ClaudeLog {
  const at = Date.parse(start)
  const after = (minutes: number) => ({ timestamp: new Date(at + minutes * 60_000).toISOString() })
  return new ClaudeLog(uuid(name), { cwd }).user('go on', after(0)).say('working', after(5)).say('done', after(10))
}

function lineOf(spans: readonly Span[]): Timeline {
  const line = new Timeline()
  for (const { from, to, what } of spans) line.addAll(Float64Array.of(from, to, SPAN_KINDS.indexOf(what)))
  return line
}

function unionOf(spans: readonly Span[]): Span[] {
  const union = lineOf(spans).union()
  return Array.from({ length: union.length / STRIDE }, (_, i) => {
    const [from = 0, to = 0, kind = 3] = union.subarray(i * STRIDE, (i + 1) * STRIDE)
    return { from, to, what: SPAN_KINDS[kind] ?? 'idle' }
  })
}

function sumOf(spans: readonly Span[]): TimeSum {
  return secondsOf(lengthsOf(lineOf(spans).union()))
}

function daysOf(flat: readonly Span[]): DaySums {
  return new DaySums(lineOf(flat).union())
}

function homeOf(...logs: readonly ClaudeLog[]): string {
  const home = tempDir()
  for (const log of logs) write(transcriptPath(home, log.session), log.text())
  return home
}

describe('time', () => {
  test('of a session is what its digest says, and the whole is never more than its parts', async () => {
    const { recall } = productOn(demoHome())
    await recall.sweep()
    const found = await recall.activity.time(ALL)
    expect(found.sessions.length).toBeGreaterThan(30)
    for (const { uid, time } of found.sessions) {
      const digest = JSON.parse((await recall.digest(uid)) ?? '') as Digest
      expect(time, uid).toMatchObject(digest.time)
    }
    const { active_s, agent_s, waiting_s, idle_s, wall_s } = found.total
    expect(active_s + agent_s + waiting_s + idle_s).toBe(wall_s)
    const parts = found.sessions.reduce((sum, one) => sum + one.time.wall_s, 0)
    expect(Math.abs(parts - found.overlap_s - wall_s)).toBeLessThanOrEqual(found.sessions.length)
    await recall.close()
  })

  test('of sessions side by side counts once in the whole, and in each of their projects', async () => {
    const first = tenMinutes('one', '2026-10-01T09:00:00Z', '/w/one')
    const second = tenMinutes('two', '2026-10-01T09:05:00Z', '/w/two')
    const { recall } = productOn(homeOf(first, second))
    await recall.index()
    const found = await recall.activity.time(ALL)
    expect(found.total).toEqual({ active_s: 0, agent_s: 900, waiting_s: 0, idle_s: 0, wall_s: 900 })
    expect(found.overlap_s).toBe(300)
    expect(found.byProject.map(({ project, time }) => [project, time.wall_s])).toEqual([
      ['/w/one', 600],
      ['/w/two', 600],
    ])
    await recall.close()
  })

  test('is cut where the period begins and ends', async () => {
    const { recall } = productOn(homeOf(tenMinutes('cut', '2026-10-01T09:00:00Z')))
    await recall.index()
    const at = (clock: string) => Date.parse(`2026-10-01T${clock}Z`)
    const wall = async (since: string, before: string) =>
      (await recall.activity.time({ ...ALL, since: at(since), before: at(before) })).total.wall_s
    expect(await wall('09:02:00', '09:07:00')).toBe(300)
    expect(await wall('08:00:00', '09:02:00')).toBe(120)
    expect(await wall('09:10:01', '12:00:00')).toBe(0)
    await recall.close()
  })

  test('a decision recorded later adds none', async () => {
    const { recall } = productOn(homeOf(tenMinutes('decided', '2026-10-01T09:00:00Z')))
    await recall.index()
    await recall.decide(await recall.find(`claude:${uuid('decided')}`), 'we stay')
    await recall.close()
    expect((await recall.activity.time(ALL)).total.wall_s).toBe(600)
    await recall.close()
  })

  test('of sessions whose raw text has gone is still known, also in a store made anew; without a course it is told apart', async () => {
    const home = homeOf(tenMinutes('gone', '2026-10-01T09:00:00Z'))
    const { recall, store } = productOn(home, undefined, { rawSoftCapBytes: 0 })
    await recall.sweep()
    rmSync(transcriptPath(home, uuid('gone')))
    for (const again of [() => recall.index(), () => recall.index({ recreate: true })]) {
      await again()
      const found = await recall.activity.time(ALL)
      expect(found).toMatchObject({ total: { agent_s: 600, wall_s: 600 }, unplaced: { sessions: [] } })
      await recall.close()
    }
    const db = new DatabaseSync(store)
    db.exec('DELETE FROM course')
    db.close()
    const found = await recall.activity.time(ALL)
    expect(found.total.wall_s).toBe(0)
    expect(found.unplaced).toMatchObject({ sessions: [`claude:${uuid('gone')}`], time: { agent_s: 600, wall_s: 600 } })
    await recall.close()
  })

  test('is the same from what the index keeps, from what analysis keeps and from the events', async () => {
    const { recall, store } = productOn(demoHome())
    const kept = () => query(store, 'SELECT s.uid, c.spans FROM course c JOIN session s ON s.id = c.session ORDER BY 1')
    await recall.index()
    const indexed = { time: await recall.activity.time(ALL), courses: kept() }
    await recall.close()
    expect(indexed.courses.length).toBe(indexed.time.sessions.length)
    await recall.sweep()
    expect({ time: await recall.activity.time(ALL), courses: kept() }).toEqual(indexed)
    await recall.close()

    const db = new DatabaseSync(store)
    db.exec('DELETE FROM course; INSERT INTO uncharted SELECT id FROM session')
    db.close()
    expect(await recall.activity.time(ALL)).toEqual(indexed.time)
    await recall.close()
    await recall.index()
    expect(kept()).toEqual(indexed.courses)
    await recall.close()
  })

  test('of a session that has grown since its analysis is of all its events', async () => {
    const home = homeOf(tenMinutes('grown', '2026-10-01T09:00:00Z'))
    let now = Date.parse('2026-10-02T00:00:00Z')
    const { recall } = productOn(home, undefined, {}, () => now++)
    await recall.sweep()
    const more = new ClaudeLog(uuid('more'))
    more.say('and', { sessionId: uuid('grown'), timestamp: '2026-10-01T09:20:00.000Z' })
    appendFileSync(transcriptPath(home, uuid('grown')), more.text())
    await recall.index()
    expect((await recall.activity.time(ALL)).total.wall_s).toBe(1200)
    await recall.close()
  })

  test('days add up to the whole to the second', () => {
    const spans: Span[] = []
    let from = Date.parse('2026-10-01T00:00:00Z')
    for (let i = 0; i < 400; i++) {
      const to = from + 1_000_037 + ((i * 7919) % 5_000_011)
      spans.push({ from, to, what: (['active', 'agent', 'waiting', 'idle'] as const)[i % 4] ?? 'idle' })
      from = i % 5 === 0 ? to + 60_000 : to - 400_009
    }
    const flat = unionOf(spans)
    const total = sumOf(spans)
    expect(sumOf(flat)).toEqual(total)
    for (const [i, { from: start }] of flat.entries())
      if (i > 0) expect(start).toBeGreaterThanOrEqual(flat[i - 1]?.to ?? 0)
    for (const at of flat.flatMap(({ from: start, to }) => [start, (start + to) / 2])) {
      const going = spans.filter((span) => span.from <= at && at < span.to).map(({ what }) => what)
      expect(flat.find((span) => span.from <= at && at < span.to)?.what).toBe(
        SPAN_KINDS.find((kind) => going.includes(kind)),
      )
    }
    const days = [...daysOf(flat).within(total)]
    expect(days.length).toBeGreaterThan(8)
    for (const kind of KINDS) expect(days.reduce((sum, [, time]) => sum + time[kind], 0)).toBe(total[kind])
    for (const [day, time] of days) {
      const next = new Date(day).setHours(24)
      const alone = sumOf(
        flat.flatMap(({ from: start, to, what }) =>
          start < next && to > day ? { from: Math.max(start, day), to: Math.min(to, next), what } : [],
        ),
      )
      for (const kind of KINDS) expect(Math.abs(alone[kind] - time[kind])).toBeLessThanOrEqual(4)
    }
  })

  test('a second that no kind has alone is not lost on its day', () => {
    const spans: Span[] = [
      { from: 0, to: 400, what: 'active' },
      { from: 400, to: 600, what: 'agent' },
    ]
    const total = sumOf(spans)
    expect(total).toMatchObject({ active_s: 0, agent_s: 1, wall_s: 1 })
    expect([...daysOf(spans).within(total).values()]).toEqual([total])
  })

  test('the command tells it by project and by local day', () => {
    const late = tenMinutes('late', '2026-10-02T03:55:00Z', '/w/late')
    const env = { ...cleanEnv(homeOf(late)), TZ: 'America/New_York' }
    recallCli(env, 'index')
    const found: Json = recallJson(env, 'time')
    expect(found).toMatchObject({ code: 0, agent_s: 600, wall_s: 600, sessions: 1, unplaced_s: 0, overlap_s: 0 })
    expect(found['by_project']).toMatchObject([{ project: '/w/late', sessions: 1, wall_s: 600 }])
    expect(found['by_day']).toMatchObject([
      { day: '2026-10-01', agent_s: 300 },
      { day: '2026-10-02', agent_s: 300 },
    ])
    expect(recallJson(env, 'time', '--project', 'nowhere')).toMatchObject({ code: 0, wall_s: 0, by_day: [] })
    expect(recallCli(env, 'time').out).toContain('2026-10-02')
    expect(recallJson(env, 'time', '--week', '--since', '1d')).toMatchObject({ code: 2, error: { code: 'USAGE' } })
    expect(recallJson(env, 'time', 'travel')).toMatchObject({ code: 2, error: { code: 'USAGE' } })
  })
})

describe('the journals', () => {
  const NOON = Date.parse('2026-04-29T12:00:00.900Z')
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')

  test('a task has a start, a stop with its exit code, and the whole', () => {
    let now = NOON
    const journal = openTaskJournal(path.join(tempDir(), 'journals'), () => now)
    journal.startTask('wave', '~/code')
    now += 585_000
    journal.stopTask('wave', { exit: 3, metric: { new_rules: 1 }, source: '~/code' })
    const file = path.join(journal.dir, 'tasks.jsonl')
    expect(lines(file)).toEqual([
      '{"kind":"start","name":"wave","start_epoch":1777464000,"source":"~/code","ts":"2026-04-29T12:00:00Z"}',
      '{"kind":"stop","name":"wave","start_epoch":1777464000,"end_epoch":1777464585,"duration_s":585,"exit":3,"metric":{"new_rules":1},"source":"~/code","ts":"2026-04-29T12:09:45Z"}',
      '{"kind":"task","name":"wave","start_epoch":1777464000,"end_epoch":1777464585,"duration_s":585,"metric":{"new_rules":1},"source":"~/code","ts":"2026-04-29T12:09:45Z"}',
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(journal.dir).mode & 0o777).toBe(0o700)
    expect(journal.tasks().tasks).toMatchObject([{ name: 'wave', state: 'done', duration_s: 585, exit: 3 }])
  })

  test('a task cannot be started twice, nor ended before it was started', () => {
    const journal = openTaskJournal(tempDir(), () => NOON)
    expect(() => journal.stopTask('a', { exit: 0, metric: {}, source: '' })).toThrow('no task "a" is running')
    journal.startTask('a', '')
    expect(() => journal.startTask('a', '')).toThrow('a is running since 2026-04-29T12:00:00Z')
    journal.stopTask('a', { exit: 0, metric: {}, source: '' })
    expect(() => journal.stopTask('a', { exit: 0, metric: {}, source: '' })).toThrow('no task')
    journal.startTask('a', '')
    expect(journal.tasks().tasks.map(({ state }) => state)).toEqual(['done', 'running'])
  })

  test('lines that others wrote are read, broken ones counted, and a torn one does not take the next with it', () => {
    const dir = tempDir()
    const theirs = { kind: 'task', name: 'audit', start_epoch: 10, end_epoch: 30, duration_s: 20, ts: 'x', extra: [1] }
    writeFileSync(path.join(dir, 'tasks.jsonl'), `${JSON.stringify(theirs)}\n[]\nnot json\n{"kind":"task","name":"to`)
    const journal = openTaskJournal(dir, () => NOON)
    journal.startTask('next', '')
    expect(journal.tasks()).toMatchObject({
      unread: 3,
      tasks: [
        { name: 'audit', state: 'done', duration_s: 20 },
        { name: 'next', state: 'running' },
      ],
    })
  })

  test('a session is told once when it rests, and again only if it went on', async () => {
    const home = homeOf(tenMinutes('told', '2026-10-01T09:00:00Z'))
    let now = Date.parse('2026-10-01T09:15:00Z')
    const { recall, store } = productOn(home, undefined, {}, () => now)
    await recall.index()
    const file = path.join(path.dirname(store), 'time-metrics', 'sessions.jsonl')
    expect(await recall.activity.recordSessions()).toEqual({ added: 0, known: 0 })
    expect(existsSync(file)).toBe(false)
    now = Date.parse('2026-10-01T12:00:00Z')
    expect(await recall.activity.recordSessions()).toEqual({ added: 1, known: 0 })
    expect(await recall.activity.recordSessions()).toEqual({ added: 0, known: 1 })
    expect(lines(file)).toEqual([
      `{"kind":"session","id":"${uuid('told')}","start_epoch":1790845200,"end_epoch":1790845800,"duration_s":600,"ts":"2026-10-01T09:10:00Z"}`,
    ])
    const later = new ClaudeLog(uuid('told more'))
    later.user('and', { sessionId: uuid('told'), timestamp: '2026-10-01T10:30:00.000Z' })
    appendFileSync(transcriptPath(home, uuid('told')), later.text())
    await recall.close()
    await recall.index()
    expect(await recall.activity.recordSessions()).toEqual({ added: 1, known: 0 })
    expect(lines(file)[1]).toContain('"duration_s":5400')
    await recall.close()
  })

  test('the commands write and read them where the config says', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    const dir = path.join(home, '.claude', 'memory', 'time-metrics')
    write(
      path.join(home, '.config', 'recall', 'config.toml'),
      '[time]\njournal_dir = "~/.claude/memory/time-metrics"\n',
    )
    expect(recallJson(env, 'time', 'stop', 'a')).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } })
    expect(recallCli(env, 'time', 'start', 'a').code).toBe(0)
    const stopped: Json = recallJson(env, 'time', 'stop', 'a', '--metric', 'x=1', 'y=2.5', '--exit', '4')
    expect(stopped['task']).toMatchObject({ kind: 'stop', name: 'a', exit: 4, metric: { x: 1, y: 2.5 } })
    expect(recallJson(env, 'time', 'stop', 'a', '--metric', 'x')).toMatchObject({ code: 2 })
    expect((recallJson(env, 'time', 'tasks') as Json)['tasks']).toMatchObject([{ name: 'a', state: 'done' }])
    expect(lines(path.join(dir, 'tasks.jsonl'))).toHaveLength(3)
    expect(recallJson(env, 'claim', 'it took 18 min', '--tier', 'SURE', '--pointer', 'x')).toMatchObject({ code: 2 })
    expect(recallJson(env, 'claim', 'it took 18 min', '--tier', 'REAL')).toMatchObject({ code: 2 })
    expect(recallCli(env, 'claim', 'it took 18 min', '--tier', 'FROM-JOURNAL', '--pointer', 'tasks.jsonl#a').err).toBe(
      '',
    )
    const [line = ''] = lines(path.join(dir, 'numeric-claims.jsonl'))
    expect(line.replace(/"ts":"[^"]+"/, '"ts":""')).toBe(
      '{"kind":"claim","value":"it took 18 min","evidence_tier":"FROM-JOURNAL","pointer":"tasks.jsonl#a","ts":""}',
    )
    expect((recallJson(env, 'claim', '--list') as Json)['claims']).toMatchObject([{ value: 'it took 18 min' }])
  })

  test('journals of another directory are taken over once', () => {
    const env = cleanEnv(tempDir())
    const old = path.join(env['HOME'] ?? '', '.claude', 'memory', 'time-metrics')
    mkdirSync(old, { recursive: true })
    const line = '{"kind":"task","name":"old","start_epoch":1,"end_epoch":3,"duration_s":2,"source":"~","ts":"t"}'
    writeFileSync(path.join(old, 'tasks.jsonl'), `${line}\n${line}\nbroken\n`)
    const imported = (): Json[] => (recallJson(env, 'time', 'import') as Json)['imported']
    expect(imported()[1]).toEqual({ journal: 'tasks', added: 1, broken: 1 })
    expect(imported()[1]).toMatchObject({ added: 0 })
    expect(recallCli(env, 'time', 'tasks').out).toContain('old')
    expect(readFileSync(path.join(old, 'tasks.jsonl'), 'utf8')).toContain('broken')
  })

  test('a directory that is named and not there is not found; the usual one may be missing', () => {
    const env = cleanEnv(tempDir())
    const missing = path.join(env['HOME'] ?? '', 'missing')
    expect(recallJson(env, 'time', 'import', missing)).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } })
    expect(recallJson(env, 'time', 'import')).toMatchObject({ code: 0, imported: [] })
    expect(recallCli(env, 'time', 'import').err).toContain('there is no')
  })

  test('names with line ends or control characters are kept as they are and shown on one line', () => {
    const env = cleanEnv(tempDir())
    const name = 'one\n\u001b[31mtwo'
    const started: Json = recallJson(env, 'time', 'start', name)
    expect(started['task']).toMatchObject({ name })
    const [title, row, ...rest] = recallCli(env, 'time', 'tasks').out.trimEnd().split('\n')
    expect([title?.startsWith('task'), row?.startsWith('one two '), rest]).toEqual([true, true, []])
    recallCli(env, 'claim', 'a\nb', '--tier', 'REAL', '--pointer', '\u001b[2Jx')
    expect(recallCli(env, 'claim', '--list').out).toMatch(/REAL +a b +␛\[2Jx\n$/)
  })
})
