import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EventLine, PortableRecord, SessionLine, WordLine } from '../../src/model/records.ts'
import { importedFrom } from '../../src/store/portable.ts'
import type { Store } from '../../src/store/store.ts'
import { batch, idOf, OUTPUT, row, workday } from './batches.ts'

const HEAD = { v: 1, session_uid: 'test:s1' } as const
const tag = (name: string, on: boolean, at: number): WordLine => ({ ...HEAD, record: 'tag', tag: name, on, at })
const title = (words: string | null, at: number): WordLine => ({ ...HEAD, record: 'title', title: words, at })
const tombstone = (at: number): WordLine => ({ ...HEAD, record: 'tombstone', at })
const decision = (text: string, at: number): WordLine => ({
  ...HEAD,
  record: 'decision',
  seq: 7,
  ts: new Date(at).toISOString(),
  text,
})
const AT = Date.parse('2026-10-02T09:00:00Z')

/** What is taken along and taken in, whatever keeps it. */
export function portable(open: () => Promise<Store>): void {
  const recordsOf = async (store: Store, uid = 'test:s1', as?: 'here') => [
    ...(await store.portable.records(await idOf(store, uid), as)),
  ]
  const events = (records: readonly PortableRecord[]) =>
    records.filter((record): record is EventLine => record.record === 'event')
  const wordsOf = async (store: Store) => [...(await store.portable.words())]
  const day = async () => {
    const store = await open()
    await store.append([workday()])
    return store
  }

  describe('records', () => {
    test('a session is told whole: itself, its events by their numbers, what was billed, what was decided', async () => {
      const store = await day()
      await store.keeping.decide(await idOf(store, 'test:s1'), 'we stay', AT)
      const records = await recordsOf(store)
      expect([...new Set(records.map(({ record }) => record))]).toEqual(['session', 'event', 'ledger', 'decision'])
      expect(records.every(({ session_uid: uid }) => uid === 'test:s1')).toBe(true)
      expect(records[0]).toMatchObject({
        flavor: 'test',
        native_id: 's1',
        cwd: '/shop',
        event_count: expect.any(Number),
      })
      const seqs = events(records).map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
      expect(seqs).toHaveLength(9)
      expect(events(records)[3]).toMatchObject({ output: OUTPUT, is_error: true })
      expect(events(records)[2]?.input).toEqual({ command: 'npm test && git status', description: 'Run the tests' })
      expect(events(records)[6]?.made).toEqual([['commit', '1a2b3c4']])
      expect(records.at(-1)).toMatchObject({ text: 'we stay', ts: '2026-10-02T09:00:00.000Z' })
    })

    test('a record that two sessions hold is told by both, and as it stands here is one of them the copy', async () => {
      const store = await open()
      await store.append([batch([row(0, 'shared')], { path: '/s1', session: 's1' })])
      await store.append([batch([row(0, 'shared')], { path: '/s2', session: 's2' })])
      const copies = async (as?: 'here') => {
        const both = [...(await recordsOf(store, 'test:s1', as)), ...(await recordsOf(store, 'test:s2', as))]
        return events(both).map(({ place }) => (place.flags & 4) !== 0)
      }
      expect(await copies()).toEqual([false, false])
      expect((await copies('here')).toSorted()).toEqual([false, true])
    })

    test('as it stands here: with what holds here alone, without outputs', async () => {
      const store = await day()
      const [session, ...rest] = await recordsOf(store, 'test:s1', 'here')
      expect((session as SessionLine).here).toMatchObject({ is_complete: true, input_tokens: 10, output_tokens: 5 })
      expect((session as SessionLine).lanes[0]?.here).toEqual({ messages_from: 0, positions_from: 0 })
      expect(events(rest).map(({ output }) => output)).toEqual(Array.from({ length: 9 }, () => null))
      expect((await recordsOf(store))[0]).not.toHaveProperty('here')
    })

    test('only sessions with something in them are named, or with what is left of them', async () => {
      const store = await day()
      await store.append([batch([], { path: '/s0', session: 's0' })])
      const named = async (own?: boolean) => (await store.portable.uids(own)).map(({ uid }) => uid)
      expect(await named()).toEqual(['test:s1'])
      await store.append([{ ...batch([row(0, 'x')], { session: 's2' }), path: importedFrom('test:s2') }])
      expect(await named()).toEqual(['test:s1', 'test:s2'])
      expect(await named(true)).toEqual(['test:s1'])
    })
  })

  describe('taking in', () => {
    test('it is known what is here: read, taken in, let go, forgotten', async () => {
      const store = await day()
      const nothing = { id: null, isForgotten: false, isEvicted: false, isOwn: false, stamp: null }
      expect(await store.portable.known('test:s9')).toEqual(nothing)
      const id = await idOf(store, 'test:s1')
      expect(await store.portable.known('test:s1')).toEqual({ ...nothing, id, isOwn: true })
      await store.keeping.saveAnalyses(
        [
          {
            session: id,
            uid: 'test:s1',
            json: '{}',
            schemaVersion: 1,
            outcome: 'unknown',
            taskRef: null,
            signals: [],
            spans: '',
          },
        ],
        5,
      )
      await store.keeping.evict([{ uid: 'test:s1', reason: 'budget' }], 6)
      expect(await store.portable.known('test:s1')).toMatchObject({ id, isEvicted: true })
      await store.keeping.forget([id], 7)
      expect(await store.portable.known('test:s1')).toEqual({ ...nothing, isForgotten: true })
    })

    test('what was taken in keeps its stamp, and gives way to a transcript', async () => {
      const store = await open()
      const told = [row(0, 'from afar')]
      await store.append([{ ...batch(told, { path: '/s1' }), path: importedFrom('test:s1') }])
      const [session] = await recordsOf(store)
      await store.portable.settle(session as SessionLine, [], 'stamp')
      expect(await store.portable.known('test:s1')).toMatchObject({ isOwn: false, stamp: 'stamp' })
      await store.append([
        batch([...told, { ...row(1, 'and here'), native: Buffer.from('ownown02') }], { path: '/s1' }),
      ])
      expect(await store.portable.known('test:s1')).toMatchObject({ isOwn: true })
      expect(events(await recordsOf(store)).map(({ text }) => text)).toEqual(['from afar', 'and here'])
    })

    test('decisions are added once; counts of a session whose words are gone are kept', async () => {
      const store = await day()
      const [session] = await recordsOf(store)
      const line = session as SessionLine
      const told = decision('we stay', AT) as WordLine & { record: 'decision' }
      for (let i = 0; i < 2; i++) await store.portable.settle(line, [told], '')
      expect((await recordsOf(store)).filter(({ record }) => record === 'decision')).toHaveLength(1)
      await store.portable.settle({ ...line, evicted_at: new Date(AT).toISOString(), message_count: 77 }, [], '')
      expect((await recordsOf(store))[0]).toMatchObject({ message_count: 77, evicted_at: '2026-10-02T09:00:00.000Z' })
    })
  })

  describe('words', () => {
    const SAID = [
      tag('zoo', true, AT),
      tag('zoo', false, AT + 5),
      tag('old', true, AT + 1),
      title('stripes', AT + 2),
      title('spots', AT + 3),
      decision('we stay', AT + 4),
    ]

    test('the later holds, whatever comes first, and nothing counts twice', async () => {
      const [a, b] = [await day(), await day()]
      for (const word of SAID) await a.portable.merge([word], AT)
      await b.portable.merge(SAID.toReversed(), AT)
      expect(await wordsOf(a)).toEqual(await wordsOf(b))
      const { sessions } = await a.sessions({ limit: 9 })
      expect(sessions[0]).toMatchObject({ title: 'spots', tags: ['old'] })
      expect(await a.portable.merge(SAID, AT)).toEqual({ forgotten: [], news: 0 })
    })

    test('those about a session that is not here yet wait for it, but for decisions', async () => {
      const store = await open()
      expect((await store.portable.merge(SAID, AT)).news).toBeGreaterThan(2)
      await store.append([workday()])
      const { sessions } = await store.sessions({ limit: 9 })
      expect(sessions[0]).toMatchObject({ title: 'spots', tags: ['old'] })
      expect((await wordsOf(store)).some(({ record }) => record === 'decision')).toBe(false)
      expect(await store.portable.merge(SAID, AT)).toEqual({ forgotten: [], news: 1 })
    })

    test('a tombstone of a session that is not here keeps it out; one that is here is named, and left', async () => {
      const store = await day()
      const other: WordLine = { ...tombstone(AT), session_uid: 'test:s2' }
      expect(await store.portable.merge([tombstone(AT), other], AT)).toEqual({ forgotten: ['test:s1'], news: 1 })
      expect(await store.portable.known('test:s1')).toMatchObject({ isForgotten: false })
      await store.append([workday({ path: '/s2', session: 's2' })])
      expect(await idOf(store, 'test:s2')).toBe(-1)
      expect(await store.portable.merge([{ ...tag('zoo', true, AT), session_uid: 'test:s2' }], AT)).toMatchObject({
        news: 0,
      })
    })
  })

  test('a copy is a file of its own; what is done on the store as it is now gives its answer', async () => {
    const store = await day()
    const dir = mkdtempSync(path.join(tmpdir(), 'recall-test-'))
    try {
      await store.portable.copyTo(path.join(dir, 'copy.db'))
      expect(statSync(path.join(dir, 'copy.db')).size).toBeGreaterThan(1000)
    } finally {
      rmSync(dir, { recursive: true })
    }
    expect(await store.portable.snapshot(async () => (await recordsOf(store)).length)).toBeGreaterThan(9)
    await expect(store.portable.snapshot(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await store.append([workday({ path: '/s3', session: 's3' })])
    expect(await idOf(store, 'test:s3')).toBeGreaterThan(0)
  })
}
