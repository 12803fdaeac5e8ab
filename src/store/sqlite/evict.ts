import { statSync } from 'node:fs'
import path from 'node:path'
import { DECISIONS_LANE } from '../../model/event.ts'
import type { Eviction } from '../keeping.ts'
import { packsIn, removePacks, type PackWriter } from '../blobs/packs.ts'
import { freeBytes, isTight } from '../../model/spare-room.ts'
import { noteChange, noteForgotten } from './changes.ts'
import { movePacks, oweBlanks } from './compact.ts'
import type { Database, Row } from './database.ts'
import { dropMeta, keepMeta, readMeta } from './meta.ts'
import { rollUpStale } from './rollup.ts'
import { indexTitle, removeDocument } from './documents.ts'
import { claimAgain, sharedWith } from './duplicate-records.ts'
import { markEvicted } from './evicted-part.ts'
import { indexExchanges } from './exchanges.ts'
import { OWN_WORD_TABLES } from './own-words.ts'
import { idOf, uidOf } from './session-ids.ts'
import { writeSessionRow } from './session-row.ts'
import { indexDigest } from './digest-text.ts'
import { forgetKnown } from './known-secrets.ts'
import { dropLooseVectors } from './vectors-links.ts'
import { DIGEST_LANE } from './lane-names.ts'

/** Lanes that no transcript can give back. */
const OWN_LANES = `('${DECISIONS_LANE}')`

/**
 * Drops the events, payloads and index of sessions; their row, ledger, digest, signals and tags stay. Returns the
 * packs that nothing points into any more: they are removed after the commit.
 */
export function evictSessions(
  db: Database,
  packs: PackWriter,
  blobDir: string,
  evictions: readonly Eviction[],
  now: number,
): number[] {
  rollUpStale(db)
  const gone = evictions.map(({ uid, reason }) => ({ id: idOf(db, uid) ?? -1, reason })).sort((a, b) => a.id - b.id)
  for (const { id, reason } of gone) {
    markEvicted(db, id)
    dropLanes(db, db.all(`SELECT id FROM lane WHERE session = ? AND name NOT IN ${OWN_LANES}`, id))
    db.run('UPDATE session SET evicted_at = ?, evict_reason = ?, row_bytes = 0 WHERE id = ?', now, reason, id)
    noteChange(db, id, 'evicted', now)
  }
  const ids = gone.map(({ id }) => id)
  db.run(
    `UPDATE file SET status = 'evicted' WHERE id IN (
       SELECT file FROM lane WHERE session IN (SELECT value FROM json_each(?))) AND NOT EXISTS (
       SELECT 1 FROM lane l JOIN session s ON s.id = l.session WHERE l.file = file.id AND s.evicted_at IS NULL)`,
    JSON.stringify(ids),
  )
  for (const id of ids) indexDigest(db, id)
  dropLooseVectors(db)
  return dropChunks(db, packs, blobDir, ids)
}

/** Drops everything about sessions but the note not to read them again. */
export function forgetSessions(
  db: Database,
  packs: PackWriter,
  blobDir: string,
  sessions: readonly number[],
  now: number,
): number[] {
  const gone = [...sessions].sort((a, b) => a - b)
  const sharers = new Set(gone.flatMap((id) => sharedWith(db, id)))
  for (const id of gone) forgetSession(db, id, now)
  inheritAlone(db, [...sharers], now)
  dropLooseVectors(db)
  rollUpStale(db)
  return dropChunks(db, packs, blobDir, sessions)
}

/** What only others hold now is theirs: words at once, tokens when their transcripts are read again. */
function inheritAlone(db: Database, lanes: readonly number[], now: number): void {
  const { lanes: changed, sessions } = claimAgain(db, lanes)
  for (const lane of lanes) {
    const file = db.get('SELECT file FROM lane WHERE id = ?', lane)?.['file']
    if (typeof file === 'number') readAgain(db, file)
  }
  for (const session of sessions) {
    writeSessionRow(db, session, now)
    noteChange(db, session, 'grown', now)
  }
  for (const lane of changed) indexExchanges(db, lane, 0)
}

function forgetSession(db: Database, id: number, now: number): void {
  const uid = uidOf(db, id)
  const lanes = db.all('SELECT id, file FROM lane WHERE session = ?', id)
  for (const lane of lanes) {
    db.run('DELETE FROM told_title WHERE leaf IN (SELECT native FROM event WHERE lane = ?)', Number(lane['id']))
  }
  db.run(
    `DELETE FROM told_title WHERE title = (SELECT told_title FROM session WHERE id = ?) AND NOT EXISTS (SELECT 1 FROM event e WHERE e.native = told_title.leaf)`,
    id,
  )
  dropLanes(db, lanes)
  const files = new Set(lanes.flatMap((lane) => (lane['file'] === null ? [] : [Number(lane['file'])])))
  db.run('DELETE FROM lane WHERE session = ?', id)
  for (const file of files) forgetFile(db, file)
  for (const table of ['ledger', 'signal', 'session_path']) db.run(`DELETE FROM ${table} WHERE session = ?`, id)
  for (const table of ['digests', ...OWN_WORD_TABLES]) db.run(`DELETE FROM ${table} WHERE session_uid = ?`, uid)
  forgetKnown(db, uid)
  indexTitle(db, id, null)
  db.run('DELETE FROM session WHERE id = ?', id)
  db.run(
    'INSERT OR REPLACE INTO tombstone (uid, forgotten_at, files) VALUES (?, ?, ?)',
    uid,
    now,
    JSON.stringify([...files]),
  )
  noteForgotten(db, uid, now)
}

/** A transcript of this session alone is remembered only so far that it is not read again while it stays the same. */
function forgetFile(db: Database, file: number): void {
  if (db.get('SELECT 1 FROM lane WHERE file = ?', file)) return
  db.run('DELETE FROM problem WHERE file = ?', file)
  db.run(
    `UPDATE file SET status = 'forgotten', state = 'null', head = '', tail = '', offset = 0, line = 0, provisional = 0 WHERE id = ?`,
    file,
  )
}

export function unforgetSession(db: Database, uid: string): boolean {
  const row = db.get('SELECT files FROM tombstone WHERE uid = ?', uid)
  if (!row) return false
  db.run('DELETE FROM tombstone WHERE uid = ?', uid)
  for (const file of JSON.parse(String(row['files'])) as number[]) readAgain(db, file)
  return true
}

/** Has the transcripts of a session read again from their first byte, and forgets that any of it was evicted. */
export function restoreSession(db: Database, session: number): void {
  db.run('UPDATE lane SET evicted_until = NULL, evicted_line = NULL WHERE session = ?', session)
  for (const row of db.all('SELECT DISTINCT file FROM lane WHERE session = ? AND file IS NOT NULL', session)) {
    readAgain(db, Number(row['file']))
  }
}

function readAgain(db: Database, file: number): void {
  db.run("UPDATE file SET stamp = '', offset = 0, status = 'ok' WHERE id = ?", file)
}

/** Documents go in ascending order: a full-text index writes out what is pending whenever a number is lower than the last. */
function dropLanes(db: Database, lanes: readonly Row[]): void {
  const ids = lanes.map((lane) => Number(lane['id']))
  const documents = ids.flatMap((lane) => db.all('SELECT id FROM exchange WHERE lane = ?', lane))
  for (const id of documents.map((row) => Number(row['id'])).sort((a, b) => a - b)) removeDocument(db, id)
  for (const lane of ids) {
    db.run('DELETE FROM exchange WHERE lane = ?', lane)
    db.run('DELETE FROM event WHERE lane = ?', lane)
    db.run(`DELETE FROM lane WHERE id = ? AND name = '${DIGEST_LANE}'`, lane)
  }
}

/**
 * Takes the sessions' chunks out of their packs: what others have there moves to a new pack. On a full disk, where there
 * is no room for that, it stays, and what is dropped is overwritten in place after the commit.
 */
function dropChunks(db: Database, packs: PackWriter, blobDir: string, sessions: readonly number[]): number[] {
  const affected = new Set<number>()
  for (const id of sessions) {
    for (const row of db.all('SELECT DISTINCT pack FROM chunk WHERE session = ?', id)) affected.add(Number(row['pack']))
    db.run('DELETE FROM chunk WHERE session = ?', id)
  }
  if (affected.size === 0) return []
  const isHeld = (pack: number) => db.get('SELECT 1 FROM chunk WHERE pack = ? LIMIT 1', pack) !== undefined
  const isFull = isTight(path.dirname(db.path))
  const moved = isFull ? [...affected].filter((pack) => !isHeld(pack)) : [...affected]
  if (moved.length < affected.size) oweBlanks(db)
  movePacks(db, packs, blobDir, moved)
  return moved
}

/** The share of deleted documents, in percent, at which a full-text index merges by itself; SQLite's own default. */
const MERGE_AT = 10

/** Says that a purge is owed, which outlives a crash. It merges the whole index, so nothing is merged before. */
export function owePurge(db: Database): void {
  keepMeta(db, 'purge', '1')
  db.exec("INSERT INTO exchange_fts(exchange_fts, rank) VALUES('deletemerge', 0)")
}

export function owesPurge(db: Database): boolean {
  return readMeta(db, 'purge') !== null
}

/** What a merge needs besides. */
const ROOM_TO_MERGE = 2 ** 20

/**
 * After the commit: what was dropped leaves the disk. Deleted words stay in a full-text index until it is merged. While
 * a reader keeps the log from being emptied, or the disk has no room for a merge, the purge stays owed.
 */
export function purge(db: Database): void {
  if (isTight(path.dirname(db.path))) giveBack(db)
  if (!hasRoomToMerge(db)) return
  mergeAndShrink(db)
  if (db.checkpoint()) dropMeta(db, 'purge')
}

/** A merge writes the index anew: into the log first, and then behind the old one. */
function hasRoomToMerge(db: Database): boolean {
  const free = freeBytes(path.dirname(db.path))
  if (free > 2 * statSync(db.path).size) return true
  const index = db.get("SELECT sum(pgsize) AS n FROM dbstat WHERE aggregate = TRUE AND name LIKE 'exchange_fts%'")
  return free > 2 * Number(index?.['n'] ?? 0) + ROOM_TO_MERGE
}

/** What is free in the database goes back to the disk, and the room that the log took with it. */
function giveBack(db: Database): void {
  db.checkpoint()
  db.exec('PRAGMA incremental_vacuum')
  db.checkpoint()
}

function mergeAndShrink(db: Database): void {
  db.exec('DELETE FROM path WHERE id NOT IN (SELECT path FROM touch UNION SELECT path FROM touched)')
  db.exec('DELETE FROM form WHERE id NOT IN (SELECT form FROM ruled)')
  db.exec(`INSERT INTO exchange_fts(exchange_fts, rank) VALUES('deletemerge', ${MERGE_AT})`)
  db.exec("INSERT INTO exchange_fts(exchange_fts) VALUES('optimize')")
  db.exec('PRAGMA incremental_vacuum')
}

/** Removes packs that a crash has left behind: nothing points into them. */
export function removeLostPacks(db: Database, blobDir: string): void {
  const used = new Set(db.all('SELECT pack AS id FROM chunk UNION SELECT id FROM pack').map((row) => Number(row['id'])))
  const lost = packsIn(blobDir).filter((pack) => !used.has(pack))
  if (lost.length > 0) db.sync()
  removePacks(blobDir, lost)
}
