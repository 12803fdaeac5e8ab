import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'

/** What is written aside first is called so. */
export const DRAFT = '.tmp'
const BLOCK_BYTES = 65_536

/** Replaces a file: on the disk, whole, when this returns, and never half of it before. */
export function writeDurably(file: string, bytes: Uint8Array): void {
  const fd = openSync(`${file}${DRAFT}`, 'w', 0o600)
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(`${file}${DRAFT}`, file)
  syncDirectory(path.dirname(file))
}

/** Adds lines to a file, on the disk when this returns. What a crash has torn off a line before them goes. */
export function appendDurably(file: string, lines: string): void {
  const isNew = !existsSync(file)
  const fd = openSync(file, 'a+', 0o600)
  try {
    const whole = endOfLines(fd)
    if (whole !== null) ftruncateSync(fd, whole)
    const bytes = Buffer.from(lines)
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  if (isNew) syncDirectory(path.dirname(file))
}

/** Where the last whole line ends; null if there is nothing behind it. */
function endOfLines(fd: number): number | null {
  const { size } = fstatSync(fd)
  const block = Buffer.alloc(Math.min(size, BLOCK_BYTES))
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - BLOCK_BYTES)
    const got = readSync(fd, block, 0, end - start, start)
    const newline = block.subarray(0, got).lastIndexOf(10)
    if (newline !== -1) return start + newline + 1 === size ? null : start + newline + 1
    end = start
  }
  return size === 0 ? null : 0
}

/** Has what was made, renamed and removed in a directory on the disk. */
export function syncDirectory(dir: string): void {
  const fd = openSync(dir, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Level by level: asking Node for the whole path at once never returns on some file systems, /proc among them. */
export function makeDirectory(dir: string): void {
  if (existsSync(dir)) return
  makeDirectory(path.dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
    syncDirectory(path.dirname(dir))
  } catch (error) {
    if (!existsSync(dir)) throw error
  }
}
