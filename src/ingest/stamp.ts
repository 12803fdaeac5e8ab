import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { FileCheckpoint, FileRecord } from '../store/store.ts'

const BLOCK = 4096

export interface FileStamp {
  readonly size: number
  readonly mtimeMs: number
  /** Equal stamps: the file has not been touched since. */
  readonly stamp: string
}

/** Between what is said of a transcript and what is said of the files beside it. */
const BESIDE = '|'

/**
 * What the file system says of a file and of those beside it, with the revision of everything that decides what we
 * make of them.
 */
export function stampFile(path: string, revision: string, sidecars: readonly string[]): FileStamp | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stat?.isFile()) return null
  const own = `${stat.dev}.${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}.${revision}`
  return {
    size: Number(stat.size),
    mtimeMs: Number(stat.mtimeMs),
    stamp: sidecars.length === 0 ? own : `${own}${BESIDE}${sidecars.map(stampSidecar).join(BESIDE)}`,
  }
}

function stampSidecar(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino}.${stat.size}.${stat.mtimeNs}` : ''
}

/** Hashes of the first and last block of the first `offset` bytes. Reads at most 8 KB. */
export function provePrefix(path: string, offset: number): { head: string; tail: string } {
  const fd = openSync(path, 'r')
  try {
    return {
      head: hashAt(fd, 0, Math.min(BLOCK, offset)),
      tail: hashAt(fd, Math.max(0, offset - BLOCK), Math.min(BLOCK, offset)),
    }
  } finally {
    closeSync(fd)
  }
}

function hashAt(fd: number, position: number, length: number): string {
  const buffer = Buffer.alloc(length)
  const got = readSync(fd, buffer, 0, length, position)
  return createHash('sha256').update(buffer.subarray(0, got)).digest('base64url').slice(0, 16)
}

export type KnownFile = FileRecord & FileCheckpoint

export type Change = 'new' | 'unchanged' | 'sidecars' | 'grown' | 'rewritten'

/**
 * How a file differs from what the store knows of it. Sidecars means: only files beside it changed. Grown means:
 * the same file, longer, and the part that was read still stands. Whatever cannot be proven is rewritten, which costs a full read and loses nothing.
 */
export function changeOf(path: string, now: FileStamp, known: KnownFile | undefined): Change {
  if (!known || (known.stamp === '' && known.offset === 0)) return 'new'
  if (known.stamp === now.stamp) return 'unchanged'
  if (known.status === 'evicted' || known.status === 'forgotten')
    return sameBytes(now, known) ? 'unchanged' : 'rewritten'
  if (known.status === 'skipped') return 'rewritten'
  if (known.status === 'partial') return stillStands(path, now, known) ? 'grown' : 'rewritten'
  if (known.stamp !== '' && ownPart(known.stamp) === ownPart(now.stamp)) return 'sidecars'
  const [dev, ino, size, , , ...revision] = ownPart(known.stamp).split('.')
  const [nowDev, nowIno, , , , ...nowRevision] = ownPart(now.stamp).split('.')
  const sameFile = dev === nowDev && ino === nowIno && revision.join('.') === nowRevision.join('.')
  return sameFile && now.size > Number(size) && stillStands(path, now, known) ? 'grown' : 'rewritten'
}

/** True if the file itself was not touched, whatever is made of it by now. */
function sameBytes(now: FileStamp, known: FileRecord): boolean {
  const stat = (stamp: string) => ownPart(stamp).split('.').slice(0, 5).join('.')
  return known.stamp !== '' && stat(known.stamp) === stat(now.stamp)
}

function ownPart(stamp: string): string {
  return stamp.split(BESIDE, 1)[0] ?? ''
}

function stillStands(path: string, now: FileStamp, known: KnownFile): boolean {
  if (now.size < known.offset) return false
  const proof = provePrefix(path, known.offset)
  return proof.head === known.head && proof.tail === known.tail
}
