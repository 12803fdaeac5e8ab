import { packChunk, readChunk, type PackWriter } from '../blobs/packs.ts'
import type { TextRewriter } from '../store.ts'
import { noteChange } from './changes.ts'
import type { Database, Row } from './database.ts'
import { chunkPlace, dropDeadChunks, saveChunk } from './compact.ts'
import { dropDigestLane, indexDigest } from './digest-text.ts'
import { indexTitle } from './documents.ts'
import { indexExchanges } from './exchanges.ts'
import { idOf } from './session-ids.ts'
import { markStale } from './rollup.ts'
import { LOST } from './lane-names.ts'

/** Lanes whose transcript will not be read again: only what is stored of them can be changed. */
const OUT_OF_REACH = `(l.file IS NULL OR l.name LIKE '%${LOST}' OR EXISTS (SELECT 1 FROM file f WHERE f.id = l.file AND f.status IN ('gone', 'failed')))`

/** Changes, in place, every stored text that no transcript can give anew. */
export function rewriteTexts(db: Database, packs: Packs, rewriter: TextRewriter, now: number): void {
  for (const lane of db.all(`SELECT l.id, l.session, l.facts, l.side FROM lane l WHERE ${OUT_OF_REACH}`)) {
    if (rewriteLane(db, packs, lane, rewriter)) noteChange(db, Number(lane['session']), 'grown', now)
  }
  rewriteDigests(db, '1', rewriter, now)
  rewriteSessions(db, '1', rewriter, now)
  rewriteShared(db, rewriter)
}

export interface Packs {
  readonly packs: PackWriter
  readonly blobDir: string
}

function rewriteLane(db: Database, { packs, blobDir }: Packs, lane: Row, rewriter: TextRewriter): boolean {
  const id = Number(lane['id'])
  const words = rewriteEvents(db, id, rewriter)
  const bodies = rewriteBodies(db, packs, blobDir, lane, rewriter)
  const facts = rewriteJson(db, 'lane', ['facts', 'side'], lane, rewriter)
  if (words || bodies) indexExchanges(db, id, 0)
  if (bodies) dropDeadChunks(db, Number(lane['session']))
  return words || bodies || facts
}

/** Changes, in place, every text that is stored of one session. Returns whether there was one to change. */
export function rewriteSession(db: Database, packs: Packs, uid: string, rewriter: TextRewriter, now: number): boolean {
  const id = idOf(db, uid) ?? -1
  const evidence = rewriteEvidence(db, id, rewriter)
  let changed = evidence
  for (const lane of db.all('SELECT l.id, l.session, l.facts, l.side FROM lane l WHERE l.session = ?', id)) {
    changed = rewriteLane(db, packs, lane, rewriter) || changed
    if (evidence) indexExchanges(db, Number(lane['id']), 0)
  }
  const files = db.all(
    'SELECT id, state FROM file WHERE id IN (SELECT file FROM lane WHERE session = ? AND file IS NOT NULL)',
    id,
  )
  changed = rewriteDigests(db, `s.id = ${id}`, rewriter, now) || changed
  for (const row of files) changed = rewriteJson(db, 'file', ['state'], row, rewriter) || changed
  changed = rewriteSessions(db, `id = ${id}`, rewriter, now) || changed
  changed = rewriteShared(db, rewriter, id) || changed
  if (changed) markStale(db, id)
  if (changed) noteChange(db, id, 'grown', now)
  return changed
}

/** Files that a session has touched, and what it made. */
function rewriteEvidence(db: Database, session: number, { text }: TextRewriter): boolean {
  const events = 'SELECT e.id FROM event e JOIN lane l ON l.id = e.lane WHERE l.session = ?1'
  let changed = false
  for (const row of db.all(
    `SELECT id, name FROM path WHERE id IN (SELECT path FROM touch WHERE event IN (${events})
       UNION SELECT path FROM touched WHERE session = ?1 UNION SELECT path FROM part_touched WHERE session = ?1)`,
    session,
  )) {
    const after = text(String(row['name']))
    if (after === row['name']) continue
    const isTaken = db.get('SELECT 1 FROM path WHERE name = ?', after) !== undefined
    db.run('UPDATE path SET name = ? WHERE id = ?', isTaken ? `${after}#${row['id']}` : after, Number(row['id']))
    changed = true
  }
  for (const row of db.all(`SELECT event, kind, value FROM made WHERE event IN (${events})`, session)) {
    const after = text(String(row['value']))
    if (after === row['value']) continue
    const key = [Number(row['event']), String(row['kind']), String(row['value'])] as const
    db.run('UPDATE OR REPLACE made SET value = ? WHERE event = ? AND kind = ? AND value = ?', after, ...key)
    changed = true
  }
  return changed
}

/** Columns of an event with words of others in them; JSON in `input`. */
const EVENT_TEXTS = [
  'text',
  'summary',
  'tool',
  'event_class',
  'bash_base',
  'bash_sub',
  'runs',
  'thread',
  'marks',
] as const

function rewriteEvents(db: Database, lane: number, { text, json }: TextRewriter): boolean {
  let changed = false
  for (const row of db.all(`SELECT id, input, ${EVENT_TEXTS.join(', ')} FROM event WHERE lane = ?`, lane)) {
    const input = row['input'] === null ? null : JSON.stringify(json(JSON.parse(String(row['input']))))
    const now = EVENT_TEXTS.map((column) => (typeof row[column] === 'string' ? text(row[column]) : null))
    if (input === row['input'] && now.every((value, i) => value === row[EVENT_TEXTS[i] ?? ''])) continue
    const set = EVENT_TEXTS.map((column) => `${column} = ?`).join(', ')
    db.run(`UPDATE event SET input = ?, ${set} WHERE id = ?`, input, ...now, Number(row['id']))
    changed = true
  }
  return changed
}

function rewriteBodies(db: Database, packs: PackWriter, blobDir: string, lane: Row, { text }: TextRewriter): boolean {
  const rows = db.all(
    `SELECT e.id, e.body_offset AS start, e.body_length AS size, c.id AS chunk, c.pack, c.offset, c.length, c.crc
     FROM event e JOIN chunk c ON c.id = e.chunk WHERE e.lane = ? ORDER BY c.id, e.body_offset`,
    Number(lane['id']),
  )
  let changed = false
  let at = -1
  let chunk: Buffer | null = null
  for (const row of rows) {
    if (Number(row['chunk']) !== at) {
      at = Number(row['chunk'])
      chunk = readChunk(blobDir, chunkPlace(row))
    }
    const start = Number(row['start'])
    const body = chunk?.toString('utf8', start, start + Number(row['size'])) ?? ''
    const now = text(body)
    if (now === body) continue
    const raw = Buffer.from(now)
    const moved = packs.append(packChunk(raw))
    const own = saveChunk(db, Number(lane['session']), moved, raw.length)
    db.run(
      'UPDATE event SET chunk = ?, body_offset = 0, body_length = ? WHERE id = ?',
      own,
      raw.length,
      Number(row['id']),
    )
    changed = true
  }
  return changed
}

function rewriteJson(
  db: Database,
  table: string,
  columns: readonly string[],
  row: Row,
  { json }: TextRewriter,
): boolean {
  let changed = false
  for (const column of columns) {
    const before = row[column]
    if (typeof before !== 'string') continue
    const after = JSON.stringify(json(JSON.parse(before)))
    if (after === before) continue
    db.run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, after, Number(row['id']))
    changed = true
  }
  return changed
}

/** Also those of parts that were evicted. */
function rewriteDigests(db: Database, which: string, rewriter: TextRewriter, now: number): boolean {
  const rows = db.all(
    `SELECT d.rowid AS id, d.json, d.part, s.id AS session FROM digests d LEFT JOIN session s ON s.uid = d.session_uid WHERE ${which}`,
  )
  const changed = rows.filter((row) => rewriteJson(db, 'digests', ['json', 'part'], row, rewriter))
  for (const row of changed) noteChange(db, Number(row['session']), 'analysed', now)
  return changed.length > 0
}

const SESSION_TEXTS = ['title', 'told_title', 'cwd', 'git_repo', 'git_branch', 'model', 'task_ref'] as const

function rewriteSessions(db: Database, which: string, rewriter: TextRewriter, now: number): boolean {
  const { text } = rewriter
  let some = false
  const columns = `id, evicted_at, indexed_title, part, ${SESSION_TEXTS.join(', ')}`
  for (const row of db.all(`SELECT ${columns} FROM session WHERE ${which}`)) {
    const id = Number(row['id'])
    let changed = rewriteJson(db, 'session', ['part'], row, rewriter)
    for (const column of SESSION_TEXTS) {
      const before = row[column]
      const after = typeof before === 'string' ? text(before) : null
      if (after === null || after === before) continue
      db.run(`UPDATE session SET ${column} = ? WHERE id = ?`, after, id)
      changed = true
    }
    if (changed) noteChange(db, id, 'tagged', now)
    some ||= changed
    const title = row['indexed_title']
    if (typeof title === 'string' && text(title) !== title) indexTitle(db, id, text(title))
    if (row['evicted_at'] === null) continue
    dropDigestLane(db, id)
    indexDigest(db, id)
  }
  return some
}

/** Texts that stand apart from the session they are of. */
const SHARED = [
  ['problem', 'message', 'file IN (SELECT file FROM lane WHERE session = ?)'],
  ['signal', 'summary', 'session = ?'],
  ['own_title', 'title', 'session_uid = (SELECT uid FROM session WHERE id = ?)'],
  ['own_title', 'was', 'session_uid = (SELECT uid FROM session WHERE id = ?)'],
  ['told_title', 'title', 'leaf IN (SELECT e.native FROM event e JOIN lane l ON l.id = e.lane WHERE l.session = ?)'],
] as const

function rewriteShared(db: Database, { text }: TextRewriter, session?: number): boolean {
  let changed = false
  for (const [table, column, of] of SHARED) {
    const rows =
      session === undefined
        ? db.all(`SELECT DISTINCT ${column} AS value FROM ${table}`)
        : db.all(`SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${of}`, session)
    for (const row of rows) {
      if (row['value'] === null) continue
      const before = String(row['value'])
      const after = text(before)
      if (after === before) continue
      db.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, after, before)
      changed = true
    }
  }
  return changed
}
