import { closeSync, readFileSync, readSync, statSync } from 'node:fs'
import zlib from 'node:zlib'
import { Decompress } from 'fzstd'
import { openRegular } from '../../model/regular-file.ts'
import { MAX_LINE_BYTES, type Line } from '../kit/lines.ts'

const FEED_BYTES = 16 * 1024
const NATIVE_BYTES = 4 * 1024 * 1024
const NATIVE_OUTPUT_BYTES = 64 * 1024 * 1024
const NEWLINE = 10

type Decompressor = (data: Uint8Array, options: { maxOutputLength: number }) => Buffer

/**
 * The lines of a zstd-compressed file. `offset` counts in the text, `end` in the file: how much of it had to be
 * read for the line. Going on means decompressing again and passing over the lines that were read.
 */
export class ZstdLines implements Iterable<Line> {
  bytesRead = 0
  /** Why the rest of the file cannot be read. */
  failure: string | null = null
  readonly #path: string
  readonly #skip: number

  constructor(path: string, from: { readonly line: number } | null) {
    this.#path = path
    this.#skip = from?.line ?? 0
  }

  *[Symbol.iterator](): Generator<Line> {
    const text = new LineCutter()
    for (const chunk of this.#chunks()) {
      for (const line of text.add(chunk)) yield* this.#line(line, true)
    }
    const rest = this.failure === null ? text.rest() : null
    if (rest !== null) yield* this.#line(rest, false)
  }

  *#line(line: CutLine, terminated: boolean): Generator<Line> {
    if (line.number <= this.#skip || line.bytes?.length === 0) return
    yield { ...line, end: this.bytesRead, terminated }
  }

  *#chunks(): Generator<Uint8Array> {
    const whole = this.#whole()
    if (whole === null) yield* this.#stream()
    else yield whole
  }

  /** All at once if the file is small and the running Node can; null if not. */
  #whole(): Buffer | null {
    const native: unknown = Reflect.get(zlib, 'zstdDecompressSync')
    const { size } = statSync(this.#path)
    if (!isDecompressor(native) || size > NATIVE_BYTES) return null
    try {
      const whole = native(readFileSync(this.#path), { maxOutputLength: NATIVE_OUTPUT_BYTES })
      this.bytesRead = size
      return whole
    } catch {
      return null // too large or broken: the stream tells which
    }
  }

  *#stream(): Generator<Uint8Array> {
    let ready: Uint8Array[] = []
    const decompress = new Decompress((data) => ready.push(data))
    const fd = openRegular(this.#path)
    try {
      for (;;) {
        const feed = Buffer.allocUnsafe(FEED_BYTES)
        const got = readSync(fd, feed, 0, FEED_BYTES, this.bytesRead)
        this.bytesRead += got
        const failure = attempt(() => decompress.push(feed.subarray(0, got), got === 0))
        yield* ready
        ready = []
        this.failure = failure
        if (got === 0 || failure !== null) return
      }
    } finally {
      closeSync(fd)
    }
  }
}

function isDecompressor(value: unknown): value is Decompressor {
  return typeof value === 'function'
}

/** What the decompressor says against the data; anything else it throws is a bug. */
function attempt(step: () => void): string | null {
  try {
    step()
    return null
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'number') return error.message
    throw error
  }
}

interface CutLine {
  readonly bytes: Buffer | null
  readonly offset: number
  readonly number: number
}

/** Cuts chunks into lines. Of a line over the limit only the place is kept. */
class LineCutter {
  #parts: Buffer[] = []
  #held = 0
  #offset = 0
  #number = 0

  rest(): CutLine | null {
    return this.#held === 0 ? null : this.#cut(0)
  }

  *add(chunk: Uint8Array): Generator<CutLine> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#hold(bytes.subarray(start, end))
      yield this.#cut(1)
      start = end + 1
    }
    this.#hold(Buffer.from(bytes.subarray(start)))
  }

  #hold(part: Buffer): void {
    this.#held += part.length
    if (this.#held <= MAX_LINE_BYTES) this.#parts.push(part)
    else this.#parts = []
  }

  #cut(newline: number): CutLine {
    const overlong = this.#held > MAX_LINE_BYTES
    const bytes = overlong ? null : this.#parts.length === 1 ? (this.#parts[0] ?? null) : Buffer.concat(this.#parts)
    const line = { bytes, offset: this.#offset, number: ++this.#number }
    this.#offset += this.#held + newline
    this.#held = 0
    this.#parts = []
    return line
  }
}
