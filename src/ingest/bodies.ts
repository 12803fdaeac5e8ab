import { brotliCompressSync, constants } from 'node:zlib'
import type { Chunk } from '../store/store.ts'

const CHUNK_BYTES = 256 * 1024
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

export type BodyPlace = readonly [chunk: number, offset: number, length: number]

/** A shorter one costs less than it takes to look for it. */
const WORTH_ONCE = 512

interface Waiting {
  readonly session: string
  readonly body: string
  readonly place: [chunk: number, offset: number, length: number]
}

/**
 * Gathers bodies of one session after another into compressed chunks of about 256 KB. What a session is told twice is
 * there once. Nothing is packed before it is asked for: a secret that is recognised later stood in earlier bodies, too.
 */
export class BodyPacker {
  /** Bodies of the session at hand. */
  readonly #held = new Map<string, Waiting>()
  #waiting: Waiting[] = []
  #session = ''

  /** Where the body will lie in the chunks that are taken next: known then. */
  add(session: string, body: string): BodyPlace {
    if (session !== this.#session) this.#held.clear()
    this.#session = session
    const held = this.#held.get(body)
    if (held !== undefined) return held.place
    const waiting: Waiting = { session, body, place: [0, 0, 0] }
    if (body.length >= WORTH_ONCE) this.#held.set(body, waiting)
    this.#waiting.push(waiting)
    return waiting.place
  }

  /** The chunks that the places given out since the last call point into; `clean` has the last word on each body. */
  take(clean: (session: string, body: string) => string = (_, body) => body): Chunk[] {
    const chunks: Chunk[] = []
    let parts: Buffer[] = []
    let bytes = 0
    let at = ''
    const flush = () => {
      if (parts.length === 0) return
      const raw = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      // A copy: what is compressed lies in a buffer of 16 KB, and all of that would go from thread to thread.
      const data = new Uint8Array(brotliCompressSync(raw, OPTIONS))
      chunks.push({ session: at, rawBytes: raw.length, data })
      parts = []
      bytes = 0
    }
    for (const { session, body, place } of this.#waiting) {
      if (session !== at || bytes >= CHUNK_BYTES) flush()
      at = session
      const part = Buffer.from(clean(session, body))
      place[0] = chunks.length
      place[1] = bytes
      place[2] = part.length
      parts.push(part)
      bytes += part.length
    }
    flush()
    this.#waiting = []
    this.#held.clear()
    return chunks
  }
}
