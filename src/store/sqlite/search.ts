import { CALL_KINDS } from '../../model/event.ts'
import type { ExchangeHit, FtsQuery } from '../store.ts'
import type { Database, Value } from './database.ts'
import { sessionWhere } from './sessions.ts'

const CALLS = CALL_KINDS.map((kind) => `'${kind}'`).join(', ')
/** How much a match in each field weighs: prompt, answer, thinking, command, other. */
const WEIGHTS = '4.0, 2.0, 1.0, 3.0, 1.0'

/** Exchanges that match, best first. Ties break by age, then by place, so that the order never changes by itself. */
export function searchExchanges(db: Database, query: FtsQuery): { hits: ExchangeHit[]; total: number } {
  const where = sessionWhere({ ...query.filter, hidden: true })
  const values: Value[] = [query.match, ...where.values]
  let condition = where.sql
  if (query.tool !== undefined) {
    condition += ` AND EXISTS (SELECT 1 FROM event e WHERE e.lane = x.lane AND e.pos BETWEEN x.first_pos AND x.last_pos
      AND e.kind IN (${CALLS}) AND lower(e.tool) = ?)`
    values.push(query.tool.toLowerCase())
  }
  const matches = `WITH f AS MATERIALIZED (
      SELECT rowid AS id, -bm25(exchange_fts, ${WEIGHTS}) AS score FROM exchange_fts WHERE exchange_fts MATCH ?
    ), hit AS MATERIALIZED (
      SELECT l.session, s.uid, s.started_at, l.name AS lane, x.ord AS exchange, min(x.first_pos) AS pos, max(f.score) AS score
      FROM f JOIN exchange x ON x.id = f.id JOIN lane l ON l.id = x.lane JOIN session s ON s.id = l.session
      WHERE ${condition} GROUP BY x.lane, x.ord)`
  const rows = db.all(
    `${matches} SELECT *, (SELECT count(*) FROM hit) AS total FROM hit
     ORDER BY score DESC, started_at DESC, uid, lane, pos LIMIT ?`,
    ...values,
    query.limit === 0 ? -1 : query.limit,
  )
  const hits = rows.map((row) => ({
    sessionId: Number(row['session']),
    lane: String(row['lane']),
    exchange: Number(row['exchange']),
    score: Number(row['score']),
  }))
  return { hits, total: Number(rows[0]?.['total'] ?? 0) }
}
