import type { SessionFilter } from '../../model/session.ts'
import type { DocumentPlace, ExchangeFilter, Postings, TextMessage } from '../text-index.ts'
import type { Database } from './database.ts'
import { keepMeta, readMeta } from './meta.ts'
import { fieldOf, sessionOfDocument, WEIGHTS } from './document-ids.ts'
import { holdingWhere, sessionWhere } from './session-conditions.ts'
import { HIDDEN } from './event-conditions.ts'

/** Among so many of the documents that came last the best are looked for: ranking all that hold a common word is slow. */
const LATEST = 1500

/** Documents that hold an expression, in the order of their numbers, at most `cap` of them. */
export function readPostings(db: Database, match: string, cap: number): Postings {
  const docs = readDocuments(
    db,
    'SELECT rowid AS doc FROM exchange_fts WHERE exchange_fts MATCH ? LIMIT ?',
    match,
    cap + 1,
  )
  if (docs.length <= cap) return { hits: new Set(docs), holding: docs.length, capped: false }
  const last = Number(db.get('SELECT max(id) AS id FROM exchange_fts_docsize')?.['id'])
  const share = (docs[docs.length - 1] ?? 1) / last
  return { hits: new Set(docs), holding: Math.round(docs.length / share), capped: true }
}

/** Of the last documents that hold an expression those that fit it best, best first. */
export function readBest(db: Database, match: string, limit: number): number[] {
  const latest = `SELECT rowid AS doc, bm25(exchange_fts, ${WEIGHTS}) AS score FROM exchange_fts
    WHERE exchange_fts MATCH ? ORDER BY rowid DESC LIMIT ${LATEST}`
  return readDocuments(db, `SELECT doc FROM (${latest}) ORDER BY score, doc DESC LIMIT ?`, match, limit)
}

export function readLast(db: Database, match: string, limit: number): number[] {
  const sql = 'SELECT rowid AS doc FROM exchange_fts WHERE exchange_fts MATCH ? ORDER BY rowid DESC LIMIT ?'
  return readDocuments(db, sql, match, limit)
}

export function countDocuments(db: Database, match: string): number {
  return Number(db.get('SELECT count(*) AS n FROM exchange_fts WHERE exchange_fts MATCH ?', match)?.['n'])
}

/** Thousands of numbers in one row: much cheaper than as many rows. */
function readDocuments(db: Database, sql: string, match: string, limit: number): number[] {
  const row = db.get(`SELECT json_group_array(doc) AS docs FROM (${sql})`, match, limit)
  return JSON.parse(String(row?.['docs'])) as number[]
}

interface IndexMeasure {
  readonly documents: number
  readonly sessions: number
  /** Of an average session. */
  readonly sessionBytes: number
}

/** What was measured, and of which state of the file: another process may have written since. */
const measured = new WeakMap<Database, { readonly version: number; readonly measure: IndexMeasure }>()

function measureIndex(db: Database): IndexMeasure {
  const version = Number(db.get('PRAGMA data_version')?.['data_version'])
  const now = measured.get(db)
  if (now?.version === version) return now.measure
  const kept = readMeta(db, 'text_measure')
  const measure = kept !== null ? (JSON.parse(kept) as IndexMeasure) : countIndex(db)
  measured.set(db, { version, measure })
  return measure
}

/** Counted once at the end of an index, for every question after it: being a little behind does no harm. */
export function keepMeasure(db: Database): void {
  const value = JSON.stringify(countIndex(db))
  keepMeta(db, 'text_measure', value)
}

function countIndex(db: Database): IndexMeasure {
  const row = db.get(
    `SELECT (SELECT count(*) FROM exchange_fts_docsize) AS documents, (SELECT count(*) FROM session) AS sessions,
       (SELECT avg(row_bytes) FROM session WHERE row_bytes > 0) AS bytes`,
  )
  return {
    documents: Number(row?.['documents']),
    sessions: Number(row?.['sessions']),
    sessionBytes: Number(row?.['bytes']) || 1,
  }
}

export function readSize(db: Database): IndexMeasure {
  return measureIndex(db)
}

/** Sessions that a filter lets through. */
export function sessionsWithin(db: Database, filter: Omit<SessionFilter, 'limit'>): Set<number> {
  const { sql, values } = sessionWhere({ ...filter, limit: 0, hidden: true })
  return new Set(db.all(`SELECT s.id FROM session s WHERE ${sql}`, ...values).map((row) => Number(row['id'])))
}

/** Lengths of sessions against the average of all; those without text are left out. */
export function relativeLengths(db: Database, sessions: readonly number[]): Map<number, number> {
  const { sessionBytes: average } = measureIndex(db)
  const row = db.get(
    `SELECT json_group_array(id) AS ids, json_group_array(row_bytes) AS bytes FROM session
     WHERE id IN (SELECT value FROM json_each(?)) AND row_bytes > 0`,
    JSON.stringify(sessions),
  ) as { ids: string; bytes: string }
  const bytes = JSON.parse(row.bytes) as number[]
  return new Map((JSON.parse(row.ids) as number[]).map((id, i) => [id, (bytes[i] ?? average) / average]))
}

export function pathsOf(db: Database, doc: number): { seq: number; path: string }[] {
  const rows = db.all(
    `SELECT min(l.base + e.pos) AS seq, p.name FROM exchange x JOIN lane l ON l.id = x.lane
       JOIN event e ON e.lane = x.lane AND e.pos BETWEEN x.first_pos AND x.last_pos
       JOIN touch t ON t.event = e.id JOIN path p ON p.id = t.path
     WHERE x.id = ? AND e.flags & ${HIDDEN} = 0 GROUP BY p.id ORDER BY 1, 2`,
    doc,
  )
  return rows.map((row) => ({ seq: Number(row['seq']), path: String(row['name']) }))
}

/** So much of a message is looked at. */
const LONGEST_MESSAGE = 20_000

export function messagesOf(db: Database, doc: number): TextMessage[] {
  const rows = db
    .hot(
      `SELECT l.base + e.pos AS seq, e.kind, e.flags, CASE WHEN octet_length(e.text) > ${LONGEST_MESSAGE} THEN substr(e.text, 1, ${LONGEST_MESSAGE}) ELSE e.text END AS text, octet_length(e.text) AS length
       FROM exchange x JOIN lane l ON l.id = x.lane JOIN event e ON e.lane = x.lane AND e.pos BETWEEN x.first_pos AND x.last_pos
       WHERE x.id = ? AND e.text IS NOT NULL AND e.flags & ${HIDDEN} = 0 ORDER BY e.pos`,
    )
    .all(doc)
  return rows.flatMap((row) => {
    const field = fieldOf(String(row['kind']), Number(row['flags']))
    if (field === null) return []
    return [{ seq: Number(row['seq']), field, text: String(row['text']), length: Number(row['length']) }]
  })
}

/** Where a document stands; null for what is no exchange: a title, a digest. */
export function placeOf(db: Database, doc: number): DocumentPlace | null {
  const row = db.get(
    'SELECT l.name AS lane, l.base, x.ord, x.first_pos, x.last_pos FROM exchange x JOIN lane l ON l.id = x.lane WHERE x.id = ? AND x.last_pos >= 0',
    doc,
  )
  if (!row) return null
  const seq = (pos: 'first_pos' | 'last_pos') => Number(row['base']) + Number(row[pos])
  return {
    session: sessionOfDocument(doc),
    lane: String(row['lane']),
    exchange: Number(row['ord']),
    firstSeq: seq('first_pos'),
    lastSeq: seq('last_pos'),
  }
}

export function exchangeFits(db: Database, doc: number, filter: ExchangeFilter): boolean {
  const held = holdingWhere(filter)
  const fitting = db.get(
    `SELECT 1 FROM exchange x JOIN event e ON e.lane = x.lane AND e.pos BETWEEN x.first_pos AND x.last_pos
     WHERE x.id = ? AND ${held.sql} LIMIT 1`,
    doc,
    ...held.values,
  )
  return fitting !== undefined
}

/** Exchanges of sessions, newest session first: what a query without words asks for. */
export function latestDocuments(db: Database, sessions: ReadonlySet<number>, limit: number): number[] {
  const rows = db.all(
    `SELECT x.id, l.session FROM session s JOIN lane l ON l.session = s.id JOIN exchange x ON x.lane = l.id
     ORDER BY coalesce(s.ended_at, s.started_at) DESC, s.uid, x.id DESC LIMIT ?`,
    limit,
  )
  return rows.filter((row) => sessions.has(Number(row['session']))).map((row) => Number(row['id']))
}
