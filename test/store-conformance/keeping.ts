import { describe, expect, test } from 'vitest'
import type { Analysis } from '../../src/store/keeping.ts'
import type { Store } from '../../src/store/store.ts'
import { idOf, workday, workTime } from './batches.ts'

/** What analysis might have found out about `workday`. */
export async function analysisOf(store: Store, uid: string): Promise<Analysis> {
  const time = { active_s: 60, agent_s: 30, waiting_s: 0, idle_s: 0 }
  const files = [{ path: 'src/cart.ts', edits: 1, reads: 0 }]
  const digest = {
    time,
    files,
    commits: ['1a2b3c4'],
    kind_counts: {},
    event_count: 11,
    last_assistant: 'it was the discount',
  }
  return {
    session: await idOf(store, uid),
    uid,
    json: JSON.stringify(digest),
    schemaVersion: 1,
    outcome: 'success',
    taskRef: 'T-1',
    signals: [{ kind: 'error', fingerprint: 'f1', summary: 'cart failed', count: 2, tool: 'Bash', seqs: [4] }],
    spans: 'a',
  }
}

/** Digests, evictions, forgetting, and what people add. */
export function keeping(open: () => Promise<Store>): void {
  const worked = async () => {
    const store = await open()
    await store.append([workday()])
    return store
  }
  const analysed = async () => {
    const store = await worked()
    await store.keeping.saveAnalyses([await analysisOf(store, 'test:s1')], workTime(40))
    return store
  }

  describe('keeping', () => {
    test('a session is analysed once, when it rests, and again by another revision', async () => {
      const store = await worked()
      const id = await idOf(store, 'test:s1')
      expect(await store.keeping.toAnalyze(workTime(7))).toEqual([])
      expect(await store.keeping.toAnalyze(workTime(9))).toEqual([id])
      const { session, events, sources, part } = await store.keeping.analysisInput(id)
      expect([session.uid, events.length, sources.length, part]).toEqual(['test:s1', 10, 1, null])
      expect(await store.keeping.digest('test:s1')).toBeNull()
      const analysis = await analysisOf(store, 'test:s1')
      await store.keeping.saveAnalyses([analysis], workTime(40))
      expect(await store.keeping.digest('test:s1')).toBe(analysis.json)
      expect(await store.keeping.toAnalyze(workTime(9))).toEqual([])
      await store.keeping.renewAnalyses('r1')
      await store.keeping.saveAnalyses([analysis], workTime(41))
      await store.keeping.renewAnalyses('r1')
      expect(await store.keeping.toAnalyze(workTime(9))).toEqual([])
      await store.keeping.renewAnalyses('r2')
      expect(await store.keeping.toAnalyze(workTime(9))).toEqual([id])
      expect(await store.activity.signals({ sessions: [id] })).toMatchObject([{ kind: 'error', fingerprint: 'f1' }])
      expect(await store.evidence.errors(['f1', 'f2'])).toMatchObject([{ session: id, count: 2, seqs: [4] }])
    })

    test('eviction drops the words and keeps the digest, which is found in their place', async () => {
      const store = await analysed()
      const id = await idOf(store, 'test:s1')
      expect(await store.keeping.holdings()).toMatchObject([
        { uid: 'test:s1', analyzedAt: workTime(40), pinned: false },
      ])
      expect(await store.keeping.distilledBytes()).toBeGreaterThan(0)
      await store.keeping.evict([{ uid: 'test:s1', reason: 'budget' }], workTime(50))
      expect(await store.keeping.owesPurge()).toBe(true)
      await store.keeping.purge(true)
      expect(await store.keeping.owesPurge()).toBe(false)
      expect(await store.keeping.holdings()).toEqual([])
      expect([await store.events(id, { sidechains: true }), [...(await store.bodies(id, null))]]).toEqual([[], []])
      expect(await store.session(id)).toMatchObject({ evictedAt: workTime(50), evictReason: 'budget', promptCount: 2 })
      expect((await store.text.postings('"rounding"', 9)).hits.size).toBe(0)
      expect((await store.text.postings('"discount"', 9)).hits.size).toBe(1)
      expect(await store.evidence.remembered('cart.ts')).toEqual([
        { session: id, path: 'src/cart.ts', edits: 1, reads: 0 },
      ])
      expect((await store.files()).get('/t')?.status).toBe('evicted')
      await store.keeping.restore(id)
      expect((await store.files()).get('/t')).toMatchObject({ status: 'ok', stamp: '', offset: 0 })
    })

    test('nothing is left of a forgotten session, and it is not read again until it may be', async () => {
      const store = await analysed()
      await store.keeping.forget([await idOf(store, 'test:s1')], workTime(50))
      expect(await store.keeping.digest('test:s1')).toBeNull()
      expect([...(await store.texts())].map(({ text }) => text).join('\n')).not.toContain('zebra')
      await store.append([workday()])
      expect((await store.sessions({ limit: 0 })).total).toBe(0)
      expect(await store.keeping.unforget('test:s1')).toBe(true)
      expect(await store.keeping.unforget('test:s1')).toBe(false)
      await store.append([workday()])
      expect((await store.sessions({ limit: 0 })).total).toBe(1)
    })

    test('tags pin, decisions stand beside the words, notices stay until they are seen', async () => {
      const store = await analysed()
      const id = await idOf(store, 'test:s1')
      await store.keeping.describe(id, { tag: 'keep', on: true }, 1)
      expect(await store.keeping.holdings()).toMatchObject([{ pinned: true }])
      await store.keeping.describe(id, { tag: 'keep', on: false }, 2)
      expect(await store.keeping.holdings()).toMatchObject([{ pinned: false }])
      const heard: number[] = []
      const seq = await store.keeping.decide(id, 'we round down', workTime(60), (told) => heard.push(told))
      expect(heard).toEqual([seq])
      expect((await store.events(id, { sidechains: true })).find((event) => event.seq === seq)?.text).toBe(
        'we round down',
      )
      await store.keeping.addNotice('loss', 'something went', workTime(61))
      expect(await store.keeping.notices()).toMatchObject([
        { kind: 'loss', message: 'something went', at: workTime(61) },
      ])
      expect(await store.keeping.acknowledge(workTime(62))).toBe(1)
      expect(await store.keeping.notices()).toEqual([])
    })
  })
}
