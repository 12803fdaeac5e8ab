import { closeSync, constants, readSync, statSync, type BigIntStats } from 'node:fs'
import { isOutOfDescriptors, isSystemError, NOT_REGULAR, openRegular } from '../model/regular-file.ts'
import { sha256 } from '../model/sha256.ts'
import type { InnerTranscript } from '../sources/source.ts'
import type { FileCheckpoint, FileRecord } from '../store/store.ts'

const BLOCK = 4096

export interface FileStamp {
  readonly size: number
  readonly mtimeMs: number
  /** Equal stamps: the file has not been touched since. */
  readonly stamp: string
  /** Of a transcript in a file that holds many. Its reader knows whether what was read still stands. */
  readonly isInner?: true
}

/** Between what is said of a transcript, of the files it is read together with, and of the files beside it. */
const TOGETHER = '&'
const BESIDE = '|'

/** Why there is nothing to read where a file was found. */
export interface Unfit {
  readonly unfit: string
}

/**
 * What the file system says of a file and of those beside it, with the revision of everything that decides what we
 * make of them. Null if it has gone since it was found.
 */
export function stampFile(
  path: string,
  revision: string,
  sidecars: readonly string[] = [],
  companions: readonly string[] = [],
): FileStamp | Unfit | null {
  const stat = statOf(path)
  if (typeof stat === 'string') return { unfit: stat }
  if (stat === null) return path.includes(REPLACED) ? { unfit: 'its name is no text' } : null
  // Not `isFile()`: that reckons in big integers, too, for each of thousands of files.
  if ((Number(stat.mode) & constants.S_IFMT) !== constants.S_IFREG) return { unfit: NOT_REGULAR }
  const own = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, revision].join('.')
  const beside = [
    ...companions.map((companion) => TOGETHER + stampBeside(companion)),
    ...sidecars.map((sidecar) => BESIDE + stampBeside(sidecar)),
  ]
  // Joined, not added up: of a hundred thousand, what was added up would be kept in all its parts.
  const stamp = beside.length === 0 ? own : [own, ...beside].join('')
  return { size: Number(stat.size), mtimeMs: Number(stat.mtimeMs), stamp }
}

/** The same of a transcript in a file that holds many. */
export function stampInner({ version, size, mtimeMs }: InnerTranscript, revision: string): FileStamp {
  return { size, mtimeMs, stamp: `in.0.0.${version}.0.${revision}`, isInner: true }
}

/** Stands for every byte of a name that is no UTF-8: such a file can be listed, but not named. */
const REPLACED = '\ufffd'

function stampBeside(path: string): string {
  const stat = statOf(path)
  return stat === null || typeof stat === 'string' ? '' : `${stat.ino}.${stat.size}.${stat.mtimeNs}`
}

/** Null if it is not there; in words, why it cannot be told. */
function statOf(path: string): BigIntStats | string | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isSystemError(error)) return error.message
    throw error
  }
}

/** Hashes of the first and last block of the first `offset` bytes. Reads at most 8 KB. */
export function provePrefix(path: string, offset: number): { head: string; tail: string } {
  const fd = openRegular(path)
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
  return sha256(buffer.subarray(0, got), 'base64url').slice(0, 16)
}

export type KnownFile = FileRecord & FileCheckpoint

export type Change = 'new' | 'unchanged' | 'sidecars' | 'grown' | 'rewritten'

/**
 * How a file differs from what the store knows of it. Sidecars means: only files beside it changed. Grown means: the
 * same file, longer or with changed companions, and the part that was read still stands. Whatever cannot be proven is rewritten, which costs a full read and loses nothing.
 */
export function changeOf(path: string, now: FileStamp, known: KnownFile | undefined): Change {
  if (!known || (known.stamp === '' && known.offset === 0)) return 'new'
  if (known.stamp === now.stamp) return 'unchanged'
  if (known.status === 'evicted' || known.status === 'forgotten') {
    if (sameBytes(now, known)) return 'unchanged'
    if (known.status === 'forgotten') return 'rewritten'
  }
  if (known.status === 'skipped') return 'rewritten'
  // One that was not read to its end when its session was evicted goes on where that was.
  const isHalfRead = known.status === 'partial' || (known.status === 'evicted' && known.stamp === '')
  if (isHalfRead) return stillStands(path, now, known) ? 'grown' : 'rewritten'
  if (known.stamp !== '' && untilMark(known.stamp, BESIDE) === untilMark(now.stamp, BESIDE)) return 'sidecars'
  const [dev, ino, size, , , ...revision] = ownPart(known.stamp).split('.')
  const [nowDev, nowIno, , , , ...nowRevision] = ownPart(now.stamp).split('.')
  const sameFile = dev === nowDev && ino === nowIno && revision.join('.') === nowRevision.join('.')
  const goesOn = now.isInner || now.size > Number(size) || ownPart(known.stamp) === ownPart(now.stamp)
  return sameFile && goesOn && stillStands(path, now, known) ? 'grown' : 'rewritten'
}

/** True if the file itself was not touched, whatever is made of it by now. */
function sameBytes(now: FileStamp, known: FileRecord): boolean {
  const stat = (stamp: string) => ownPart(stamp).split('.').slice(0, 5).join('.')
  return known.stamp !== '' && stat(known.stamp) === stat(now.stamp)
}

function ownPart(stamp: string): string {
  return untilMark(untilMark(stamp, BESIDE), TOGETHER)
}

function untilMark(stamp: string, mark: string): string {
  return stamp.split(mark, 1)[0] ?? ''
}

function stillStands(path: string, now: FileStamp, known: KnownFile): boolean {
  if (now.isInner) return true
  if (now.size < known.offset) return false
  try {
    const proof = provePrefix(path, known.offset)
    return proof.head === known.head && proof.tail === known.tail
  } catch (error) {
    if (isSystemError(error) && !isOutOfDescriptors(error)) return false
    throw error
  }
}
