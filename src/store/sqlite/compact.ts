import { checksum } from '../../model/checksum.ts'
import { blankBetween, packSize, readPacked, removePacks, type ChunkPlace, type PackWriter } from '../blobs/packs.ts'
import type { Database, Row } from './database.ts'
import { dropMeta, keepMeta, readMeta } from './meta.ts'

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

/** Where a chunk lies, from a row with the columns of `chunk`. */
export function chunkPlace(row: Row): Required<ChunkPlace> {
  const { pack, offset, length, crc } = row
  return {
    pack: Number(pack),
    offset: Number(offset),
    length: Number(length),
    crc: typeof crc === 'number' ? crc : null,
  }
}

/** Writes down which pack was written to last, and how far. */
export function keepPack(db: Database, { pack, bytes }: PackWriter['current']): void {
  db.run('INSERT INTO pack (id, bytes) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET bytes = ?2', pack, bytes)
}

/** Gives a checksum to chunks that an older program wrote without one. */
export function sumChunks(db: Database, blobDir: string): void {
  const chunks = db.all('SELECT id, pack, offset, length FROM chunk WHERE crc IS NULL')
  if (chunks.length === 0) return
  db.transaction(() => {
    for (const row of chunks) {
      const data = readPacked(blobDir, chunkPlace(row))
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
    for (const row of db.all('SELECT id, pack, offset, length FROM chunk WHERE pack = ? ORDER BY offset', pack)) {
      const data = readPacked(blobDir, chunkPlace(row))
      if (data === null) continue
      const moved = packs.append(data)
      db.run('UPDATE chunk SET pack = ?, offset = ? WHERE id = ?', moved.pack, moved.offset, Number(row['id']))
    }
    db.run('DELETE FROM pack WHERE id = ?', pack)
  }
  packs.sync()
  keepPack(db, packs.current)
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
  keepMeta(db, 'blanks', '1')
}

/** Overwrites, in place, whatever nothing in a pack points at, if that is owed. */
export function blankDead(db: Database, blobDir: string): void {
  if (readMeta(db, 'blanks') === null) return
  for (const row of db.all('SELECT DISTINCT pack FROM chunk')) {
    const pack = Number(row['pack'])
    const held = db.all('SELECT offset, length FROM chunk WHERE pack = ? ORDER BY offset', pack)
    blankBetween(
      blobDir,
      pack,
      held.map(({ offset, length }) => ({ from: Number(offset), to: Number(offset) + Number(length) })),
    )
  }
  dropMeta(db, 'blanks')
}
