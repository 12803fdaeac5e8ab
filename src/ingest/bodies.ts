import { brotliCompressSync, constants } from 'node:zlib'
import type { Chunk } from '../store/store.ts'

const CHUNK_BYTES = 256 * 1024
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

export type BodyPlace = readonly [chunk: number, offset: number, length: number]

/** A shorter one costs less than it takes to look for it. */
const WORTH_ONCE = 512

/** Gathers bodies of one session after another into compressed chunks of about 256 KB. What a session is told twice is there once. */
export class BodyPacker {
  #chunks: Chunk[] = []
  /** Bodies of the session at hand that the next chunks hold. */
  readonly #held = new Map<string, BodyPlace>()
  #parts: Buffer[] = []
  #bytes = 0
  #session = ''

  add(session: string, body: string): BodyPlace {
    if (this.#bytes > 0 && (session !== this.#session || this.#bytes >= CHUNK_BYTES)) this.#flush()
    if (session !== this.#session) this.#held.clear()
    this.#session = session
    const held = this.#held.get(body)
    if (held !== undefined) return held
    const part = Buffer.from(body)
    const place: BodyPlace = [this.#chunks.length, this.#bytes, part.length]
    if (part.length >= WORTH_ONCE) this.#held.set(body, place)
    this.#parts.push(part)
    this.#bytes += part.length
    return place
  }

  /** The chunks that the places given out since the last call point into. */
  take(): Chunk[] {
    this.#flush()
    this.#held.clear()
    const chunks = this.#chunks
    this.#chunks = []
    return chunks
  }

  #flush(): void {
    if (this.#parts.length === 0) return
    const raw = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    this.#chunks.push({ session: this.#session, rawBytes: raw.length, data: brotliCompressSync(raw, OPTIONS) })
    this.#parts = []
    this.#bytes = 0
  }
}
