import { packSize, readPacked, removePacks, type PackWriter } from '../blobs/packs.ts'
import type { Database } from './database.ts'

/** A pack with more dead bytes than this share is written anew. */
const DEAD_SHARE = 0.25

/** Forgets chunks of a session that no event points at any more: it was read anew. */
export function dropDeadChunks(db: Database, session: number): void {
  db.run(
    `DELETE FROM chunk WHERE session = ?1 AND id NOT IN (
       SELECT e.chunk FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = ?1 AND e.chunk IS NOT NULL)`,
    session,
  )
}

/**
 * Moves what packs still hold to new ones, inside the caller's transaction. The old packs may be removed once it is
 * committed.
 */
export function movePacks(db: Database, packs: PackWriter, blobDir: string, from: Iterable<number>): void {
  packs.startNew()
  for (const pack of from) {
    for (const row of db.all('SELECT id, offset, length FROM chunk WHERE pack = ? ORDER BY offset', pack)) {
      const data = readPacked(blobDir, { pack, offset: Number(row['offset']), length: Number(row['length']) })
      if (data === null) continue
      const moved = packs.append(data)
      db.run('UPDATE chunk SET pack = ?, offset = ? WHERE id = ?', moved.pack, moved.offset, Number(row['id']))
    }
    db.run('DELETE FROM pack WHERE id = ?', pack)
  }
  packs.sync()
  const { pack, bytes } = packs.current
  db.run('INSERT INTO pack (id, bytes) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET bytes = ?2', pack, bytes)
}

/** Writes packs anew that are mostly dead, or, with `all`, every pack that holds a dead byte. */
export function compactPacks(db: Database, packs: PackWriter, blobDir: string, all: boolean): void {
  const live = new Map(
    db
      .all('SELECT pack, sum(length) AS bytes FROM chunk GROUP BY pack')
      .map((row) => [Number(row['pack']), Number(row['bytes'])]),
  )
  const known = db.all('SELECT id FROM pack UNION SELECT pack FROM chunk').map((row) => Number(row['id']))
  const wasteful = known.filter((pack) => {
    const size = packSize(blobDir, pack) ?? 0
    const dead = size - (live.get(pack) ?? 0)
    return dead > 0 && (all || dead > size * DEAD_SHARE)
  })
  if (wasteful.length === 0) return
  db.transaction(() => movePacks(db, packs, blobDir, wasteful))
  removePacks(blobDir, wasteful)
}
