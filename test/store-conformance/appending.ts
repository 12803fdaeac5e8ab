import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { batch, row } from './batches.ts'

/** What is appended is kept once, whole or not at all. */
export function appending(open: () => Promise<Store>): void {
  describe('appending', () => {
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
