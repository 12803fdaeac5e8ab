import { closeSync, readSync } from 'node:fs'
import { openRegular } from '../../model/regular-file.ts'

export const MAX_LINE_BYTES = 64 * 1024 * 1024
const CHUNK = 256 * 1024
const NEWLINE = 10
/** One chunk is kept for the next file: most hold less, and thousands of chunks are a heap of garbage. */
let spare: Buffer | null = null
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

export interface Line {
  /** A view into a shared buffer, valid until the next step. Null for a line over the limit. */
  readonly bytes: Buffer | null
  readonly offset: number
  /** Counted from 1, blank lines included. */
  readonly number: number
  /** Where the next line starts. */
  readonly end: number
  /** False for what follows the last newline of the file. */
  readonly terminated: boolean
}

/**
 * The lines of a file from byte `from` on, without ever holding more than one of them and one chunk.
 * Lines over 64 MiB are passed over and told. Empty lines are not yielded.
 */
export class LineReader implements Iterable<Line> {
  bytesRead = 0
  readonly #path: string
  readonly #from: number
  readonly #chunk: number
  #number: number

  constructor(path: string, from: { readonly offset: number; readonly line: number } | null, chunkBytes = CHUNK) {
    this.#path = path
    this.#from = from?.offset ?? 0
    this.#number = from?.line ?? 0
    this.#chunk = chunkBytes
  }

  *[Symbol.iterator](): Generator<Line> {
    const fd = openRegular(this.#path)
    const first = spare?.length === this.#chunk ? spare : Buffer.allocUnsafe(this.#chunk)
    spare = null
    try {
      for (const line of this.#lines(fd, first)) yield line.offset === 0 ? withoutMark(line) : line
    } finally {
      closeSync(fd)
      if (this.#chunk === CHUNK) spare = first
    }
  }

  *#lines(fd: number, first: Buffer): Generator<Line> {
    const chunk = this.#chunk
    let buffer = first
    let held = 0
    let offset = this.#from
    let overlong = false
    for (;;) {
      if (held === buffer.length) {
        if (held >= MAX_LINE_BYTES) {
          offset += held
          held = 0
          overlong = true
        } else {
          const grown = Buffer.allocUnsafe(Math.min(buffer.length * 2, MAX_LINE_BYTES))
          buffer.copy(grown, 0, 0, held)
          buffer = grown
        }
      }
      const got = readSync(fd, buffer, held, buffer.length - held, offset + held)
      this.bytesRead += got
      if (got === 0) break
      const searchFrom = held
      held += got
      let start = 0
      let newline = buffer.subarray(0, held).indexOf(NEWLINE, searchFrom)
      while (newline !== -1) {
        const lineOffset = offset + start
        const end = offset + newline + 1
        const number = ++this.#number
        if (overlong) {
          overlong = false
          yield { bytes: null, offset: lineOffset, number, end, terminated: true }
        } else if (newline > start) {
          yield { bytes: buffer.subarray(start, newline), offset: lineOffset, number, end, terminated: true }
        }
        start = newline + 1
        newline = buffer.subarray(0, held).indexOf(NEWLINE, start)
      }
      if (start > 0) {
        buffer.copyWithin(0, start, held)
        held -= start
        offset += start
        if (buffer.length > chunk && held < chunk) buffer = Buffer.from(buffer.subarray(0, chunk))
      }
    }
    const number = this.#number + 1
    if (overlong) yield { bytes: null, offset, number, end: offset + held, terminated: false }
    else if (held > 0) yield { bytes: buffer.subarray(0, held), offset, number, end: offset + held, terminated: false }
  }
}

/** The first line of a file that some editor wrote may begin with a mark that belongs to no record. */
function withoutMark(line: Line): Line {
  const { bytes } = line
  if (bytes === null || !bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) return line
  return { ...line, bytes: bytes.subarray(BYTE_ORDER_MARK.length) }
}
