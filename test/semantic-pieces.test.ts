import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { embeddingServer } from './kit/embedding-server.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

const LONG =
  'The list of parcels was sorted by weight and by street. The automobile makes a strange noise. ' +
  'All of the other things that were said on that day were about parcels, streets and weights.'

async function bench() {
  const home = tempDir()
  const log = new ClaudeLog(uuid('parcels')).user('look at what was said').say(LONG)
  write(transcriptPath(home, uuid('parcels')), log.text())
  const other = new ClaudeLog(uuid('other')).user('something about the weather').say('It rains in the garden.')
  write(transcriptPath(home, uuid('other')), other.text())
  const server = await embeddingServer()
  const product = productOn(home, undefined, { embedUrl: server.url, embedModel: 'test', dataDir: tempDir() })
  await product.recall.index()
  return { ...product, server }
}

const firstBy = async ({ recall }: Awaited<ReturnType<typeof bench>>, text: string) =>
  (await recall.search({ text, mode: 'vector', now: NOW, filter: { limit: 5 } })).hits[0]

test('one sentence of a long answer is found by what it means', async () => {
  const product = await bench()
  await product.recall.embed()
  expect(product.server.texts).toContain('The automobile makes a strange noise.')
  const hit = await firstBy(product, 'vehicle garage')
  expect(hit?.session.uid).toBe(`claude:${uuid('parcels')}`)
  expect(hit?.event?.text).toBe(LONG)
})

test('one vector a text, of an older program, is good until each of its sentences has one', async () => {
  const product = await bench()
  const { recall, store, server } = product
  await recall.embed()
  const pieces = server.texts.length
  const vectors = () =>
    query(
      store,
      'SELECT v.id, v.vector, v.further, b.bits FROM embedding v JOIN embedding_bits b USING (id) ORDER BY v.id',
    )
  const made = vectors()
  expect(made.filter(({ further }) => (further as Uint8Array).length === 2 * 32 * 4)).toHaveLength(1)
  const db = new DatabaseSync(store)
  db.exec('UPDATE embedding SET further = NULL; UPDATE embedding_bits SET bits = substr(bits, 1, 4)')
  db.close()
  expect((await recall.status()).vectors).toMatchObject({ embedded: 0, left: made.length })
  expect((await firstBy(product, 'rain weather'))?.session.uid).toBe(`claude:${uuid('other')}`)
  const asked = server.texts.length
  expect((await recall.embed()).added).toBe(made.length)
  expect(server.texts.length).toBe(asked + pieces)
  expect(vectors()).toEqual(made)
  expect((await recall.embed()).added).toBe(0)
  expect(await recall.doctor()).toEqual([])
})
