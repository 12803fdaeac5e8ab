import { CALL_KINDS } from '../../model/event.ts'
import type { SessionFilter } from '../../model/session.ts'
import { FLAG, type DocumentPlace, type ExchangeFilter, type Postings, type TextHit } from '../store.ts'
import type { Database } from './database.ts'
import { sessionOfDocument, WEIGHTS } from './documents.ts'
import { sessionWhere } from './sessions.ts'

const CALLS = CALL_KINDS.map((kind) => `'${kind}'`).join(', ')
/** Constants of FTS5's own ranking, to read from a score how often a document holds a term. */
const K1 = 1.2
const B = 0.75
/** A title is short. */
const TITLE_LENGTH = 60

/** Documents that hold an expression, at most `cap` of them. */
export function readPostings(db: Database, match: string, cap: number): Postings {
  const statement = db.hot(`SELECT f.rowid AS doc, bm25(exchange_fts, ${WEIGHTS}) AS score, x.size FROM exchange_fts f
    LEFT JOIN exchange x ON x.id = f.rowid WHERE exchange_fts MATCH ? LIMIT ?`)
  const rows = statement.all(match, cap + 1) as { doc: number; score: number; size: number | null }[]
  const { documents, average } = measureIndex(db)
  const idf = Math.max(1e-6, Math.log((documents - rows.length + 0.5) / (rows.length + 0.5)))
  const hits = new Map<number, TextHit>()
  for (const { doc, score, size } of rows) {
    const saturation = Math.min(0.999, -score / (idf * (K1 + 1)))
    const k = K1 * (1 - B + (B * (size ?? TITLE_LENGTH)) / average)
    hits.set(doc, { saturation, frequency: (saturation * k) / (1 - saturation) })
  }
  return { hits, capped: rows.length > cap }
}

/**
 * The same for these documents only, by strength against the strongest of them. One pass over all that hold the
 * expression, which is much cheaper than looking each document up.
 */
export function readPostingsIn(db: Database, match: string, docs: readonly number[]): Map<number, TextHit> {
  const statement = db.hot(`SELECT rowid AS doc, -bm25(exchange_fts, ${WEIGHTS}) AS score FROM exchange_fts
    WHERE exchange_fts MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`)
  const rows = statement.all(match, JSON.stringify(docs)) as { doc: number; score: number }[]
  return againstStrongest(rows)
}

function againstStrongest(rows: readonly { doc: number; score: number }[]): Map<number, TextHit> {
  const most = Math.max(1e-12, ...rows.map(({ score }) => score))
  return new Map(
    rows.map(({ doc, score }) => {
      const saturation = (0.8 * score) / most
      return [doc, { saturation, frequency: (K1 * saturation) / (1 - saturation) }]
    }),
  )
}

/** The best documents for an expression by full text alone. */
export function readBest(db: Database, match: string, limit: number): Map<number, TextHit> {
  const statement = db.hot(`SELECT rowid AS doc, -bm25(exchange_fts, ${WEIGHTS}) AS score FROM exchange_fts
    WHERE exchange_fts MATCH ? ORDER BY 2 DESC, 1 LIMIT ?`)
  return againstStrongest(statement.all(match, limit) as { doc: number; score: number }[])
}

interface IndexMeasure {
  readonly documents: number
  readonly sessions: number
  /** Characters of an average document. */
  readonly average: number
}

const measured = new WeakMap<Database, IndexMeasure>()

function measureIndex(db: Database): IndexMeasure {
  const known = measured.get(db)
  if (known) return known
  const kept = db.get("SELECT value FROM meta WHERE key = 'text_measure'")?.['value']
  const measure = typeof kept === 'string' ? (JSON.parse(kept) as IndexMeasure) : countIndex(db)
  measured.set(db, measure)
  return measure
}

/** Counted once at the end of an index, for every question after it: being a little behind does no harm. */
export function keepMeasure(db: Database): void {
  const value = JSON.stringify(countIndex(db))
  db.run("INSERT INTO meta VALUES ('text_measure', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1", value)
}

function countIndex(db: Database): IndexMeasure {
  const row = db.get(
    `SELECT (SELECT count(*) FROM exchange_fts_docsize) AS documents, (SELECT count(*) FROM session) AS sessions,
       (SELECT avg(size) FROM exchange) AS average`,
  )
  return {
    documents: Number(row?.['documents']),
    sessions: Number(row?.['sessions']),
    average: Number(row?.['average']) || 1,
  }
}

export function readSize(db: Database): { documents: number; sessions: number } {
  return measureIndex(db)
}

/** Sessions that a filter lets through. */
export function sessionsWithin(db: Database, filter: Omit<SessionFilter, 'limit'>): Set<number> {
  const { sql, values } = sessionWhere({ ...filter, limit: 0, hidden: true })
  return new Set(db.all(`SELECT s.id FROM session s WHERE ${sql}`, ...values).map((row) => Number(row['id'])))
}

/** Up to so many sessions are looked up one by one. */
const FEW = 200

/** Lengths of sessions against the average of all. */
export function relativeLengths(db: Database, sessions: readonly number[]): Map<number, number> {
  const average = Number(db.get('SELECT avg(row_bytes) AS n FROM session WHERE row_bytes > 0')?.['n']) || 1
  const length = (bytes: number) => (bytes === 0 ? 1 : bytes / average)
  if (sessions.length < FEW) {
    const one = db.hot('SELECT row_bytes FROM session WHERE id = ?')
    const bytesOf = (id: number) => (one.get(id) as { row_bytes: number } | undefined)?.row_bytes ?? 0
    return new Map(sessions.map((id) => [id, length(bytesOf(id))]))
  }
  const all = db.hot('SELECT id, row_bytes FROM session').all() as { id: number; row_bytes: number }[]
  return new Map(all.map(({ id, row_bytes: bytes }) => [id, length(bytes)]))
}

/** Where a document stands; null for what is no exchange: a title, a digest. */
export function placeOf(db: Database, doc: number): DocumentPlace | null {
  const row = db.get(
    'SELECT l.name AS lane, x.ord, x.first_pos, x.last_pos FROM exchange x JOIN lane l ON l.id = x.lane WHERE x.id = ? AND x.last_pos >= 0',
    doc,
  )
  if (!row) return null
  return { session: sessionOfDocument(doc), lane: String(row['lane']), exchange: Number(row['ord']) }
}

export function exchangeFits(db: Database, doc: number, filter: ExchangeFilter): boolean {
  const conditions: string[] = []
  const values: (string | number)[] = [doc]
  if (filter.tool !== undefined) {
    conditions.push(`e.kind IN (${CALLS}) AND lower(e.tool) = ?`)
    values.push(filter.tool.toLowerCase())
  }
  if (filter.kind !== undefined) {
    conditions.push('e.kind = ?')
    values.push(filter.kind)
  }
  if (filter.sidechain) conditions.push(`e.flags & ${FLAG.sidechain}`)
  const where = conditions.map((condition) => `(${condition})`).join(' AND ')
  return (
    db.get(
      `SELECT 1 FROM exchange x JOIN event e ON e.lane = x.lane AND e.pos BETWEEN x.first_pos AND x.last_pos
       WHERE x.id = ? AND ${where} LIMIT 1`,
      ...values,
    ) !== undefined
  )
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
