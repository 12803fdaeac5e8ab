import { describe, expect, test } from 'vitest'
import { FLAG, type Store } from '../../src/store/store.ts'
import { batch, ERROR, idOf, OUTPUT, row, workday, workTime } from './batches.ts'

/** Sessions, their events, and what can be asked about them. */
export function reading(open: () => Promise<Store>): void {
  const worked = async () => {
    const store = await open()
    await store.append([workday()])
    return store
  }
  const all = { sessions: { limit: 0 } }
  const FIELDS = ['prompt', 'thinking', 'command', 'error', 'command', 'answer']
  const seqOf = (pos: number) => pos + 1

  describe('reading', () => {
    test('sessions are listed by filter, read by row and counted with their subagents', async () => {
      const store = await worked()
      const helper = { parent: 'test:s1', hidden: true }
      await store.append([workday({ path: '/h', session: 'helper', facts: helper })])
      expect((await store.sessions({ limit: 0 })).total).toBe(1)
      expect((await store.sessions({ limit: 1, hidden: true })).total).toBe(2)
      expect((await store.sessions({ limit: 0, project: 'elsewhere' })).total).toBe(0)
      expect(await store.subagents()).toEqual(new Map([['test:s1', 1]]))
      const session = await store.session(await idOf(store, 'test:s1'))
      expect(session).toMatchObject({ uid: 'test:s1', promptCount: 2, toolCount: 3, cwd: '/shop', gitBranch: 'main' })
      expect(session?.tokens).toMatchObject({ input: 10, output: 5 })
      expect(await store.session(99)).toBeNull()
      expect(await store.resolve('nothing')).toEqual({ found: 'none' })
    })

    test('events come in order with their bodies, whole or in a window', async () => {
      const store = await worked()
      const id = await idOf(store, 'test:s1')
      const places = await store.places(id, true)
      const all = await store.events(id, { sidechains: true })
      expect(places.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq))
      const seqs = places.slice(-2).map(({ seq }) => seq)
      expect((await store.events(id, { sidechains: true, seqs })).map(({ seq }) => seq)).toEqual(seqs)
      const texts = (await store.events(id, { sidechains: true, fromSeq: seqOf(2), toSeq: seqOf(3) })).map(
        ({ text }) => text,
      )
      expect(texts).toEqual(['npm test && git status', ERROR])
      expect(await store.bodies(id, [seqOf(3)])).toEqual(new Map([[seqOf(3), OUTPUT]]))
      expect(await store.bodies(id, [seqOf(0)])).toEqual(new Map())
    })

    test('what was billed is told with where, and which files a session was read from', async () => {
      const store = await worked()
      const id = await idOf(store, 'test:s1')
      const [entry] = await store.ledger({ session: id })
      expect(entry).toMatchObject({
        sessionUid: 'test:s1',
        model: 'm1',
        input: 10,
        cacheRead: 100,
        file: '/t',
        costUsd: 0.5,
      })
      expect(await store.ledger({ since: workTime(2) })).toEqual([])
      expect(await store.filesOf(id)).toEqual([{ source: 'test', path: '/t' }])
    })

    test('every stored text is told once, and nothing is found wrong in a sound store', async () => {
      const store = await worked()
      const texts = [...(await store.texts())]
      expect(texts.filter(({ text }) => text === OUTPUT)).toHaveLength(1)
      expect(texts.filter(({ text }) => text.includes('discount'))).toHaveLength(1)
      expect(await store.check({ deep: true })).toEqual([])
      expect(await store.status()).toMatchObject({ sources: [{ source: 'test', files: 1 }], notices: [] })
    })
  })

  describe('the full-text index', () => {
    test('documents are found by their words, and tell where they stand and what they say', async () => {
      const { text } = await worked()
      const [doc = -1] = (await text.postings('"rounding"', 9)).hits
      expect(text.isTitle(doc)).toBe(false)
      expect(await text.place(doc)).toMatchObject({ session: text.sessionOf(doc), exchange: 1, firstSeq: 1 })
      expect((await text.events(doc)).map(({ text: said }) => said)).toContain(ERROR)
      expect(await text.paths(doc)).toEqual([{ seq: seqOf(4), path: '/shop/src/cart.ts' }])
      expect((await text.messages(doc)).map(({ field }) => field)).toEqual(FIELDS)
      expect([await text.fits(doc, { tool: 'bash' }), await text.fits(doc, { kind: 'decision' })]).toEqual([
        true,
        false,
      ])
    })

    test('how many, the last, the best; a cap is told', async () => {
      const { text } = await worked()
      expect(await text.count('"zebra"')).toBe(2)
      expect((await text.postings('"zebra"', 1)).capped).toBe(true)
      const [last, first] = await text.lastWith('"zebra"', 9)
      expect(last).toBeGreaterThan(first ?? Infinity)
      expect((await text.best('"zebra"', 1)).length).toBe(1)
      expect(await text.size()).toMatchObject({ documents: 2, sessions: 1 })
    })

    test('within sessions: which, how long, the latest', async () => {
      const { text } = await worked()
      const sessions = await text.sessionsWithin({ project: 'shop' })
      expect(sessions.size).toBe(1)
      expect(await text.sessionsWithin({ project: 'elsewhere' })).toEqual(new Set())
      expect([...(await text.relativeLengths([...sessions])).values()]).toEqual([1])
      expect((await text.latest(sessions, 9)).length).toBe(2)
    })
  })

  describe('evidence', () => {
    test('who touched a file, made a commit, met an error, ran what', async () => {
      const { evidence } = await worked()
      const [touch] = await evidence.touches('cart.ts')
      expect(touch).toMatchObject({ seq: seqOf(4), path: '/shop/src/cart.ts', edit: true, failed: false })
      const id = touch?.session ?? -1
      expect(await evidence.filesOf(id)).toEqual(['/shop/src/cart.ts'])
      expect(await evidence.workplaces()).toEqual([{ session: id, cwd: '/shop', gitRepo: null }])
      expect(await evidence.commits('1a2b3c4d5e')).toMatchObject([{ session: id, seq: seqOf(6), hash: '1a2b3c4' }])
      expect((await evidence.troubles(id, 1, 9)).map(({ byPerson }) => byPerson)).toEqual([true, false, true])
      const commands = await evidence.commands([id])
      expect(commands.map(({ command, ok, purpose }) => [command, ok, purpose])).toEqual([
        ['npm test && git status', false, 'Run the tests'],
        ['git commit -m fix', true, null],
      ])
      expect(await evidence.commandsSaying('commit', workTime(0), workTime(9))).toHaveLength(1)
      expect(await evidence.commandsSaying('commit', workTime(6), workTime(9))).toEqual([])
    })
  })

  describe('the activity', () => {
    test('what happened within a time', async () => {
      const { activity } = await worked()
      const then = { ...all, since: workTime(0), before: workTime(9) }
      const later = { ...all, since: workTime(30) }
      const [course] = [...(await activity.activities(then))]
      expect(course).toMatchObject({ uid: 'test:s1', project: '/shop' })
      expect([...(await activity.activities(later))]).toEqual([])
      expect((await activity.sessionsWithin(then)).map(({ uid }) => uid)).toEqual(['test:s1'])
      expect(await activity.sessionsWithin(later)).toEqual([])
      expect(await activity.made(then)).toEqual([{ uid: 'test:s1', seq: seqOf(6), kind: 'commit', value: '1a2b3c4' }])
      expect(await activity.promptAt('test:s1', workTime(8))).toBe(seqOf(8))
      expect(await activity.promptAt('test:s1', workTime(7))).toBeNull()
      expect([await activity.unplaced(then), await activity.untimed(then)]).toEqual([[], 0])
    })

    test('sessions without a time are counted', async () => {
      const store = await open()
      await store.append([batch([row(0, 'whenever', { at: null, flags: FLAG.human })])])
      expect(await store.activity.untimed(all)).toBe(1)
    })
  })
}
