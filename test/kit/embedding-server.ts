import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** Words that mean the same, one dimension each; other words share the rest. */
const CONCEPTS = [
  ['car', 'automobile', 'vehicle', 'garage'],
  ['slow', 'sluggish', 'latency', 'lag'],
  ['login', 'password', 'authentication', 'sign'],
  ['picture', 'image', 'photo'],
]
const SPARE = 28

export interface EmbeddingServer {
  readonly url: string
  /** Every text it was asked for, in order. */
  readonly texts: string[]
  /** Statuses to answer with before it does its work. */
  readonly failures: number[]
  /** Runs before an answer. */
  before: (asked: number) => Promise<void>
}

const running: ReturnType<typeof createServer>[] = []
afterAll(() => {
  for (const server of running) server.close()
})

/** A server that knows a few words, on this machine. */
export async function embeddingServer(): Promise<EmbeddingServer> {
  const state: EmbeddingServer & { url: string } = { url: '', texts: [], failures: [], before: async () => {} }
  let asked = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const failure = state.failures.shift()
    if (failure !== undefined) return response.writeHead(failure).end()
    await state.before(++asked)
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] }
    state.texts.push(...input)
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text) })).toReversed()
    return response.end(JSON.stringify({ data }))
  })
  running.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return state
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: CONCEPTS.length + SPARE }, () => -0.01)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const concept = CONCEPTS.findIndex((words) => words.includes(word))
    const spare = [...word].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % SPARE, 7)
    const place = concept >= 0 ? concept : CONCEPTS.length + spare
    vector[place] = (vector[place] ?? 0) + (concept >= 0 ? 3 : 0.2)
  }
  return vector
}
