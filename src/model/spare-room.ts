import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Its name beside the database. */
export const SPARE = 'spare'
/** With less than this left on its disk, a store takes care. */
const TIGHT_BYTES = 8 * 2 ** 20
/** What is kept in reserve: a share of the database, but what the smallest step takes, and no more than a large one does. */
const SHARE = 16
const MIN_SPARE = 2 ** 20
const MAX_SPARE = TIGHT_BYTES

/**
 * Whether so little is left on the disk of a directory that even taking things away may fail, once what is `owed`
 * has been written, too.
 */
export function isTight(dir: string, owed = 0): boolean {
  return freeBytes(dir) < TIGHT_BYTES + owed
}

/** As `keepSpare`, for a store that is still to be made: it may fill the disk before it is there. */
export function keepFirstSpare(database: string): void {
  const dir = path.dirname(database)
  if (sizeOf(database) === undefined && sizeOf(path.join(dir, SPARE)) === undefined && !isTight(dir)) {
    writeSpare(dir, MIN_SPARE)
  }
}

/** Keeps some bytes of a disk, so that on a full one there is room to take things away. On a full one none are taken. */
export function keepSpare(database: string): void {
  const dir = path.dirname(database)
  const size = sizeOf(database)
  const wanted = Math.min(MAX_SPARE, Math.max(MIN_SPARE, Math.ceil((size ?? 0) / SHARE)))
  const kept = sizeOf(path.join(dir, SPARE)) ?? 0
  if (size === undefined) return useSpare(dir)
  if ((kept <= wanted && kept > wanted / 2) || (kept < wanted && isTight(dir))) return
  writeSpare(dir, wanted)
}

function writeSpare(dir: string, bytes: number): void {
  try {
    writeFileSync(path.join(dir, SPARE), Buffer.alloc(bytes), { mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    useSpare(dir)
  }
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size
}

/** Gives the spare bytes back to the disk, for whoever needs room now. */
export function useSpare(dir: string): void {
  rmSync(path.join(dir, SPARE), { force: true })
}

export function freeBytes(dir: string): number {
  try {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize
  } catch (error) {
    if (error instanceof Error && 'code' in error) return Infinity
    throw error
  }
}
