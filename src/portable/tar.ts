import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { openRegular } from '../model/regular-file.ts'

const BLOCK = 512
const PIECE = 2 ** 20

/** Writes files, by their names within it, into one archive that `tar` reads; on the disk when this returns. */
export function writeTar(archive: string, dir: string, names: readonly string[]): void {
  const out = openSync(archive, 'wx', 0o600)
  try {
    for (const name of names) append(out, path.join(dir, name), name)
    writeAll(out, Buffer.alloc(2 * BLOCK))
    fsyncSync(out)
  } finally {
    closeSync(out)
  }
}

function append(out: number, file: string, name: string): void {
  const fd = openRegular(file)
  try {
    const { size } = fstatSync(fd)
    writeAll(out, headerOf(name, size))
    for (const piece of piecesOf(fd, 0, size)) writeAll(out, piece)
    writeAll(out, Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK))
  } finally {
    closeSync(fd)
  }
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0, 100)
  header.write(octal(0o600, 7) + octal(0, 7) + octal(0, 7), 100)
  header.write(octal(size, 11) + octal(0, 11), 124)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  )
  return header
}

/**
 * Unpacks an archive into a directory: plain files with the names that `isName` knows and nothing else, none twice, none
 * larger than the archive. Returns the SHA-256 of each.
 */
export function readTar(archive: string, dir: string, isName: (name: string) => boolean): Map<string, string> {
  const fd = openRegular(archive)
  const hashes = new Map<string, string>()
  try {
    const { size: total } = fstatSync(fd)
    for (let at = 0; ;) {
      const header = readAt(fd, at, BLOCK)
      if (header.length < BLOCK) throw broken(archive, 'it ends too early')
      if (header.every((byte) => byte === 0)) return hashes
      const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
      const size = Number.parseInt(header.toString('latin1', 124, 136), 8)
      const kind = header.toString('latin1', 156, 157)
      if (header.toString('latin1', 257, 262) !== 'ustar' || (kind !== '0' && kind !== '\0'))
        throw broken(archive, 'it is no backup of recall')
      if (!isName(name) || hashes.has(name)) throw broken(archive, `it holds ${JSON.stringify(name.slice(0, 80))}`)
      if (!Number.isSafeInteger(size) || size < 0 || at + BLOCK + size > total)
        throw broken(archive, 'it ends too early')
      hashes.set(name, unpack(fd, at + BLOCK, size, path.join(dir, name)))
      at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    }
  } finally {
    closeSync(fd)
  }
}

function unpack(fd: number, from: number, size: number, file: string): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const out = openSync(file, 'wx', 0o600)
  const hash = createHash('sha256')
  try {
    for (const piece of piecesOf(fd, from, size)) {
      hash.update(piece)
      writeAll(out, piece)
    }
  } finally {
    closeSync(out)
  }
  return hash.digest('hex')
}

/** The SHA-256 of a file. */
export function hashOf(file: string): string {
  const fd = openRegular(file)
  const hash = createHash('sha256')
  try {
    for (const piece of piecesOf(fd, 0, fstatSync(fd).size)) hash.update(piece)
  } finally {
    closeSync(fd)
  }
  return hash.digest('hex')
}

function* piecesOf(fd: number, from: number, size: number): Generator<Buffer> {
  for (let done = 0; done < size;) {
    const piece = readAt(fd, from + done, Math.min(PIECE, size - done))
    if (piece.length === 0) throw new Error('a file became shorter while it was read')
    yield piece
    done += piece.length
  }
}

function readAt(fd: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  return buffer.subarray(0, readSync(fd, buffer, 0, bytes, at))
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}

function broken(archive: string, why: string): UserError {
  return new UserError('USAGE', `${archive} cannot be restored: ${why}`, 'name a file that `recall backup` wrote')
}
