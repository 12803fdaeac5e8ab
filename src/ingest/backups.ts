import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'

/** Moves the store into a directory of its own and returns the database's new place; null if there was none. */
export function setAside(storePath: string, now: number): string | null {
  if (!existsSync(storePath)) return null
  const dir = path.dirname(storePath)
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const backupDir = path.join(dir, 'backups', stamp)
  mkdirSync(backupDir, { recursive: true, mode: 0o700 })
  const name = path.basename(storePath)
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(`${storePath}${suffix}`))
      renameSync(`${storePath}${suffix}`, path.join(backupDir, `${name}${suffix}`))
  }
  const blobs = path.join(dir, 'blobs')
  if (existsSync(blobs)) renameSync(blobs, path.join(backupDir, 'blobs'))
  return path.join(backupDir, name)
}

/** Databases that `--recreate` has set aside. */
export function backupsOf(storePath: string): string[] {
  const dir = path.join(path.dirname(storePath), 'backups')
  if (!existsSync(dir)) return []
  const places = readdirSync(dir).map((name) => path.join(dir, name, path.basename(storePath)))
  return places.filter((place) => existsSync(place))
}
