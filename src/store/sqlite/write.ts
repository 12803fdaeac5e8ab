import { callId, messageId, orphanCallId, sessionUid } from '../../model/ids.ts'
import type { PackWriter } from '../blobs/packs.ts'
import { FLAG, type AppendTally, type EventRow, type FileCheckpoint, type LaneBatch, type UnitBatch } from '../store.ts'
import { noteChange } from './changes.ts'
import { claimRecords } from './duplicate-records.ts'
import { dropDeadChunks, keepPack, saveChunk } from './compact.ts'
import { numberOf, type Database } from './database.ts'
import { indexExchanges } from './exchanges.ts'
import { EvidenceWriter } from './evidence.ts'
import { evictedMark, newWords, returnPart, returnWhole } from './evicted-part.ts'
import { keptBodies } from './kept-bodies.ts'
import { keepKnown } from './known-secrets.ts'
import { lanesOf, openLane, type LaneHandle } from './lanes.ts'
import { saveUsage } from './ledger.ts'
import { uidOf } from './session-ids.ts'
import { writeSessionRow } from './session-row.ts'
import { setAside, dropFoundAgain } from './superseded-lanes.ts'
import { DirtySessions } from './dirty-sessions.ts'
import { NOT_A_TRANSCRIPT } from './lane-names.ts'

const MAX_FORKS = 100_000
const MAX_DEPTH = 64

/** Keeps batches inside the caller's transaction. */
export function appendBatches(
  db: Database,
  packs: PackWriter,
  batches: readonly UnitBatch[],
  { now, since }: { readonly now: number; readonly since: number },
): AppendTally {
  const touched = new DirtySessions()
  for (const batch of batches) appendUnit(db, packs, batch, touched, { now, since })
  const claims = claimRecords(db, touched.written)
  for (const lane of claims.lanes) touched.lane(lane, 0)
  for (const session of claims.sessions) touched.sessions.add(session)
  for (const id of forksLast(db, touched.sessions)) {
    for (const lane of writeSessionRow(db, id, now)) touched.lane(lane, 0)
    noteChange(db, id, 'grown', now)
  }
  for (const [lane, from] of bySession(db, touched.lanes)) indexExchanges(db, lane, from)
  keepPack(db, packs.current)
  const uids = [...touched.sessions].map((id) => uidOf(db, id))
  return { events: touched.events, problems: touched.problems, created: [...touched.created], touched: uids }
}

/** Lanes in the order of their documents: whenever a number is lower than the last, a full-text index writes out what is pending. */
function bySession(db: Database, lanes: ReadonlyMap<number, number>): (readonly [lane: number, from: number])[] {
  const find = db.hot('SELECT session FROM lane WHERE id = ?')
  const placed = [...lanes].map((lane) => ({ lane, session: Number(find.get(lane[0])?.['session']) }))
  return placed.sort((a, b) => a.session - b.session).map(({ lane }) => lane)
}

/** Sessions to settle, and all that were forked from them, each behind what it was forked from: those count what they inherit as not theirs. */
function forksLast(db: Database, sessions: ReadonlySet<number>): number[] {
  const forked = db.hot('SELECT f.session FROM session s JOIN lane f ON f.fork_of = s.uid WHERE s.id = ?')
  const depths = new Map([...sessions].map((id) => [id, 0]))
  const waiting = [...sessions]
  for (let at = 0; at < waiting.length && at < MAX_FORKS; at++) {
    const id = waiting[at] ?? 0
    for (const row of forked.all(id)) {
      const fork = Number(row['session'])
      const depth = (depths.get(id) ?? 0) + 1
      if (depth <= (depths.get(fork) ?? -1) || depth > MAX_DEPTH) continue
      depths.set(fork, depth)
      waiting.push(fork)
    }
  }
  return [...depths].sort(([, a], [, b]) => a - b).map(([id]) => id)
}

/** `since`: when this process began to write. What it evicted itself, while it read, is read again whole. */
function appendUnit(
  db: Database,
  packs: PackWriter,
  batch: UnitBatch,
  touched: DirtySessions,
  { now, since }: { readonly now: number; readonly since: number },
): void {
  const file = batch.checkpoint === null ? refreshFile(db, batch) : saveFile(db, batch, batch.checkpoint, since)
  if (batch.restart || batch.disown) db.run('DELETE FROM problem WHERE file = ?', file.id)
  if (batch.disown) disown(db, file.id, touched)
  else if (batch.restart) {
    if (batch.again && file.provisional) dropProvisional(db, file, touched, "AND kind = 'lifecycle'")
    setFileAside(db, file.id, touched)
  } else if (file.provisional) dropProvisional(db, file, touched)

  const lanes = new Map<string, LaneHandle>()
  const words = new Map<LaneBatch, readonly EventRow[]>()
  let dropped = false
  for (const lane of batch.lanes) {
    if (isForgotten(db, lane)) continue
    const handle = openLane(db, batch, lane, file.id, touched, now)
    const events = wordsOf(db, handle, lane, file)
    words.set(lane, events)
    dropped ||= events.length < lane.events.length
    if (events.length > 0) backFromEviction(db, handle.session, since)
    lanes.set(`${lane.session}\n${lane.lane}`, handle)
  }
  const kept = dropped ? keptBodies(batch, words) : { chunks: batch.chunks, words }
  const chunks = saveChunks(db, packs, kept.chunks, lanes)
  for (const lane of batch.lanes) {
    const handle = lanes.get(`${lane.session}\n${lane.lane}`)
    if (handle) insertEvents(db, handle, kept.words.get(lane) ?? [], chunks, touched)
  }
  if (dropped) for (const { session } of lanes.values()) dropDeadChunks(db, session)
  for (const span of batch.superseded) {
    const handle = lanes.get(`${span.session}\n${span.lane}`)
    if (handle) supersede(db, handle.id, span, touched)
  }
  saveUsage(db, batch, file.id, lanes, touched)
  for (const known of batch.known ?? []) keepKnown(db, known)
  if (lanes.size > 0 || batch.lanes.length === 0) touched.problems += saveTitlesAndProblems(db, batch, file.id)
  if (batch.lanes.length > 0 && lanes.size === 0) keepForgotten(db, file.id)
  if (!batch.done || batch.checkpoint === null) return
  const looked = dropFoundAgain(db, file.id)
  for (const lane of looked) touched.lane(lane, 0)
  if (looked.length > 0) for (const { session } of lanes.values()) dropDeadChunks(db, session)
}

/** A transcript of forgotten sessions alone was read because it changed: nothing that it says is remembered with it. */
function keepForgotten(db: Database, file: number): void {
  db.run(
    `UPDATE file SET status = 'forgotten', state = 'null', head = '', tail = '', offset = 0, line = 0, provisional = 0 WHERE id = ?`,
    file,
  )
}

function isForgotten(db: Database, lane: LaneBatch): boolean {
  return db.get('SELECT 1 FROM tombstone WHERE uid = ?', sessionUid(lane.flavor, lane.session)) !== undefined
}

/**
 * What of a lane's events is news: of a transcript that is read from its first byte, or again from where its last turn
 * began, not what was evicted before.
 */
function wordsOf(
  db: Database,
  handle: LaneHandle,
  lane: LaneBatch,
  { whole, provisional }: { readonly whole: boolean; readonly provisional: boolean },
): readonly EventRow[] {
  if (lane.events.length === 0) return lane.events
  const row = db.get(
    `SELECT l.name, l.evicted_until, l.evicted_line, s.evicted_at,
       (SELECT max(o.evicted_until) FROM lane o WHERE o.session = l.session) AS until, l.yields_to IS NOT NULL AND EXISTS (
       SELECT 1 FROM lane o WHERE o.session = l.session AND o.yields_to IS NULL AND o.name NOT LIKE '${NOT_A_TRANSCRIPT}%') AS transcribed
     FROM lane l JOIN session s ON s.id = l.session WHERE l.id = ?`,
    handle.id,
  )
  // What a log of prompts says of a session that its own transcript tells is no news.
  if (row?.['evicted_at'] !== null && row?.['transcribed'] === 1) return []
  const own = evictedMark(row)
  // What another file tells of the evicted part for the first time, e.g. a prompt that the transcript has lost, is none either.
  const until = numberOf(row?.['until'])
  if (own === null && until !== null && String(row?.['name']).startsWith(NOT_A_TRANSCRIPT))
    return lane.events.filter(({ at }) => at === null || at > until)
  const mark = whole || provisional ? own : null
  if (mark === null) return lane.events
  return whole ? newWords(lane.events, mark) : lane.events.filter(({ line }) => line > mark.line)
}

/**
 * New words of an evicted session bring back that part. What was evicted by this very process, before all of it had
 * been read, is to be read again whole, its other transcripts too.
 */
function backFromEviction(db: Database, session: number, since: number): void {
  const evicted = db.get('SELECT evicted_at FROM session WHERE id = ?', session)?.['evicted_at']
  if (typeof evicted !== 'number') return
  const marked = db.get('SELECT 1 FROM lane WHERE session = ? AND evicted_line IS NOT NULL LIMIT 1', session)
  if (marked !== undefined && evicted <= since) return returnPart(db, session)
  returnWhole(db, session)
  db.run(
    `UPDATE file SET stamp = '', offset = 0 WHERE status = 'evicted' AND id IN (SELECT file FROM lane WHERE session = ?)`,
    session,
  )
}

interface FileRow {
  readonly id: number
  /** The reading at hand began at the first byte. */
  readonly whole: boolean
  readonly line: number
  readonly provisional: boolean
}

/** Only files beside the transcript were read: where reading stopped stays as it is. */
function refreshFile(db: Database, batch: UnitBatch): FileRow {
  const row = db.get('UPDATE file SET stamp = ? WHERE path = ? RETURNING id, line', batch.stamp, batch.path)
  return { id: Number(row?.['id']), whole: false, line: Number(row?.['line']), provisional: false }
}

/**
 * Writes the checkpoint and returns what the file's row said before. What continues a transcript whose first part was
 * evicted after its reading was planned does not make it whole: it is to be read again.
 */
function saveFile(db: Database, batch: UnitBatch, checkpoint: FileCheckpoint, since: number): FileRow {
  const old = db.get('SELECT id, line, provisional, status, whole FROM file WHERE path = ?', batch.path)
  const whole = batch.restart || (old?.['status'] === 'partial' && old['whole'] === 1)
  const { offset, line, state, head, tail, provisional } = checkpoint
  const headless = old?.['status'] === 'evicted' && !batch.restart && wasEvictedSince(db, Number(old['id']), since)
  const status = headless ? 'evicted' : batch.foreign ? 'skipped' : batch.done ? 'ok' : 'partial'
  const row = db.get(
    `INSERT INTO file (source, path, stamp, size, mtime_ms, status, offset, line, state, head, tail, provisional, whole)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
     ON CONFLICT (path) DO UPDATE SET source = ?1, stamp = ?3, size = ?4, mtime_ms = ?5, status = ?6, offset = ?7,
       line = ?8, state = ?9, head = ?10, tail = ?11, provisional = ?12, whole = ?13
     RETURNING id`,
    batch.source,
    batch.path,
    batch.done && !headless ? batch.stamp : '',
    batch.size,
    batch.mtimeMs,
    status,
    headless ? 0 : offset,
    line,
    state,
    head,
    tail,
    provisional ? 1 : 0,
    whole ? 1 : 0,
  )
  return { id: Number(row?.['id']), whole, line: Number(old?.['line'] ?? 0), provisional: old?.['provisional'] === 1 }
}

function wasEvictedSince(db: Database, file: number, since: number): boolean {
  const evicted =
    'SELECT 1 FROM lane l JOIN session s ON s.id = l.session WHERE l.file = ? AND s.evicted_at > ? LIMIT 1'
  return db.get(evicted, file, since) !== undefined
}

function setFileAside(db: Database, file: number, touched: DirtySessions): void {
  for (const lane of lanesOf(db, file)) {
    const lost = setAside(db, lane.id)
    touched.sessions.add(lane.session)
    touched.lane(lane.id, 0)
    if (lost !== null) touched.lane(lost, 0)
  }
}

function disown(db: Database, file: number, touched: DirtySessions): void {
  for (const lane of lanesOf(db, file)) {
    db.run('DELETE FROM event WHERE lane = ?', lane.id)
    db.run("UPDATE lane SET file = NULL, facts = '{}' WHERE id = ?", lane.id)
    touched.sessions.add(lane.session)
    touched.lane(lane.id, 0)
  }
}

/** Rows of a last line that had no newline yet: the same line comes again, whole. */
function dropProvisional(db: Database, file: FileRow, touched: DirtySessions, which = ''): void {
  for (const lane of lanesOf(db, file.id)) {
    const after = `WHERE lane = ? AND line > ? ${which}`
    const first = db.get(`SELECT min(pos) AS pos FROM event ${after}`, lane.id, file.line)?.['pos']
    if (first === null || first === undefined) continue
    db.run(`DELETE FROM event ${after}`, lane.id, file.line)
    touched.lane(lane.id, Number(first))
    touched.sessions.add(lane.session)
  }
}

function supersede(db: Database, lane: number, span: { from: number; to: number }, touched: DirtySessions): void {
  db.run(
    `UPDATE event SET flags = flags | ${FLAG.superseded} WHERE lane = ? AND pos BETWEEN ? AND ?`,
    lane,
    span.from,
    span.to,
  )
  touched.lane(lane, span.from)
}

function saveChunks(
  db: Database,
  packs: PackWriter,
  chunks: UnitBatch['chunks'],
  lanes: ReadonlyMap<string, LaneHandle>,
): (number | null)[] {
  const bySession = new Map<string, number>()
  for (const [key, lane] of lanes) bySession.set(key.slice(0, key.indexOf('\n')), lane.session)
  return chunks.map((chunk) => {
    const session = bySession.get(chunk.session)
    if (session === undefined) return null
    return saveChunk(db, session, packs.append(chunk.data), chunk.rawBytes)
  })
}

const INSERT_EVENT = `INSERT INTO event (lane, pos, parent, at, kind, role, tool, summary, text, input, chunk, body_offset,
  body_length, flags, native, block, call, message, message_id, call_idx, call_id, line, exchange, event_class, bash_base, bash_sub, runs, thread, marks, parent_key)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

function insertEvents(
  db: Database,
  lane: LaneHandle,
  events: readonly EventRow[],
  chunks: readonly (number | null)[],
  touched: DirtySessions,
): void {
  const first = events[0]
  if (!first) return
  touched.lane(lane.id, first.pos)
  if (!touched.written.has(lane.id)) touched.written.set(lane.id, first.pos)
  const insert = db.hot(INSERT_EVENT)
  const evidence = new EvidenceWriter(db)
  const findParent = db.hot('SELECT max(pos) AS pos FROM event WHERE native = ? AND lane = ?')
  let messageHex = ''
  let messageFor = -1
  for (const e of events) {
    const idx = e.message === null ? null : lane.messageBase + e.message
    if (idx !== null && idx !== messageFor) {
      messageFor = idx
      messageHex = messageId(lane.shortId, idx)
    }
    const ownId = idx !== null && (e.flags & FLAG.messageStart || e.callIdx !== null)
    const key = e.parent instanceof Uint8Array ? e.parent : null
    const parent = e.parent instanceof Uint8Array ? (findParent.get(e.parent, lane.id)?.pos ?? null) : e.parent
    const { lastInsertRowid } = insert.run(
      lane.id,
      e.pos,
      parent,
      e.at,
      e.kind,
      e.role,
      e.tool,
      e.summary,
      e.text,
      e.input,
      e.body ? (chunks[e.body[0]] ?? null) : null,
      e.body?.[1] ?? null,
      e.body?.[2] ?? null,
      e.flags,
      e.native,
      e.block,
      e.call,
      e.message,
      ownId ? Buffer.from(messageHex, 'hex') : null,
      e.callIdx,
      callIdOf(lane, e, idx, messageHex),
      e.line,
      e.exchange,
      e.eventClass,
      e.base,
      e.sub,
      e.runs,
      e.thread,
      e.marks,
      parent === null ? key : null,
    )
    if (e.files.length > 0 || e.made.length > 0) evidence.add(Number(lastInsertRowid), e)
  }
  touched.events += events.length
}

function callIdOf(lane: LaneHandle, event: EventRow, message: number | null, messageHex: string): Buffer | null {
  if (event.callIdx === null) return null
  const hex = message === null ? orphanCallId(lane.shortId, event.callIdx) : callId(messageHex, event.callIdx)
  return Buffer.from(hex, 'hex')
}

/** Gives back how many problems were new. */
function saveTitlesAndProblems(db: Database, batch: UnitBatch, file: number): number {
  for (const { leaf, title } of batch.titles) {
    db.run(
      'INSERT INTO told_title (leaf, title) VALUES (?1, ?2) ON CONFLICT (leaf) DO UPDATE SET title = ?2',
      leaf,
      title,
    )
  }
  let problems = 0
  for (const p of batch.problems) {
    if (p.level === 'info' && isKnownProblem(db, file, p.type)) continue
    problems++
    db.run(
      'INSERT INTO problem (file, type, level, message, line, offset) VALUES (?, ?, ?, ?, ?, ?)',
      file,
      p.type,
      p.level,
      p.message,
      p.line,
      p.offset,
    )
  }
  return problems
}

/** A kind of record that nobody knows is told once a session, however many of them there are. */
function isKnownProblem(db: Database, file: number, type: string): boolean {
  const known = db.get(
    `SELECT 1 FROM problem p WHERE p.type = ?1 AND p.level = 'info' AND (p.file = ?2 OR p.file IN (
       SELECT other.file FROM lane own JOIN lane other ON other.session = own.session WHERE own.file = ?2))`,
    type,
    file,
  )
  return known !== undefined
}
