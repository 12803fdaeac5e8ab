import { beforeAll, describe, expect, test } from 'vitest'
import type { Checkpoint, EventItem, Item, Source, TranscriptReader, Unit } from '../src/sources/source.ts'
import { FLAG, type EventRow, type Store, type UnitBatch } from '../src/store/store.ts'

export interface SourceFixture {
  /** Lays one ordinary transcript down and says where. Called anew for each test. */
  lay(): { unit: Unit; append(bytes: Uint8Array): void; truncate(bytes: number): void; bytes: Buffer }
}

/** What every source promises. A new source joins with one line. */
export function sourceConformance(source: Source, fixture: SourceFixture): void {
  describe(`source: ${source.name}`, () => {
    let reader: TranscriptReader
    beforeAll(async () => {
      reader = await source.reader()
    })

    test('claims its own transcripts by name and nothing that holds credentials', () => {
      const { unit } = fixture.lay()
      expect(source.owns(unit.path.slice(unit.root.length + 1))).toBe(true)
      for (const secret of ['auth.json', '.credentials.json', 'credentials.json', 'config.toml', 'settings.json']) {
        expect(source.owns(secret)).toBe(false)
      }
    })

    test('announces a lane before it says anything of it, and numbers events without holes', () => {
      const items = readAll(reader, fixture.lay().unit)
      const lanes = new Map<string, number>()
      for (const item of items) {
        if (item.item === 'lane')
          lanes.set(`${item.session} ${item.lane}`, lanes.get(`${item.session} ${item.lane}`) ?? 0)
        if (item.item !== 'event') continue
        const key = `${item.session} ${item.lane}`
        expect(lanes.get(key), `${key} was not announced`).toBeDefined()
        expect(item.pos).toBe(lanes.get(key))
        lanes.set(key, item.pos + 1)
      }
      expect(items.some((item) => item.item === 'event')).toBe(true)
    })

    test('reading in two steps, at any byte, ends with the events of one step', () => {
      const { bytes } = fixture.lay()
      const whole = events(readAll(reader, fixture.lay().unit))
      const step = Math.max(1, Math.floor(bytes.length / 60))
      for (let cut = 1; cut < bytes.length; cut += step) {
        const laid = fixture.lay()
        laid.truncate(cut)
        const first = reader.read(laid.unit, null)
        const rows = new Map<string, EventItem>()
        for (const items of first)
          for (const item of items) if (item.item === 'event') rows.set(`${item.lane} ${item.pos}`, item)
        const checkpoint = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint
        laid.append(bytes.subarray(cut))
        for (const items of reader.read(laid.unit, checkpoint)) {
          for (const item of items) if (item.item === 'event') rows.set(`${item.lane} ${item.pos}`, item)
        }
        expect([...rows.values()].map(withoutParent)).toEqual(whole.map(withoutParent))
      }
    })

    test('a torn last line waits; a broken line is told and the rest is read', () => {
      const laid = fixture.lay()
      const whole = events(readAll(reader, laid.unit)).length
      laid.append(Buffer.from('{"type": "user", "mess'))
      const torn = readAll(reader, laid.unit)
      expect(torn.filter((item) => item.item === 'problem')).toEqual([])
      expect(events(torn).length).toBe(whole)
      laid.append(Buffer.from('\n'))
      expect(readAll(reader, laid.unit).filter((item) => item.item === 'problem')).toMatchObject([{ level: 'warn' }])
    })
  })
}

function readAll(reader: TranscriptReader, unit: Unit): Item[] {
  return [...reader.read(unit, null)].flat()
}

function events(items: readonly Item[]): EventItem[] {
  return items.filter((item) => item.item === 'event')
}

/** A parent before the cut is told by its id, which the store resolves. */
function withoutParent(event: EventItem): Omit<EventItem, 'parent'> {
  const { parent: _, ...rest } = event
  return rest
}

/** What every store promises. A new store joins with one line. */
export function storeConformance(name: string, open: () => Promise<Store>): void {
  describe(`store: ${name}`, () => {
    test('an appended event can be listed, read, found and resolved', async () => {
      const store = await open()
      await store.append([batch([row(0, 'the zebra crossed the river')])])
      const { sessions, total } = await store.sessions({ limit: 10 })
      expect(total).toBe(1)
      const session = sessions[0]!
      expect(session).toMatchObject({ uid: 'test:s1', messageCount: 1, promptCount: 1 })
      expect((await store.events(session.rowId, { sidechains: true })).map((event) => event.text)).toContain(
        'the zebra crossed the river',
      )
      const [doc = -1] = [...(await store.text.postings('"zebra"', 5)).hits.keys()]
      expect(await store.text.place(doc)).toMatchObject({ session: session.rowId, lane: '', exchange: 1 })
      expect(await store.resolve('test:s1')).toEqual({ found: 'one', id: session.rowId })
      expect(await store.resolve(session.shortId.slice(0, 6))).toEqual({ found: 'one', id: session.rowId })
      expect(await store.check()).toEqual([])
    })

    test('reading a transcript again stores its events once', async () => {
      const store = await open()
      await store.append([batch([row(0, 'a'), row(1, 'b')])])
      await store.append([batch([row(0, 'a'), row(1, 'b')])])
      const { sessions } = await store.sessions({ limit: 1 })
      expect((await store.events(sessions[0]!.rowId, { sidechains: true })).filter((event) => event.text)).toHaveLength(
        2,
      )
    })

    test('a failed append leaves nothing behind', async () => {
      const store = await open()
      const bad = batch([row(0, 'a'), row(0, 'the same place twice')])
      await expect(store.append([batch([row(0, 'other')], { path: '/other', session: 's2' }), bad])).rejects.toThrow()
      expect((await store.sessions({ limit: 0 })).total).toBe(0)
      expect((await store.files()).size).toBe(0)
    })

    test('the checkpoint is kept with the events it covers', async () => {
      const store = await open()
      await store.append([batch([row(0, 'a')])])
      expect((await store.files()).get('/t')).toMatchObject({ offset: 10, status: 'ok' })
      expect(await store.checkpoint('/t')).toMatchObject({ offset: 10, line: 1, state: '{}' })
    })

    test('a response told many times, in many files, is counted once with the largest of each figure', async () => {
      const store = await open()
      const usage = {
        key: 'r1',
        session: 's1',
        lane: '',
        message: 0,
        line: 1,
        model: 'm',
        at: 1,
        costUsd: null,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        reasoning: 0,
      }
      await store.append([batch([row(0, 'a')], { usage: [{ ...usage, input: 5, output: 1, cacheRead: 7 }] })])
      const copy = { ...usage, session: 's2', input: 5, output: 9, cacheRead: 7 }
      await store.append([batch([row(0, 'b')], { path: '/u', session: 's2', usage: [copy] })])
      const totals = (await store.status()).sources[0]?.totals
      expect(totals?.tokens).toMatchObject({ input: 5, output: 9, cacheRead: 7 })
    })

    test('a record that two transcripts hold is counted once, whichever comes first', async () => {
      for (const order of [
        ['s1', 's2'],
        ['s2', 's1'],
      ]) {
        const store = await open()
        for (const session of order)
          await store.append([batch([row(0, 'shared words')], { path: `/${session}`, session })])
        const { sessions } = await store.sessions({ limit: 0 })
        expect(sessions.map((session) => [session.uid, session.messageCount]).sort()).toEqual([
          ['test:s1', 1],
          ['test:s2', 0],
        ])
        expect((await store.text.postings('"shared"', 5)).hits.size).toBe(1)
        await store.close()
      }
    })
  })
}

export function row(pos: number, text: string): EventRow {
  return {
    pos,
    parent: null,
    at: 1_000 + pos,
    kind: 'user_msg',
    role: 'user',
    tool: null,
    summary: null,
    text,
    input: null,
    body: null,
    flags: FLAG.human | FLAG.messageStart,
    native: Buffer.from(`native${String(pos).padStart(2, '0')}`),
    block: 0,
    call: null,
    message: pos,
    callIdx: null,
    line: 1,
    exchange: pos + 1,
    eventClass: 'user',
    base: null,
    sub: null,
    runs: null,
    thread: null,
    files: [],
    made: [],
    marks: null,
  }
}

export function batch(
  events: EventRow[],
  more: { path?: string; session?: string; usage?: UnitBatch['usage'] } = {},
): UnitBatch {
  const { path = '/t', session = 's1', usage = [] } = more
  return {
    source: 'test',
    path,
    stamp: 'x',
    size: 10,
    mtimeMs: 1,
    restart: true,
    disown: false,
    foreign: false,
    done: true,
    lanes: [{ ...laneOf(session, path), events }],
    usage,
    titles: [],
    superseded: [],
    problems: [],
    chunks: [],
    checkpoint: { offset: 10, line: 1, state: '{}', head: '', tail: '', provisional: false },
  }
}

function laneOf(session: string, mainPath: string) {
  const named = { session, lane: '', flavor: 'test', longName: 'test' }
  return { ...named, originality: 0, mainPath, yieldsTo: null, facts: {}, side: null }
}
