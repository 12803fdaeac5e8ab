import { brotliCompressSync, constants } from 'node:zlib'
import type { Chunk } from '../store/store.ts'

const CHUNK_BYTES = 256 * 1024
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

export type BodyPlace = readonly [chunk: number, offset: number, length: number]

/** Gathers bodies of one session after another into compressed chunks of about 256 KB. */
export class BodyPacker {
  #chunks: Chunk[] = []
  #parts: Buffer[] = []
  #bytes = 0
  #session = ''

  add(session: string, body: string): BodyPlace {
    if (this.#bytes > 0 && (session !== this.#session || this.#bytes >= CHUNK_BYTES)) this.#flush()
    this.#session = session
    const part = Buffer.from(body)
    const place: BodyPlace = [this.#chunks.length, this.#bytes, part.length]
    this.#parts.push(part)
    this.#bytes += part.length
    return place
  }

  /** The chunks that the places given out since the last call point into. */
  take(): Chunk[] {
    this.#flush()
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
