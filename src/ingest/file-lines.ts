import { closeSync, readSync } from 'node:fs'
import { openRegular } from '../model/regular-file.ts'

const BLOCK = 1 << 20
/** A longer line is given in pieces: a bound on memory. */
const MAX_LINE = 32 * 1024 * 1024

export interface FileLine {
  readonly text: string
  /** From 1. */
  readonly number: number
  /** How many bytes of the file have been read. */
  readonly read: number
}

/** The lines of a file, opened for reading only, a block at a time. Throws what the file system throws. */
export function* linesOf(path: string): Generator<FileLine> {
  const file = openRegular(path)
  try {
    const block = Buffer.allocUnsafe(BLOCK)
    let parts: Buffer[] = []
    let held = 0
    let number = 1
    let read = 0
    const take = (): string => {
      const text = Buffer.concat(parts).toString('utf8')
      parts = []
      held = 0
      return text
    }
    for (let size = readSync(file, block, 0, BLOCK, null); size > 0; size = readSync(file, block, 0, BLOCK, null)) {
      read += size
      let from = 0
      for (let end = block.indexOf(10, from); end >= 0 && end < size; end = block.indexOf(10, from)) {
        parts.push(block.subarray(from, end))
        yield { text: take(), number: number++, read }
        from = end + 1
      }
      if (from < size) parts.push(Buffer.from(block.subarray(from, size)))
      held += size - from
      if (held > MAX_LINE) yield { text: take(), number, read }
    }
    if (parts.length > 0) yield { text: take(), number, read }
  } finally {
    closeSync(file)
  }
}
