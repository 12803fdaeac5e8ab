import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Problem } from './problem.ts'

const zip = promisify(gzip)
/** Less is not worth it. */
const COMPRESS_FROM = 1024

/** A body as it goes out, made once for all who ask for the same. */
export class Body {
  readonly bytes: Buffer
  readonly type: string
  #etag: string | undefined
  #zipped: Promise<Buffer> | undefined

  constructor(bytes: Buffer, type: string) {
    this.bytes = bytes
    this.type = type
  }

  get etag(): string {
    return (this.#etag ??= `"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`)
  }

  zipped(level: number): Promise<Buffer> {
    return (this.#zipped ??= zip(this.bytes, { level }))
  }
}

export function jsonBody(document: unknown, type = 'application/json'): Body {
  return new Body(Buffer.from(JSON.stringify(document)), `${type}; charset=utf-8`)
}

interface Sending {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** How much to work on making it small; what is sent often is worth more. */
  readonly level?: number
}

/** Answers with a body: compressed where that is understood, and not again to who has it. */
export async function send(request: Request, body: Body, sending: Sending = {}): Promise<Response> {
  const { status = 200, level = constants.Z_BEST_SPEED } = sending
  const headers: Record<string, string> = {
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding',
    ...sending.headers,
  }
  if (status === 200) {
    headers['etag'] = body.etag
    if (request.headers.get('if-none-match') === body.etag) return new Response(null, { status: 304, headers })
  }
  headers['content-type'] = body.type
  const wantsZip = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (!wantsZip || body.bytes.length < COMPRESS_FROM) return reply(body.bytes, status, headers)
  return reply(await body.zipped(level), status, { ...headers, 'content-encoding': 'gzip' })
}

function reply(bytes: Buffer, status: number, headers: Record<string, string>): Response {
  return new Response(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length), { status, headers })
}

export function sendProblem(request: Request, problem: Problem): Promise<Response> {
  const body = jsonBody(problem, 'application/problem+json')
  return send(request, body, { status: problem.status, headers: { 'cache-control': 'no-store' } })
}
