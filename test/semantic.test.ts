import { createRequire } from 'node:module'
import { DatabaseSync } from '@photostructure/sqlite'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { useLite } from '../src/search/embed/use-lite.ts'
import type { Settings } from '../src/settings/settings.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { embeddingServer } from './kit/embedding-server.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

const KEY = `sk-ant-api03-${'Ab3'.repeat(31)}-Zz9AAAAA`

/** Four short conversations, each about one thing. */
function homeOf(...more: string[]): string {
  const home = tempDir()
  const talks = [
    ['car', 'the automobile makes a strange noise', 'It is the belt behind the engine.'],
    ['slow', 'the report page is sluggish since Monday', 'An index was missing; it is quick again.'],
    ['login', 'authentication fails for some people', 'The clock of the server was wrong.'],
    ['photo', 'make the image smaller before the upload', 'It is scaled down to a thousand pixels now.'],
  ]
  for (const [name = '', prompt = '', answer = ''] of talks) {
    const log = new ClaudeLog(uuid(name)).user(prompt).think(`about ${prompt}`).say(answer)
    for (const text of more) log.user(`${text} ${name}`).say(`Done with ${name}.`)
    write(transcriptPath(home, uuid(name)), log.text())
  }
  return home
}

async function bench(settings: Partial<Settings> = {}, home = homeOf()) {
  const server = await embeddingServer()
  const own = { embedUrl: server.url, embedModel: 'test', dataDir: tempDir(), ...settings }
  const product = productOn(home, undefined, own)
  await product.recall.index()
  return { ...product, server, settings: own }
}

const find = (
  recall: Awaited<ReturnType<typeof bench>>['recall'],
  text: string,
  mode: 'hybrid' | 'vector' | 'keyword',
) => recall.search({ text, mode, now: NOW, filter: { limit: 10 } })
const uids = (found: { hits: readonly { session: { uid: string } }[] }) => found.hits.map((hit) => hit.session.uid)
const uid = (name: string) => `claude:${uuid(name)}`

describe('without a model', () => {
  test('the index is whole, and whoever asks for meaning is told what to do', async () => {
    const dataDir = tempDir()
    const { recall } = productOn(homeOf(), undefined, { embedProvider: 'onnx', dataDir })
    await recall.index()
    await expect(recall.embed()).rejects.toMatchObject({ code: 'NO_MODEL', exitCode: 2 })
    await expect(find(recall, 'noise', 'hybrid')).rejects.toMatchObject({ code: 'NO_MODEL' })
    expect(uids(await find(recall, 'strange noise', 'keyword'))[0]).toBe(uid('car'))
    expect((await recall.status()).vectors).toMatchObject({ model: null, embedded: 0 })
  })

  test('who has set hybrid search, and has no vectors, searches by words', async () => {
    const { recall } = await bench({ searchMode: 'hybrid' })
    const found = await recall.search({ text: 'strange noise', now: NOW, filter: { limit: 5 } })
    expect(found.mode).toBe('keyword')
    expect(uids(found)[0]).toBe(uid('car'))
    await expect(find(recall, 'noise', 'vector')).rejects.toMatchObject({ code: 'NO_MODEL' })
  })
})

describe('with a model', () => {
  test('a question in other words finds by meaning what words do not', async () => {
    const { recall } = await bench()
    const report = await recall.embed()
    expect(report).toMatchObject({ model: 'http:test', left: 0, added: report.embedded, dimensions: 32 })
    expect(uids(await find(recall, 'vehicle garage', 'keyword'))).toEqual([])
    const hybrid = await find(recall, 'vehicle garage', 'hybrid')
    expect(hybrid.mode).toBe('hybrid')
    expect(uids(hybrid)[0]).toBe(uid('car'))
    expect(hybrid.hits[0]?.lowConfidence).toBe(true)
    expect(uids(await find(recall, 'lag', 'vector'))[0]).toBe(uid('slow'))
    expect(await recall.doctor()).toEqual([])
  })

  test('what words find for sure stays first, whatever is near by meaning', async () => {
    const { recall } = await bench()
    await recall.embed()
    const text = 'belt behind the engine lag latency'
    expect(uids(await find(recall, text, 'vector'))[0]).toBe(uid('slow'))
    expect(uids(await find(recall, text, 'keyword'))[0]).toBe(uid('car'))
    expect(uids(await find(recall, text, 'hybrid')).slice(0, 2)).toEqual([uid('car'), uid('slow')])
  })

  test('filters, phrases and exclusions hold by meaning too', async () => {
    const { recall } = await bench()
    await recall.embed()
    expect(uids(await find(recall, 'vehicle -belt -noise', 'vector'))).not.toContain(uid('car'))
    expect(uids(await find(recall, 'vehicle "thousand pixels"', 'vector'))).toEqual([uid('photo')])
    expect(uids(await find(recall, 'vehicle project:nowhere', 'hybrid'))).toEqual([])
    expect(uids(await find(recall, 'vehicle source:claude', 'hybrid'))[0]).toBe(uid('car'))
  })

  test('no text is embedded twice, and a run that was cut short goes on', async () => {
    const { recall, server, home } = await bench(
      {},
      homeOf(...Array.from({ length: 12 }, (_, i) => `step number ${i} about`)),
    )
    server.before = async (asked) => {
      if (asked === 1) server.failures.push(400)
    }
    await expect(recall.embed()).rejects.toMatchObject({ code: 'NO_MODEL' })
    const kept = (await recall.status()).vectors
    expect(kept.embedded).toBe(server.texts.length)
    expect(kept.left).toBeGreaterThan(0)
    await recall.embed()
    expect((await recall.status()).vectors.left).toBe(0)
    expect(new Set(server.texts).size).toBe(server.texts.length)
    expect((await recall.embed()).added).toBe(0)
    const log = new ClaudeLog(uuid('new')).user('an entirely new sentence').say('the automobile makes a strange noise')
    write(transcriptPath(home, uuid('new')), log.text())
    await recall.index()
    expect((await recall.status()).vectors.left).toBe(1)
    expect((await recall.embed()).added).toBe(1)
    expect(server.texts.at(-1)).toBe('an entirely new sentence')
  })

  test('prompts come before answers, answers before thoughts', async () => {
    const { recall, server } = await bench()
    await recall.embed()
    const at = (text: string) => server.texts.indexOf(text)
    expect(at('authentication fails for some people')).toBeLessThan(at('It is the belt behind the engine.'))
    expect(at('The clock of the server was wrong.')).toBeLessThan(at('about make the image smaller before the upload'))
  })

  test('another index runs while vectors are made', async () => {
    const { recall, server, home, store } = await bench()
    let indexed = 0
    server.before = async (asked) => {
      if (asked > 1) return
      write(transcriptPath(home, uuid('late')), new ClaudeLog(uuid('late')).user('this came in late').text())
      indexed = (await productOn(home, store).recall.index()).sessions.new
    }
    await recall.embed()
    expect(indexed).toBe(1)
    expect(server.texts).toContain('this came in late')
  })

  test('a busy server is asked again; one that refuses is named', async () => {
    const { recall, server } = await bench()
    server.failures.push(503, 429)
    expect((await recall.embed()).left).toBe(0)
    server.failures.push(401)
    await expect(find(recall, 'vehicle', 'hybrid')).rejects.toThrow(/401/)
  })

  test('no secret leaves: neither of what is stored nor of what is asked', async () => {
    const { recall, server } = await bench({}, homeOf(`use ${KEY} for`))
    await recall.embed()
    await find(recall, `where did I use ${KEY}`, 'vector')
    expect(server.texts.filter((text) => text.includes('[REDACTED')).length).toBeGreaterThan(1)
    expect(server.texts.filter((text) => text.includes(KEY))).toEqual([])
  })
})

describe('what goes', () => {
  const counts = (store: string) => {
    const db = new DatabaseSync(store, { readOnly: true })
    try {
      const count = (table: string) =>
        Number((db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n)
      return { vectors: count('embedding'), bits: count('embedding_bits'), links: count('embedding_link') }
    } finally {
      db.close()
    }
  }

  test('vectors of an evicted session go with it; its digest gets one of its own', async () => {
    const { recall, home, store, settings, server } = await bench()
    await recall.embed()
    const before = counts(store)
    expect(before.vectors).toBe(before.links)
    const nothingStays = { ...settings, rawSoftCapBytes: 0, rawMaxAgeDays: 0 }
    const later = productOn(home, store, nothingStays, () => NOW + 400 * 86_400_000).recall
    expect((await later.sweep()).evicted).toHaveLength(4)
    expect(counts(store)).toEqual({ vectors: 0, bits: 0, links: 4 })
    expect(await later.doctor()).toEqual([])
    const asked = server.texts.length
    await later.embed()
    expect(server.texts.slice(asked).filter((text) => text.includes('automobile'))).toHaveLength(1)
    expect(uids(await find(later, 'vehicle garage', 'hybrid'))[0]).toBe(uid('car'))
  })

  test('a forgotten session leaves no vector', async () => {
    const { recall, store } = await bench()
    await recall.embed()
    for (const name of ['car', 'slow', 'login', 'photo']) await recall.forget([await recall.find(uid(name))])
    expect(counts(store)).toEqual({ vectors: 0, bits: 0, links: 0 })
  })

  test('a store that is built anew takes its vectors along', async () => {
    const { recall, server, settings, home, store } = await bench()
    await recall.embed()
    const asked = server.texts.length
    await recall.close()
    const anew = productOn(home, store, settings).recall
    await anew.index({ recreate: true })
    expect((await anew.embed()).added).toBe(0)
    expect(server.texts.length).toBe(asked)
    expect(await anew.doctor()).toEqual([])
  })

  test('doctor sees links without texts, vectors without links, and halves', async () => {
    const spoil = async (sql: string) => {
      const { recall, store } = await bench()
      await recall.embed()
      const db = new DatabaseSync(store)
      db.exec(sql)
      db.close()
      return (await recall.doctor()).map(({ id }) => id)
    }
    expect(await spoil('DELETE FROM embedding_link WHERE kind = 0')).toContain('vector-parity')
    expect(await spoil('UPDATE embedding_link SET doc = doc + 9999 WHERE kind = 0')).toContain('vector-parity')
    expect(await spoil('UPDATE embedding_link SET event = event + 9999 WHERE kind = 3')).toContain('vector-parity')
    expect(await spoil('DELETE FROM embedding_bits')).toContain('vector-parity')
    expect(await spoil('SELECT 1')).toEqual([])
  })

  test('the SQL views show the vectors of messages', async () => {
    const { recall, store } = await bench()
    await recall.embed()
    const db = new DatabaseSync(store, { readOnly: true })
    const rows = db
      .prepare('SELECT role, length(content_embedding) AS c, length(thinking_embedding) AS t FROM messages')
      .all()
    db.close()
    expect(rows.filter((row) => (row as { c: number | null }).c === 32 * 4)).toHaveLength(8)
    expect(rows.filter((row) => (row as { t: number | null }).t === 32 * 4)).toHaveLength(4)
  })
})

const modelsDir = path.join(tempDir(), 'none')
const config = { provider: 'use-lite', model: null, url: null, key: null, modelsDir, allowDownload: false }

describe('the model that comes in a package', () => {
  test('tells sentences apart by what they mean', async () => {
    expect(useLite.missing(config)).toBeNull()
    const model = await useLite.open(config)
    const [asked, near, far] = await model.embed([
      'how do I fix my car',
      'repairing an automobile',
      'the soup needs salt',
    ])
    const cosine = (a: Float32Array, b: Float32Array) =>
      a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b))
    expect(asked).toHaveLength(512)
    expect(cosine(asked!, near!)).toBeGreaterThan(cosine(asked!, far!) + 0.2)
  })

  test('is found where recall is, or among the packages of the user', () => {
    expect(createRequire(import.meta.url).resolve('@energetic-ai/embeddings')).toContain('node_modules')
    expect(useLite.hint(config)).toContain(`--prefix ${JSON.stringify(modelsDir)}`)
  })
})
