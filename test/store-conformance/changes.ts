import { describe, expect, test } from 'vitest'
import type { Analysis } from '../../src/store/keeping.ts'
import type { Change, Store } from '../../src/store/store.ts'
import { batch, row } from './batches.ts'

/** Whoever asks what has changed since a number misses nothing. */
export function changes(open: () => Promise<Store>): void {
  const told = (list: readonly Change[]) => list.map(({ uid, kind }) => `${uid} ${kind}`)
  const since = async (store: Store, seq: number) => told((await store.changesSince(seq, 99)).changes)
  const last = async (store: Store) => (await store.changesSince(0, 99)).last
  const id = async (store: Store, uid: string) => {
    const found = await store.resolve(uid)
    return found.found === 'one' ? found.id : -1
  }
  const grow = (store: Store, session: string, ...texts: string[]) =>
    store.append([
      batch(
        texts.map((text, i) => ({ ...row(i, text), native: Buffer.from(`${session}${i}`.padEnd(8)) })),
        { path: `/${session}`, session },
      ),
    ])
  const analysis = async (store: Store, uid: string): Promise<Analysis> => ({
    session: await id(store, uid),
    uid,
    json: '{}',
    schemaVersion: 1,
    outcome: 'unknown',
    taskRef: null,
    signals: [],
    spans: '',
  })

  describe('changes', () => {
    test('each kind of change is told, in order, to be read page by page', async () => {
      const store = await open()
      expect(await store.changesSince(0, 9)).toEqual({ changes: [], last: 0 })
      await grow(store, 's1', 'a')
      await grow(store, 's2', 'b')
      await store.keeping.saveAnalyses([await analysis(store, 'test:s1')], 5)
      await store.keeping.describe(await id(store, 'test:s1'), { tag: 'keep', on: true }, 6)
      await store.keeping.evict([{ uid: 'test:s1', reason: 'budget' }], 7)
      const all = ['test:s1 grown', 'test:s2 grown', 'test:s1 analysed', 'test:s1 tagged', 'test:s1 evicted']
      expect(await since(store, 0)).toEqual(all)
      const first = await store.changesSince(0, 2)
      const second = await store.changesSince(first.last, 2)
      const third = await store.changesSince(second.last, 2)
      expect(told([...first.changes, ...second.changes, ...third.changes])).toEqual(all)
      expect(third.changes).toEqual([{ seq: third.last, uid: 'test:s1', kind: 'evicted', at: 7 }])
      expect(await store.changesSince(third.last, 2)).toEqual({ changes: [], last: third.last })
    })

    test('a newer change takes the place of an older of its kind, behind all others', async () => {
      const store = await open()
      await grow(store, 's1', 'a')
      await grow(store, 's2', 'b')
      const before = await last(store)
      await grow(store, 's1', 'a', 'more')
      await grow(store, 's1', 'a', 'more', 'and more')
      expect(await since(store, 0)).toEqual(['test:s2 grown', 'test:s1 grown'])
      expect(await since(store, before)).toEqual(['test:s1 grown'])
      expect(await last(store)).toBe(before + 2)
    })

    test('decisions are told; what changes nothing is not', async () => {
      const store = await open()
      await grow(store, 's1', 'a')
      const session = await id(store, 'test:s1')
      await store.keeping.describe(session, { tag: 'keep', on: true }, 5)
      const before = await last(store)
      await store.keeping.describe(session, { tag: 'keep', on: true }, 6)
      await store.keeping.describe(session, { tag: 'other', on: false }, 6)
      await store.finish(7, () => true)
      expect(await last(store)).toBe(before)
      await store.keeping.decide(session, 'we stay', 8)
      expect(await since(store, before)).toEqual(['test:s1 tagged'])
      const untold = store.keeping.decide(session, 'we go', 9, () => {
        throw new Error('nobody hears it')
      })
      await expect(untold).rejects.toThrow()
      expect((await store.changesSince(0, 99)).changes.at(-1)).toMatchObject({ kind: 'tagged', at: 8 })
    })

    test('of a forgotten session only that is left, and numbers go on rising', async () => {
      const store = await open()
      await grow(store, 's1', 'a')
      await grow(store, 's2', 'b')
      await store.keeping.saveAnalyses([await analysis(store, 'test:s2')], 5)
      const before = await last(store)
      await store.keeping.forget([await id(store, 'test:s2')], 6)
      expect(await since(store, 0)).toEqual(['test:s1 grown', 'test:s2 forgotten'])
      expect(await since(store, before)).toEqual(['test:s2 forgotten'])
      await store.keeping.unforget('test:s2')
      await grow(store, 's2', 'b')
      expect(await since(store, before)).toEqual(['test:s2 forgotten', 'test:s2 grown'])
    })

    test('an append that fails tells nothing', async () => {
      const store = await open()
      await expect(store.append([batch([row(0, 'a'), row(0, 'the same place twice')])])).rejects.toThrow()
      expect(await store.changesSince(0, 9)).toEqual({ changes: [], last: 0 })
    })

    test('a session whose words are others now has grown, one that shares with a forgotten one too', async () => {
      const store = await open()
      await store.append([batch([row(0, 'shared words')], { path: '/s1', session: 's1' })])
      await store.append([
        batch([row(0, 'shared words'), { ...row(1, 'hush'), native: Buffer.from('ownown02') }], {
          path: '/s2',
          session: 's2',
        }),
      ])
      const before = await last(store)
      await store.keeping.forget([await id(store, 'test:s1')], 6)
      expect(await since(store, before)).toEqual(['test:s1 forgotten', 'test:s2 grown'])
      const rewriter = { text: (text: string) => text.replace('hush', '…'), json: (value: unknown) => value }
      const known = { uid: 'test:s2', state: '{}', owed: false }
      const then = await last(store)
      expect(await store.rewriteSessions([known], () => rewriter)).toBe(true)
      expect(await since(store, then)).toContain('test:s2 grown')
      const at = await last(store)
      expect(await store.rewriteSessions([known], () => rewriter)).toBe(false)
      expect(await last(store)).toBe(at)
    })
  })
}
