import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { beforeAll, describe, expect, test } from 'vitest'
import { scanSecrets, type StoredText } from '../src/ingest/secrets-scan.ts'
import { TOKENS } from '../src/ingest/redact-tokens.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { productOn, tempDir } from './kit/home.ts'
import { maker, samples, whole } from './kit/secrets.ts'
import { writeSeededHome, type Planted } from './kit/seeded-home.ts'
import { bytesOf, foundIn } from './kit/stored-bytes.ts'

/** Everything in the store that is text: every text of every row, and the payloads. */
function* textsOf(store: string): Generator<StoredText> {
  const tables = query(store, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '*_fts*'`)
  for (const { name } of tables) {
    for (const [i, row] of query(store, `SELECT * FROM "${name}"`).entries()) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value === 'string') yield { where: `${name}.${column} ${i}`, text: value }
      }
    }
  }
  const chunks = bytesOf(store)
  for (const { chunk, start, size } of query(store, BODIES)) {
    const bytes = chunks.get(`chunk ${chunk}`)?.subarray(Number(start), Number(start) + Number(size))
    yield { where: `chunk ${chunk} at ${start}`, text: bytes?.toString('utf8') ?? '' }
  }
}

const BODIES = 'SELECT chunk, body_offset AS start, body_length AS size FROM event WHERE chunk IS NOT NULL'

describe('a home with secrets in every field', () => {
  let store = ''
  let planted: readonly Planted[] = []

  beforeAll(async () => {
    const home = tempDir()
    planted = writeSeededHome(home)
    const { recall, store: place } = productOn(home)
    store = place
    await recall.index()
    await recall.close()
  })

  test('has hundreds of them, of many kinds, in many fields', () => {
    expect(planted.length).toBeGreaterThan(200)
    expect(new Set(planted.map((one) => one.kind)).size).toBeGreaterThan(100)
    expect(new Set(planted.map((one) => one.field)).size).toBeGreaterThan(60)
  })

  test('is read: what stands beside the secrets is kept', () => {
    const places = [...bytesOf(store).values()]
    const lost = planted.filter((one) => one.kept && !places.some((bytes) => bytes.includes(one.marker)))
    expect(lost.map((one) => `${one.field}: ${one.marker}`)).toEqual([])
  })

  test('leaves no byte of a secret in the data directory', () => {
    const left = planted.flatMap((one) =>
      foundIn(store, [one.secret]).map((where) => `${one.field}, ${one.kind}: ${where}`),
    )
    expect(left).toEqual([])
  })

  test('gives the scan of the store nothing to find', () => {
    expect(scanSecrets(textsOf(store))).toEqual([])
  })

  test('gives another scanner nothing to find', async () => {
    expect(await lint(samples().map(([, value, before = '', after = '']) => before + value + after))).not.toEqual([])
    expect(await lint([...textsOf(store)].map(({ text }) => text))).toEqual([])
  })
})

const RULES = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }]

async function lint(texts: readonly string[]): Promise<string[]> {
  const source = { filePath: 'store.txt', content: texts.join('\n\n'), ext: '.txt', contentType: 'text' } as const
  const { messages } = await lintSource({ source, options: { config: { rules: RULES } } })
  return messages.map((message) => message.message)
}

test('a secret in what records say about themselves is taken out, too', async () => {
  const home = tempDir()
  const session = uuid('about itself')
  const { alnum } = maker(8642)
  const secrets = ['model', 'message', 'request', 'call', 'agent'].map(() => whole`gh|p_${alnum(36)}`)
  const [model, message, request, call, agent] = secrets
  const log = new ClaudeLog(session).user('go')
  log.say('here', { requestId: `req ${request}`, message: { model: `m ${model}`, id: `msg ${message}` } })
  log.call('t1', 'Task', { prompt: 'look' }).result('t1', 'seen', { toolUseResult: { agentId: `a ${agent}` } })
  log.call(`t2 ${call}`, 'Bash', { command: 'npm test' })
  write(transcriptPath(home, session), log.text())
  const { recall, store } = productOn(home)
  await recall.index()
  await recall.close()
  expect(query(store, 'SELECT model FROM ledger').map((row) => row['model'])).toContain('m [REDACTED:github-token]')
  expect(foundIn(store, secrets)).toEqual([])
})

describe('a secret where something is cut', () => {
  const kinds = new Set(TOKENS.map(([name]) => name))
  const bare = samples(31).filter(([kind, secret, before]) => kinds.has(kind) && !before && secret.length >= 24)

  test('leaves no part of it in a title or a first prompt', async () => {
    const home = tempDir()
    for (const [i, [, secret]] of bare.entries()) {
      const session = uuid(`cut ${i}`)
      const text = 'a '.repeat(100).slice(0, 176 + (i % 8)) + ` ${secret}`
      const log = new ClaudeLog(session).user(text)
      if (i % 2 === 0) log.bare({ type: 'ai-title', aiTitle: text, sessionId: session })
      write(transcriptPath(home, session), log.text())
    }
    const { recall, store } = productOn(home)
    await recall.index()
    await recall.close()
    const heads = bare.map(([, secret]) => secret.slice(0, 16)).filter((head) => /\d/.test(head))
    expect(heads.length).toBeGreaterThan(50)
    expect(foundIn(store, heads)).toEqual([])
  })

  test('leaves none in a title that only its lines give away', async () => {
    const home = tempDir()
    const secret = Buffer.from('correct horse battery 4711').toString('base64')
    const text = `why does this fail?\n\napiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  zebra: ${secret}\n`
    const session = uuid('lines')
    const log = new ClaudeLog(session).user(text).bare({ type: 'ai-title', aiTitle: text, sessionId: session })
    write(transcriptPath(home, session), log.text())
    const { recall, store } = productOn(home)
    await recall.index()
    await recall.close()
    expect(query(store, 'SELECT title FROM session')).toEqual([
      { title: expect.stringMatching(/^why .* data: \[REDACTED:kube/) },
    ])
    expect(foundIn(store, [secret])).toEqual([])
  })
})
