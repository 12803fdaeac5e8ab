import { describe, expect, test } from 'vitest'
import { TEXT_FIELDS } from '../../src/model/search-text.ts'
import type { Form } from '../../src/store/permissions.ts'
import type { Store } from '../../src/store/store.ts'
import { batch, idOf, row, workday, workTime } from './batches.ts'

/** What an index run does besides appending. */
export function ingesting(open: () => Promise<Store>): void {
  const without = (word: string) => ({
    text: (text: string) => text.replaceAll(word, '…'),
    json: (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(word, '…')) as unknown,
  })
  const found = async (store: Store, word: string) => (await store.text.postings(`"${word}"`, 9)).hits.size

  describe('ingesting', () => {
    test('files that are gone are no longer told, files that failed are; their memory stays', async () => {
      const store = await open()
      await store.append([workday({ path: '/a' }), workday({ path: '/b', session: 's2' })])
      await store.markFiles([
        { source: 'test', path: '/a', state: 'gone' },
        { source: 'test', path: '/b', state: 'failed', message: 'no permission' },
      ])
      expect([...(await store.files())].map(([path, { status }]) => [path, status])).toEqual([['/b', 'failed']])
      expect((await store.sessions({ limit: 0 })).total).toBe(2)
      expect(await store.sessionCount()).toBe(2)
      expect((await store.status()).problems).toMatchObject([{ type: 'unreadable file', count: 1 }])
    })

    test('a run is unfinished from its first append until it is finished', async () => {
      const store = await open()
      expect(await store.isUnfinished()).toBe(false)
      await store.append([workday()])
      expect(await store.isUnfinished()).toBe(true)
      await store.finish(workTime(20), () => true)
      expect(await store.isUnfinished()).toBe(false)
      expect((await store.status()).lastIndex).toBe(workTime(20))
    })

    test('a repository that was moved is filed under where it is now', async () => {
      const store = await open()
      const repo = (gitRepo: string) => ({ gitRepo, repoIdentity: 'one' })
      await store.append([
        workday({ facts: repo('/old') }),
        workday({ path: '/b', session: 's2', facts: repo('/new') }),
      ])
      await store.finish(1, (dir) => dir === '/new')
      const { sessions } = await store.sessions({ limit: 0 })
      expect(sessions.map(({ gitRepo }) => gitRepo)).toEqual(['/new', '/new'])
    })

    test('new rules change what no transcript can give again, once', async () => {
      const store = await open()
      await store.append([workday()])
      await store.markFiles([{ source: 'test', path: '/t', state: 'gone' }])
      expect(await store.textRevision()).toBe('')
      await store.rewriteTexts('r1', without('zebra'))
      await store.rewriteTexts('r2', without('discount'))
      expect(await store.textRevision()).toBe('r2')
      expect([await found(store, 'zebra'), await found(store, 'discount')]).toEqual([0, 0])
      const all = [...(await store.texts())].map(({ text }) => text).join('\n')
      expect(all).not.toMatch(/zebra|discount/)
      expect(all).toContain('rounding')
    })

    test('what is known of secrets is kept by session, and taken out of all that is stored of it', async () => {
      const store = await open()
      await store.append([{ ...workday(), known: [{ uid: 'test:s1', state: '{"a":1}', owed: true }] }])
      await store.append([workday({ path: '/b', session: 's2', facts: { parent: 'test:s1' } })])
      expect(await store.knownSecrets()).toEqual([{ uid: 'test:s1', state: '{"a":1}', owed: true }])
      expect(await store.kin()).toEqual([['test:s2', 'test:s1']])
      const known = { uid: 'test:s1', state: '{"a":2}', owed: false }
      expect(await store.rewriteSessions([known], () => without('expected 3'))).toBe(true)
      expect(await store.rewriteSessions([known], () => null)).toBe(false)
      expect(await store.knownSecrets()).toEqual([known])
      const own = await store.bodies(await idOf(store, 'test:s1'), null)
      const other = await store.bodies(await idOf(store, 'test:s2'), null)
      expect([...own.values(), ...other.values()]).toEqual([
        'FAIL cart.test.ts: …, got 2',
        'FAIL cart.test.ts: expected 3, got 2',
      ])
    })

    test('only the fields that are chosen are found, of what is stored already, too', async () => {
      const store = await open()
      await store.append([workday()])
      expect(await found(store, 'rounding')).toBe(1)
      await store.chooseFields(['content'])
      expect([await found(store, 'rounding'), await found(store, 'zebra')]).toEqual([0, 2])
      await store.chooseFields(TEXT_FIELDS)
      expect(await found(store, 'rounding')).toBe(1)
    })

    test('forms and activity are kept of what has changed, and only of that', async () => {
      const store = await open()
      await store.append([workday()])
      const judged: (string | null)[] = []
      const form = (command: string | null): Form => {
        judged.push(command)
        return { offer: 'exact', pattern: String(command), reason: '', name: 'any' }
      }
      const topic = (tool: string) => ({ tool, subject: tool, obstacles: '' })
      const judge = { form, topic, asksUnseen: () => false }
      const loads: number[] = []
      const seen: number[] = []
      const tell = ({ events }: { events: readonly unknown[] }) => `${seen.push(events.length)}`
      for (let time = 0; time < 2; time++) {
        await store.keepForms('r1', async () => {
          loads.push(time)
          return judge
        })
        await store.keepActivity(tell)
      }
      expect(judged).toEqual([null, 'git commit -m fix'])
      expect(loads).toEqual([0])
      expect(seen).toHaveLength(1)
      expect(await store.permissions.questions({})).toEqual([])
      const { forms } = (await store.permissions.forms({}, { fewest: 1 })) ?? { forms: [] }
      expect(forms.map(({ pattern, count, errors }) => [pattern, count, errors])).toEqual([
        ['null', 1, 1],
        ['git commit -m fix', 1, 0],
      ])
      expect([...(await store.activity.activities({ sessions: { limit: 0 } }))].map(({ spans }) => spans)).toEqual([
        '1',
      ])
    })

    test('forms and activity kept while an index is under way are those kept at its end', async () => {
      const judge = {
        form: (): Form => ({ offer: 'none', pattern: '(any)', reason: '', name: `judged ${names++}` }),
        topic: (tool: string) => ({ tool, subject: tool, obstacles: '' }),
        asksUnseen: () => false,
      }
      let names = 0
      const keep = async (store: Store) => {
        await store.keepForms('r1', async () => judge)
        await store.keepActivity(({ events }) => String(events.length))
      }
      const told = async (meanwhile: boolean) => {
        names = 0
        const store = await open()
        for (const session of ['s1', 's2', 's1']) {
          await store.append([workday({ path: `/${session}`, session })])
          if (meanwhile) await keep(store)
        }
        await store.finish(1, () => true)
        await keep(store)
        const forms = await store.permissions.forms({}, { fewest: 1 })
        const days = await store.insight.calls('day', {})
        const activities = [...(await store.activity.activities({ sessions: { limit: 0 } }))]
        return { forms, days, spans: activities.map(({ spans }) => spans) }
      }
      expect(await told(true)).toEqual(await told(false))
    })

    test('a new store takes over what no transcript can give back', async () => {
      const [old, store] = [await open(), await open()]
      await old.append([workday({ path: '/gone' }), batch([row(0, 'still there')], { session: 's2' })])
      await old.keeping.describe(await idOf(old, 'test:s2'), { tag: 'keep', on: true }, 1)
      const { path } = await old.status()
      await old.close()
      expect(await store.carryOver(path, 'before')).toEqual([])
      await store.append([batch([row(0, 'still there')], { session: 's2' })])
      expect(await store.carryOver(path, 'after')).toEqual([])
      const { sessions } = await store.sessions({ limit: 0 })
      expect(sessions.map(({ uid, tags, eventCount }) => [uid, tags, eventCount]).sort()).toEqual([
        ['test:s1', [], 10],
        ['test:s2', ['keep'], 2],
      ])
      expect(await found(store, 'rounding')).toBe(1)
      expect((await store.bodies(await idOf(store, 'test:s1'), null)).size).toBe(1)
    })
  })
}
