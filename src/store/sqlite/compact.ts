import { checksum } from '../../model/checksum.ts'
import { blankBetween, packSize, readPacked, removePacks, type ChunkPlace, type PackWriter } from '../blobs/packs.ts'
import type { Database, Value } from './database.ts'

/** A pack with more dead bytes than this share is written anew. */
const DEAD_SHARE = 0.25

/** Writes down where a chunk lies, and a checksum of it. */
export function saveChunk(db: Database, session: number, place: Required<ChunkPlace>, rawBytes: number): number {
  const { pack, offset, length, crc } = place
  return db.run(
    'INSERT INTO chunk (session, pack, offset, length, raw_length, crc) VALUES (?, ?, ?, ?, ?, ?)',
    session,
    pack,
    offset,
    length,
    rawBytes,
    crc,
  ).lastId
}

/** A checksum from a row. */
export function crcOf(value: Value | undefined): number | null {
  return typeof value === 'number' ? value : null
}

/** Gives a checksum to chunks that an older program wrote without one. */
export function sumChunks(db: Database, blobDir: string): void {
  const chunks = db.all('SELECT id, pack, offset, length FROM chunk WHERE crc IS NULL')
  if (chunks.length === 0) return
  db.transaction(() => {
    for (const row of chunks) {
      const place = { pack: Number(row['pack']), offset: Number(row['offset']), length: Number(row['length']) }
      const data = readPacked(blobDir, place)
      if (data !== null) db.run('UPDATE chunk SET crc = ? WHERE id = ?', checksum(data), Number(row['id']))
    }
  })
}

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
  db.sync()
  removePacks(blobDir, wasteful)
}

/** Says that dead bytes of packs must be overwritten, which outlives a crash. */
export function oweBlanks(db: Database): void {
  db.run("INSERT OR REPLACE INTO meta VALUES ('blanks', '1')")
}

/** Overwrites, in place, whatever nothing in a pack points at, if that is owed. */
export function blankDead(db: Database, blobDir: string): void {
  if (db.get("SELECT 1 FROM meta WHERE key = 'blanks'") === undefined) return
  for (const row of db.all('SELECT DISTINCT pack FROM chunk')) {
    const pack = Number(row['pack'])
    const held = db.all('SELECT offset, length FROM chunk WHERE pack = ? ORDER BY offset', pack)
    blankBetween(
      blobDir,
      pack,
      held.map(({ offset, length }) => ({ from: Number(offset), to: Number(offset) + Number(length) })),
    )
  }
  db.run("DELETE FROM meta WHERE key = 'blanks'")
}
