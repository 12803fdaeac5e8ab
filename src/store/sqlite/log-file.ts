import { closeSync, existsSync, fsyncSync, openSync, readSync, statSync } from 'node:fs'
import { checksum } from '../../model/checksum.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** How much of a log is read at once. */
const BLOCK_BYTES = 4 * 2 ** 20

/** The committed part of the log beside a database: SQLite's write-ahead log. */
export interface CommittedLog {
  readonly pageSize: number
  /** How many pages the database has by it. */
  readonly pages: number
  /** Checksums of the pages in it as they were written last. */
  readonly sums: ReadonlyMap<number, number>
  /** The first page of the database, if it is in the log. */
  readonly first: Buffer | null
  /** Whether there is more behind the last commit that holds together. */
  readonly isWhole: boolean
}

export interface LogOptions {
  /** Looks at the log's own checksums, as SQLite does after a crash. */
  readonly verify?: boolean
  /** Has the log on the disk before it is read. */
  readonly sync?: boolean
}

/** Reads the log of a database up to its last commit; null if nothing is committed in it. */
export function readLog(database: string, { verify = false, sync = false }: LogOptions = {}): CommittedLog | null {
  const file = `${database}-wal`
  if (!existsSync(file)) return null
  if (sync) syncLog(database)
  const fd = openSync(file, 'r')
  try {
    return readFrames(fd, verify)
  } finally {
    closeSync(fd)
  }
}

export function syncLog(database: string): void {
  const file = `${database}-wal`
  if (!existsSync(file)) return
  const fd = openSync(file, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

export function logBytes(database: string): number {
  return statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

function readFrames(fd: number, verify: boolean): CommittedLog | null {
  const header = Buffer.alloc(HEADER_BYTES)
  if (readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null
  const pageSize = header.readUInt32BE(8)
  if (pageSize < 512 || pageSize > 65_536) return null
  const frameBytes = pageSize + FRAME_HEADER_BYTES
  const block = Buffer.allocUnsafe(Math.floor(BLOCK_BYTES / frameBytes) * frameBytes)
  const check = verify ? new LogCheck(header) : null
  const sums = new Map<number, number>()
  let pages = 0
  let first: Buffer | null = null
  let waiting: [page: number, sum: number][] = []
  let waitingFirst: Buffer | null = null
  const result = (isWhole: boolean) => (pages === 0 ? null : { pageSize, pages, sums, first, isWhole })
  for (let at = HEADER_BYTES; ; at += block.length) {
    const got = readSync(fd, block, 0, block.length, at)
    const whole = got - (got % frameBytes)
    for (let start = 0; start < whole; start += frameBytes) {
      const frame = block.subarray(start, start + frameBytes)
      if (frame.compare(header, 16, 24, 8, 16) !== 0) return result(true)
      if (check?.takes(frame) === false) return result(false)
      const data = frame.subarray(FRAME_HEADER_BYTES)
      const page = frame.readUInt32BE(0)
      waiting.push([page, checksum(data)])
      if (page === 1) waitingFirst = Buffer.from(data)
      const committed = frame.readUInt32BE(4)
      if (committed === 0) continue
      for (const [number, sum] of waiting) sums.set(number, sum)
      ;[pages, first, waiting, waitingFirst] = [committed, waitingFirst ?? first, [], null]
    }
    if (whole < block.length) return result(true)
  }
}

/** SQLite's running checksum over a log. */
class LogCheck {
  readonly #bigEndian: boolean
  #a = 0
  #b = 0

  constructor(header: Buffer) {
    this.#bigEndian = (header.readUInt32BE(0) & 1) === 1
    this.#add(header, 0, 24)
  }

  /** Whether this frame is the one that was written after those before it. */
  takes(frame: Buffer): boolean {
    this.#add(frame, 0, 8)
    this.#add(frame, FRAME_HEADER_BYTES, frame.length)
    return this.#a === frame.readUInt32BE(16) && this.#b === frame.readUInt32BE(20)
  }

  #add(data: Buffer, from: number, to: number): void {
    let [a, b] = [this.#a, this.#b]
    for (let i = from; i < to; i += 8) {
      a = (a + (this.#bigEndian ? data.readUInt32BE(i) : data.readUInt32LE(i)) + b) >>> 0
      b = (b + (this.#bigEndian ? data.readUInt32BE(i + 4) : data.readUInt32LE(i + 4)) + a) >>> 0
    }
    ;[this.#a, this.#b] = [a, b]
  }
}
