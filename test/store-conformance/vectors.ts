import { describe, expect, test } from 'vitest'
import { VECTOR_KINDS, type VectorKind } from '../../src/store/vectors.ts'
import { FLAG, type EventRow, type Store } from '../../src/store/store.ts'
import { batch, row } from './batches.ts'

const ANY = { limit: 10, kinds: VECTOR_KINDS, sessions: null }
const vector = (...values: number[]) => Float32Array.from(values)

/** What every store promises about vectors. */
export function vectors(open: () => Promise<Store>): void {
  const said = (pos: number, kind: EventRow['kind'], text: string): EventRow => {
    return { ...row(pos, text), kind, role: 'assistant', flags: FLAG.messageStart, exchange: 1 }
  }
  const texts = async (store: Store) => (await store.vectors.missing('m', 99)).map(({ kind, text }) => [kind, text])

  describe('vectors', () => {
    test('no text has a vector, and none is kept track of, until somebody asks for it', async () => {
      const store = await open()
      await store.append([batch([row(0, 'the zebra crossed the river')])])
      expect(await store.vectors.status()).toEqual({ model: null, dimensions: null, embedded: 0, left: 0 })
      expect(await store.vectors.missing('m', 9)).toEqual([])
      expect(await store.vectors.nearest('m', vector(1, 0), ANY)).toEqual([])
    })

    test('texts from before and after the plan wait for a vector, prompts first, each text once', async () => {
      const store = await open()
      const answer = said(1, 'assistant_msg', 'it went over the bridge')
      const thought = said(2, 'thinking', 'zebras fear crocodiles')
      const command = said(3, 'tool_call', 'grep -r zebra src/')
      await store.append([batch([row(0, 'where did the zebra cross'), answer, thought, command])])
      await store.vectors.plan('m')
      const again = [{ ...row(0, 'where did the  zebra\ncross'), native: Buffer.from('another1') }]
      await store.append([batch(again, { path: '/u', session: 's2' })])
      expect(await texts(store)).toEqual([
        ['prompt', 'where did the zebra cross'],
        ['answer', 'it went over the bridge'],
        ['thinking', 'zebras fear crocodiles'],
        ['command', 'grep -r zebra src/'],
      ] satisfies [VectorKind, string][])
      expect(await store.vectors.missing('m', 2)).toHaveLength(2)
      expect(await store.vectors.status()).toMatchObject({ model: 'm', embedded: 0, left: 4 })
    })

    test('what is near is found, nearest first, with every place where it stands, and within sessions', async () => {
      const store = await open()
      await store.append([batch([row(0, 'about the northern road'), row(1, 'about the eastern road')])])
      const other = [{ ...row(0, 'about the northern road'), native: Buffer.from('another1') }]
      await store.append([batch(other, { path: '/u', session: 's2' })])
      await store.vectors.plan('m')
      const [one, two] = await store.vectors.missing('m', 9)
      const isNorth = one?.text.includes('north') === true
      const vectors = [vector(0, 5), vector(3, 3)]
      await store.vectors.save('m', [
        { hash: one?.hash ?? '', vectors: [vectors[isNorth ? 0 : 1]!] },
        { hash: two?.hash ?? '', vectors: [vectors[isNorth ? 1 : 0]!] },
      ])
      const near = await store.vectors.nearest('m', vector(0, 2), ANY)
      expect(near.map(({ similarity }) => Number(similarity.toFixed(1)))).toEqual([1, 0.7])
      expect(near.map(({ places }) => places.length)).toEqual([2, 1])
      const found = await store.resolve('test:s2')
      const within = new Set([found.found === 'one' ? found.id : -1])
      expect(await store.vectors.nearest('m', vector(0, 2), { ...ANY, sessions: within })).toHaveLength(1)
      expect(await store.vectors.nearest('m', vector(0, 2), { ...ANY, kinds: ['thinking'] })).toEqual([])
      expect(await store.vectors.nearest('another model', vector(0, 2), ANY)).toEqual([])
      expect(await store.check()).toEqual([])
    })

    test('a text is found by each of its pieces, and all of them go with it', async () => {
      const store = await open()
      await store.append([
        batch([row(0, 'First of all the northern road. Then the eastern one.'), row(1, 'something else')]),
      ])
      await store.vectors.plan('m')
      const waiting = await store.vectors.missing('m', 9)
      await store.vectors.save(
        'm',
        waiting.map(({ hash, text }) => ({
          hash,
          vectors: text.startsWith('First') ? [vector(0, 1), vector(1, 0)] : [vector(-1, -1)],
        })),
      )
      for (const asked of [vector(0, 1), vector(1, 0)]) {
        const [first, second] = await store.vectors.nearest('m', asked, ANY)
        expect(first?.similarity).toBeCloseTo(1)
        expect(first?.places).toEqual(second?.places)
        expect(first?.common).toBeLessThan(1)
      }
      expect(await store.vectors.status()).toMatchObject({ embedded: 2, left: 0 })
      expect(await store.check()).toEqual([])
      const found = await store.resolve('test:s1')
      await store.keeping.forget(found.found === 'one' ? [found.id] : [], 2)
      expect(await store.vectors.nearest('m', vector(0, 1), ANY)).toEqual([])
    })

    test('a vector goes with the last session that has its text, and only then', async () => {
      const store = await open()
      const other = [{ ...row(0, 'the same words in both'), native: Buffer.from('another1') }]
      await store.append([batch([row(0, 'the same words in both'), row(1, 'and some of its own')])])
      await store.append([batch(other, { path: '/u', session: 's2' })])
      await embedAll(store)
      expect(await store.vectors.status()).toMatchObject({ embedded: 2, left: 0 })
      const id = async (uid: string) => {
        const found = await store.resolve(uid)
        return found.found === 'one' ? found.id : -1
      }
      await store.keeping.forget([await id('test:s1')], 2)
      expect(await store.vectors.status()).toMatchObject({ embedded: 1, left: 0 })
      expect(await store.check()).toEqual([])
      await store.keeping.forget([await id('test:s2')], 3)
      expect(await store.vectors.status()).toMatchObject({ embedded: 0, left: 0 })
      expect(await store.check()).toEqual([])
    })

    test('a text that went while its vector was made gets none', async () => {
      const store = await open()
      await store.append([batch([row(0, 'soon to be forgotten')])])
      await store.vectors.plan('m')
      const [waiting] = await store.vectors.missing('m', 9)
      const found = await store.resolve('test:s1')
      await store.keeping.forget(found.found === 'one' ? [found.id] : [], 2)
      await store.vectors.save('m', [{ hash: waiting?.hash ?? '', vectors: [vector(1, 0)] }])
      expect(await store.vectors.status()).toMatchObject({ embedded: 0, left: 0 })
    })

    test('reading a transcript again costs no vector, and what it has lost keeps its own', async () => {
      const store = await open()
      await store.append([batch([row(0, 'this stays as it was'), row(1, 'and this will be lost')])])
      await embedAll(store)
      await store.append([batch([row(0, 'this stays as it was')])])
      await store.finish(5, () => true)
      expect(await store.vectors.status()).toMatchObject({ embedded: 2, left: 0 })
      expect(await store.check()).toEqual([])
    })

    test('vectors of another model stay until the new one is settled', async () => {
      const store = await open()
      await store.append([batch([row(0, 'words for two models')])])
      await embedAll(store)
      await store.vectors.plan('n')
      expect(await store.vectors.dimensions('m')).toBeGreaterThan(0)
      expect(await store.vectors.status()).toMatchObject({ model: 'n', embedded: 0, left: 1 })
      await store.vectors.settle('n')
      expect(await store.vectors.dimensions('m')).toBeNull()
      expect(await store.check()).toEqual([])
    })
  })
}

async function embedAll(store: Store): Promise<void> {
  await store.vectors.plan('m')
  const waiting = await store.vectors.missing('m', 99)
  await store.vectors.save(
    'm',
    waiting.map(({ hash }, i) => ({ hash, vectors: [vector(1, i)] })),
  )
}
