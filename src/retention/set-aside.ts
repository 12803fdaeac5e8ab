import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'

/** Files of a database besides itself. The database goes last: while it is where it was, nothing has happened. */
const COMPANIONS = ['-wal', '-shm', '-sums']

/** Where `--recreate` sets a store aside at this time: a directory that no other store has been set aside in. */
export function backupPath(storePath: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const dir = path.join(path.dirname(storePath), 'backups')
  let name = stamp
  for (let again = 2; existsSync(path.join(dir, name)); again++) name = `${stamp}-${again}`
  return path.join(dir, name, path.basename(storePath))
}

/** Moves a store aside, or what of it an interrupted move has left. */
export function setAside(storePath: string, backup: string): void {
  mkdirSync(path.dirname(backup), { recursive: true, mode: 0o700 })
  move(blobsOf(storePath), blobsOf(backup))
  for (const suffix of COMPANIONS) move(`${storePath}${suffix}`, `${backup}${suffix}`)
  move(storePath, backup)
}

/**
 * Moves a store that was set aside back, over whatever was made in its place; also what an interrupted move has left.
 * While its database lies aside, the one in its place is the new one; it goes back first.
 */
export function putBack(storePath: string, backup: string): void {
  if (existsSync(backup)) {
    clearStore(storePath)
    move(backup, storePath)
  }
  for (const suffix of COMPANIONS) move(`${backup}${suffix}`, `${storePath}${suffix}`)
  move(blobsOf(backup), blobsOf(storePath))
  rmSync(path.dirname(backup), { recursive: true, force: true })
}

/** Takes a half-made store away, so that it can be made again from the one that was set aside. */
export function clearStore(storePath: string): void {
  for (const suffix of ['', ...COMPANIONS]) rmSync(`${storePath}${suffix}`, { force: true })
  rmSync(blobsOf(storePath), { recursive: true, force: true })
}

function blobsOf(storePath: string): string {
  return path.join(path.dirname(storePath), 'blobs')
}

function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}
