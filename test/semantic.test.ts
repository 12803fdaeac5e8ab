import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { embedMissing } from '../src/search/embed/embed.ts'
import { createSemantic } from '../src/search/embed/semantic.ts'
import { fuse } from '../src/search/hybrid.ts'
import type { Settings } from '../src/settings/settings.ts'
import { openForReading } from '../src/store/open.ts'
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
    expect(hybrid.hits[0]?.confidence).toBe('guess')
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

describe('a model that fails', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  /** Every request to a model gets this answer; says how many there were. */
  function answering(answer: (texts: readonly string[]) => Response): () => number {
    let asked = 0
    vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
      asked++
      return answer((JSON.parse(body) as { input: string[] }).input)
    })
    return () => asked
  }
  const down = () => {
    throw new TypeError('fetch failed')
  }
  const shorter = (texts: readonly string[]) => Response.json({ data: texts.map(() => ({ embedding: [1, 2, 3] })) })

  test('who has set hybrid search gets an answer by words, after one attempt', async () => {
    const { recall } = await bench({ searchMode: 'hybrid' })
    await recall.embed()
    const plain = { text: 'strange noise', now: NOW, filter: { limit: 5 } }
    expect((await recall.search(plain)).mode).toBe('hybrid')
    const asked = answering(down)
    const found = await recall.search(plain)
    expect(found.mode).toBe('keyword')
    expect(uids(found)[0]).toBe(uid('car'))
    expect(asked()).toBe(1)
  })

  test('who does not insist gets a note, who does gets the error', async () => {
    const { recall, store, settings } = await bench()
    await recall.embed()
    const notes: string[] = []
    const reader = openForReading(store, () => NOW)
    const semantic = createSemantic({
      settings: { ...settings, embedProvider: 'http', embedKey: null } as unknown as Settings,
      reading: () => reader,
      now: () => NOW,
      redact: async (text) => text,
    })
    answering(() => new Response(null, { status: 401 }))
    expect(await semantic.meaning('vehicle', false, (text) => notes.push(text))).toBeNull()
    expect(notes).toEqual([expect.stringMatching(/words alone: .*401/)])
    await expect(semantic.meaning('vehicle', true)).rejects.toThrow(/401/)
    await semantic.close()
    await reader.close()
  })

  test('vectors of another length are neither kept nor compared', async () => {
    const { recall: before, home, store, settings } = await bench({ searchMode: 'hybrid' })
    const { embedded } = await before.embed()
    const { recall } = productOn(home, store, settings)
    write(transcriptPath(home, uuid('new')), new ClaudeLog(uuid('new')).user('an entirely new sentence').text())
    await recall.index()
    answering(shorter)
    await expect(recall.embed()).rejects.toThrow(/http:test gives vectors of 3 dimensions.* have 32/)
    expect((await recall.status()).vectors).toMatchObject({ embedded, left: 1, dimensions: 32 })
    await expect(find(recall, 'vehicle', 'vector')).rejects.toMatchObject({ code: 'NO_MODEL' })
    expect((await recall.search({ text: 'noise', now: NOW, filter: { limit: 5 } })).mode).toBe('keyword')
  })
})

describe('at the edges', () => {
  test('a question without words is what it is without vectors', async () => {
    const { recall } = await bench()
    await recall.embed()
    for (const text of ['', '  ', 'source:claude']) {
      const { hits, total } = await find(recall, text, 'keyword')
      expect(await find(recall, text, 'hybrid')).toMatchObject({ mode: 'keyword', total, hits })
    }
    expect(uids(await find(recall, 'source:claude', 'vector'))).toHaveLength(4)
  })

  test('what must not be there is not there, however many older documents hold it', async () => {
    const home = tempDir()
    const many = new ClaudeLog(uuid('many'))
    for (let i = 0; i < 1600; i++) many.user(`belt ${i}`)
    write(transcriptPath(home, uuid('many')), many.text())
    const { recall } = await bench({}, home)
    const car = new ClaudeLog(uuid('car')).user('the automobile and its belt')
    write(transcriptPath(home, uuid('car')), car.text())
    await recall.index()
    await recall.embed()
    expect(uids(await find(recall, 'vehicle', 'vector'))).toContain(uid('car'))
    expect(uids(await find(recall, 'vehicle -belt', 'vector'))).not.toContain(uid('car'))
    expect(uids(await find(recall, 'vehicle "its belt"', 'vector'))).toEqual([uid('car')])
    expect(uids(await find(recall, 'vehicle "belt"', 'vector'))).toContain(uid('car'))
  })

  test('what is shown is the text that is near, not how its exchange began', async () => {
    const home = tempDir()
    const log = new ClaudeLog(uuid('late')).user('please look at this thing').say('First I look around a bit.')
    write(transcriptPath(home, uuid('late')), log.say('It was the automobile all along.').text())
    const { recall } = await bench({}, home)
    await recall.embed()
    const { hits } = await find(recall, 'vehicle garage', 'vector')
    expect(hits[0]?.snippet.text).toContain('automobile')
  })

  const hit = (session: number, score: number, coverage: number) => {
    return { session, doc: session, score, coverage, whole: 0, held: 0, chance: 0 }
  }

  test('any number of answers by words can be put together with those by meaning', () => {
    const words = Array.from({ length: 300_000 }, (_, i) => hit(i, 1 / (i + 1), 1))
    const fused = fuse(words, [hit(7, 0.5, 0)], 0.7)

    expect(fused).toHaveLength(words.length)
    expect(fused[0]?.session).toBe(0)
  })

  test('signals and timers have their turn after every batch', async () => {
    let waiting = Array.from({ length: 6 }, (_, i) => ({ hash: String(i), kind: 'prompt' as const, text: `text ${i}` }))
    const status = async () => ({ model: 'm', dimensions: 1, embedded: 0, left: waiting.length })
    const nothing = async () => {}
    const vectors = {
      status,
      plan: nothing,
      settle: nothing,
      missing: async () => waiting,
      save: async (_: string, kept: readonly { hash: string }[]) => {
        waiting = waiting.filter(({ hash }) => !kept.some((one) => one.hash === hash))
      },
      has: async () => true,
      dimensions: async () => 1,
      nearest: async () => [],
    }
    const embed = async (texts: readonly string[]) => texts.map(() => new Float32Array(1))
    const order: string[] = []
    const onEmbedded = (done: number) => {
      order.push(`batch ${done}`)
      setImmediate(() => order.push(`turn ${done}`))
    }
    await embedMissing(
      vectors,
      { model: 'm', dimensions: 1, batch: 2, embed, close: nothing },
      { onEmbedded, now: () => 0 },
    )
    expect(order).toEqual([2, 4, 6].flatMap((done) => [`batch ${done}`, `turn ${done}`]))
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
