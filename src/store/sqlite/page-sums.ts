import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { checksum } from '../../model/checksum.ts'
import { DRAFT, writeDurably } from '../../model/durable-file.ts'
import { logBytes, readLog, type CommittedLog } from './log-file.ts'
import { schemaPages } from './schema-pages.ts'

/** What the file of checksums is called, behind the name of its database. */
export const SUMS = '-sums'

const MAGIC = 'recall sums 1\n\0\0'
const HEADER_BYTES = 32
const BLOCK_BYTES = 4 * 2 ** 20

/**
 * A checksum of every page of a database, and copies of those without which nothing can be read: its first page and
 * the rest of its schema. SQLite has checksums only in a layer of its own that is not built in. These tell of the pages
 * as the log beside the database leaves them, and are on the disk before the log is brought into it: so at no moment
 * does one of them accuse a page that is well.
 */
export interface PageSums {
  readonly pageSize: number
  readonly sums: Uint32Array
  readonly copies: ReadonlyMap<number, Buffer>
}

function hasSums(database: string): boolean {
  return existsSync(`${database}${SUMS}`)
}

/** Null if there are none; 'damaged' if they cannot be believed themselves. */
export function loadSums(database: string): PageSums | 'damaged' | null {
  if (!hasSums(database)) return null
  const bytes = readFileSync(`${database}${SUMS}`)
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 16) !== MAGIC) return 'damaged'
  const [pageSize = 0, pages = 0, copied = 0, sum] = new Uint32Array(
    bytes.buffer.slice(bytes.byteOffset + 16, bytes.byteOffset + 32),
  )
  const body = bytes.subarray(HEADER_BYTES)
  const isWhole = body.length === pages * 4 + copied * (pageSize + 4)
  if (!isWhole || checksum(body, checksum(bytes.subarray(0, 28))) !== sum) return 'damaged'
  const from = bytes.byteOffset + HEADER_BYTES
  const sums = new Uint32Array(bytes.buffer.slice(from, from + pages * 4))
  const copies = new Map<number, Buffer>()
  for (let i = 0; i < copied; i++) {
    const at = pages * 4 + i * (pageSize + 4)
    copies.set(body.readUInt32LE(at), body.subarray(at + 4, at + 4 + pageSize))
  }
  return { pageSize, sums, copies }
}

/** Those that can be believed; null if there are none. */
export function knownSums(database: string): PageSums | null {
  const known = loadSums(database)
  return known === 'damaged' ? null : known
}

function saveSums(database: string, { pageSize, sums, copies }: PageSums): void {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  const parts = [Buffer.from(sums.buffer, sums.byteOffset, sums.byteLength)]
  for (const [page, data] of copies) {
    const number = Buffer.alloc(4)
    number.writeUInt32LE(page)
    parts.push(number, data)
  }
  const body = Buffer.concat(parts)
  const figures = new Uint32Array([pageSize, sums.length, copies.size, 0])
  Buffer.from(figures.buffer).copy(header, 16)
  figures[3] = checksum(body, checksum(header.subarray(0, 28)))
  Buffer.from(figures.buffer).copy(header, 16)
  writeDurably(`${database}${SUMS}`, Buffer.concat([header, body]))
}

/** Without checksums nothing is claimed; the next index makes them anew. */
export function dropSums(database: string): void {
  for (const end of ['', DRAFT]) rmSync(`${database}${SUMS}${end}`, { force: true })
}

/**
 * Brings the checksums up to date with the log, before that is brought into the database. False if there are none, or
 * none any more because they could not be written: then all pages have to be read, once the log is empty.
 */
export function sumLog(database: string): boolean {
  try {
    const known = knownSums(database)
    if (known === null) return false
    const log = readLog(database, { sync: true })
    if (log === null) return true
    const now = overlaid(known, log)
    if (now === null) dropSums(database)
    else saveSums(database, now)
    return now !== null
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    dropSums(database)
    return false
  }
}

/** Null if the schema has changed: its pages have to be copied anew. */
function overlaid(known: PageSums, log: CommittedLog): PageSums | null {
  const first = log.first ?? known.copies.get(1)
  if (log.pageSize !== known.pageSize || first === undefined) return null
  const schema = schemaPages(first)
  if (schema.some((page) => !known.copies.has(page) || log.sums.has(page))) return null
  const sums = new Uint32Array(log.pages)
  sums.set(known.sums.subarray(0, log.pages))
  for (const [page, sum] of log.sums) if (page <= log.pages) sums[page - 1] = sum
  return { ...known, sums, copies: new Map([...known.copies, [1, first]]) }
}

/** Reads every page of a database whose log is empty, and writes their checksums down. Without room there are none. */
export function sumAll(database: string): void {
  const pageSize = pageSizeOf(database)
  if (pageSize === null) return
  const sums: number[] = []
  const copies = new Map<number, Buffer>()
  let wanted: readonly number[] = [1]
  for (let round = 0; round < 2; round++) {
    for (const page of wanted) {
      eachPage(database, pageSize, { from: page, to: page }, (_, data) => copies.set(page, Buffer.from(data)))
    }
    const first = copies.get(1)
    wanted = first === undefined ? [] : schemaPages(first)
  }
  eachPage(database, pageSize, { from: 1, to: Infinity }, (_, data) => sums.push(checksum(data)))
  try {
    saveSums(database, { pageSize, sums: Uint32Array.from(sums), copies })
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    dropSums(database)
  }
}

/**
 * The first page, which says how all others are to be read: as it was written, damaged, or written by another program,
 * of whose doings there are no checksums. It takes one look at two files, so that everybody who opens a database can
 * afford it. What the log may hold anew is not judged.
 */
export function firstPage(database: string): 'well' | 'damaged' | 'foreign' {
  if (!hasSums(database) || logBytes(database) > 0) return 'well'
  const header = readStart(`${database}${SUMS}`, HEADER_BYTES + 4)
  const pageSize = header.length < HEADER_BYTES + 4 ? 0 : header.readUInt32LE(16)
  if (header.toString('latin1', 0, 16) !== MAGIC || pageSize < 512 || pageSize > 65_536) return 'well'
  const page = readStart(database, pageSize)
  if (page.length === pageSize && checksum(page) === header.readUInt32LE(HEADER_BYTES)) return 'well'
  const known = knownSums(database)
  if (known === null || changedPages(database, known, readLog(database), FIRST).length === 0) return 'well'
  return isWrittenAnew(page, known.copies.get(1)) ? 'foreign' : 'damaged'
}

/** SQLite counts its changes of a file on the first page, at two places that must agree. */
function isWrittenAnew(page: Buffer, copy: Buffer | undefined): boolean {
  if (copy === undefined || page.length < 100) return false
  const count = page.readUInt32BE(CHANGES)
  return count === page.readUInt32BE(CHANGES_AGAIN) && count !== copy.readUInt32BE(CHANGES)
}

const CHANGES = 24
const CHANGES_AGAIN = 92
const FIRST: PageRange = { from: 1, to: 1 }

export interface PageRange {
  readonly from: number
  /** The last one, included. */
  readonly to: number
}

/** Pages of a database that are not what was written; those that its log holds are not looked at. */
export function changedPages(
  database: string,
  known: PageSums,
  log: CommittedLog | null,
  range: PageRange = { from: 1, to: known.sums.length },
  onPage: (done: number) => void = () => undefined,
): number[] {
  const to = Math.min(range.to, known.sums.length)
  const changed: number[] = []
  let next = range.from
  eachPage(database, known.pageSize, { from: range.from, to }, (page, data) => {
    next = page + 1
    if (checksum(data) !== known.sums[page - 1] && log?.sums.has(page) !== true) changed.push(page)
    if (page % 4096 === 0) onPage(page)
  })
  for (; next <= to; next++) if (log?.sums.has(next) !== true) changed.push(next)
  return changed
}

/** Calls back with the pages of a range that are there. */
export function eachPage(
  database: string,
  pageSize: number,
  { from, to }: PageRange,
  onPage: (page: number, data: Buffer) => void,
): void {
  const fd = openSync(database, 'r')
  try {
    const pages = Math.min(to, Math.floor(fstatSync(fd).size / pageSize))
    const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(0, pages - from + 1) * pageSize))
    for (let page = from; page <= pages;) {
      const wanted = Math.min(block.length, (pages - page + 1) * pageSize)
      const got = readSync(fd, block, 0, wanted, (page - 1) * pageSize)
      if (got < pageSize) return
      for (let at = 0; at + pageSize <= got; at += pageSize) onPage(page++, block.subarray(at, at + pageSize))
    }
  } finally {
    closeSync(fd)
  }
}

function pageSizeOf(database: string): number | null {
  const header = readStart(database, 18)
  const size = header.length < 18 ? 0 : header.readUInt16BE(16)
  return size === 1 ? 65_536 : size < 512 ? null : size
}

function readStart(file: string, bytes: number): Buffer {
  const fd = openSync(file, 'r')
  try {
    const start = Buffer.alloc(bytes)
    return start.subarray(0, readSync(fd, start, 0, bytes, 0))
  } finally {
    closeSync(fd)
  }
}
