import { UserError } from '../../model/errors.ts'
import type { EmbedConfig, Embedder, Provider } from './provider.ts'
import { isRecord } from './record.ts'

interface Patience {
  readonly attempts: number
  readonly timeoutMs: number
}

const PATIENT: Patience = { attempts: 4, timeoutMs: 60_000 }
const HURRIED: Patience = { attempts: 1, timeoutMs: 10_000 }
const FIRST_PAUSE_MS = 500

/** A server that speaks OpenAI's `/v1/embeddings`: a local one, or one elsewhere. Only if a url is set. */
export const http: Provider = {
  name: 'http',
  remote: true,
  missing: (config) => (config.url === null ? 'no url is set' : null),
  hint: () => 'write [embed] url = "http://localhost:11434/v1/embeddings" and model = "…" in the config',
  async open(config: EmbedConfig): Promise<Embedder> {
    const model = config.model ?? 'default'
    const url = endpoint(config.url ?? '')
    let dimensions: number | null = null
    return {
      model: `http:${model}`,
      get dimensions() {
        return dimensions
      },
      batch: 32,
      async embed(texts, hurried = false) {
        const vectors = await ask(url, { model, input: texts }, config.key, hurried ? HURRIED : PATIENT)
        if (vectors.length !== texts.length) throw unusable(url, `${vectors.length} vectors for ${texts.length} texts`)
        dimensions ??= vectors[0]?.length ?? null
        if (vectors.some((vector) => vector.length !== dimensions)) throw unusable(url, 'vectors of different lengths')
        return vectors
      },
      close: async () => {},
    }
  },
}

/** `…/v1` is enough of an address. */
function endpoint(url: string): string {
  return /\/v\d+\/?$/.test(url) ? `${url.replace(/\/$/, '')}/embeddings` : url
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

async function ask(url: string, body: unknown, key: string | null, patience: Patience): Promise<Float32Array[]> {
  let reason = ''
  for (let attempt = 0; attempt < patience.attempts; attempt++) {
    if (attempt > 0) await new Promise((done) => setTimeout(done, FIRST_PAUSE_MS * 2 ** (attempt - 1)))
    const reply = await post(url, body, key, patience.timeoutMs)
    if (typeof reply === 'string') reason = reply
    else if (reply.status === 429 || reply.status >= 500) reason = `it answered ${reply.status}`
    else if (reply.status !== 200) throw unusable(url, `it answered ${reply.status}`)
    else return readVectors(url, reply.body)
  }
  throw unusable(url, reason)
}

/** The reply, or why there is none. */
async function post(url: string, body: unknown, key: string | null, timeoutMs: number): Promise<Reply | string> {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, body: response.status === 200 ? await response.json() : null }
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error))
    return cause instanceof Error ? `${message}: ${cause.message}` : message
  }
}

function readVectors(url: string, body: unknown): Float32Array[] {
  const data = isRecord(body) && Array.isArray(body['data']) ? (body['data'] as unknown[]) : null
  if (data === null) throw unusable(url, 'its answer has no `data`')
  const vectors: Float32Array[] = []
  for (const [i, entry] of data.entries()) {
    const { embedding, index = i } = isRecord(entry) ? entry : {}
    if (!Array.isArray(embedding) || typeof index !== 'number' || !embedding.every((n) => typeof n === 'number'))
      throw unusable(url, 'its answer holds something that is no vector')
    vectors[index] = Float32Array.from(embedding as number[])
  }
  return vectors
}

function unusable(url: string, reason: string): UserError {
  return new UserError(
    'NO_MODEL',
    `${url} gives no vectors: ${reason}`,
    'check [embed] url, model and RECALL_EMBED_KEY',
  )
}
