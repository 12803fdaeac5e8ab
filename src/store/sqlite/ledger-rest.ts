import type { SessionBill } from '../../model/facts.ts'
import { FLAG } from '../store.ts'
import { boundedSum } from './amounts.ts'
import type { Database, Row } from './database.ts'

/** In the key of what was billed to a session beside the responses that its records tell. */
const REST = '~rest'
const SUMS = `${boundedSum('g.input')} AS input, ${boundedSum('g.output')} AS output, ${boundedSum('g.cache_read')} AS cacheRead,
  ${boundedSum('g.cache_write_5m')} AS cacheWrite5m, ${boundedSum('g.cache_write_1h')} AS cacheWrite1h, ${boundedSum('g.reasoning')} AS reasoning`
const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'reasoning'] as const
type Sums = Record<(typeof FIELDS)[number], number>

interface Billed {
  readonly lane: number
  readonly bill: SessionBill
}

/**
 * Keeps as rows of their own what an agent says it billed beyond what its responses, its subagents' and those it
 * copied add up to: compactions and side requests, which no record tells. What a fork inherits is its parents'.
 */
export function saveRest(db: Database, session: number, billed: Billed | null): void {
  // By its key: a session may have very many rows.
  db.run(
    `DELETE FROM ledger WHERE +session = ?1 AND key > (SELECT uid || ':${REST}:' FROM session WHERE id = ?1)
       AND key < (SELECT uid || ':${REST};' FROM session WHERE id = ?1)`,
    session,
  )
  if (billed === null) return
  const own = db.all(`SELECT g.model, ${SUMS} FROM ledger g WHERE g.session = ? GROUP BY g.model`, session)
  const known = sumByModel(own)
  addAll(known, inheritedBy(db, session, billed.lane))
  const bills = sumByModel(billed.bill.models as unknown as readonly Row[])
  const left = total(bills.values())
  for (const sums of known.values()) subtract(left, sums)
  for (const [model, rest] of bills) {
    subtract(rest, known.get(model))
    for (const field of FIELDS) rest[field] = Math.min(rest[field], left[field])
    subtract(left, rest)
    if (FIELDS.some((field) => rest[field] > 0)) insertRest(db, session, billed, { model, rest })
  }
}

/** Sessions that this one was forked from, however far back. */
const ANCESTORS = `WITH RECURSIVE ancestor(id) AS (
    SELECT s.id FROM lane f JOIN session s ON s.uid = f.fork_of WHERE f.session = ?1
    UNION SELECT s.id FROM ancestor a JOIN lane f ON f.session = a.id JOIN session s ON s.uid = f.fork_of WHERE s.id <> ?1)`

/**
 * What a session has of its parents' bills: all that they had cost when it was forked, whether it copied the words or
 * not (those before a compaction and those of subagents it does not). Kept, for it cannot be told any more when a
 * parent's raw text has gone; it never shrinks.
 */
function inheritedBy(db: Database, session: number, lane: number): Map<string, Sums> {
  const kept = db.get("SELECT inherited, fork_of, facts ->> 'writtenSince' AS since FROM lane WHERE id = ?", lane)
  const inherited = new Map(Object.entries(JSON.parse(String(kept?.['inherited'] ?? '{}')) as Record<string, Sums>))
  if (kept?.['fork_of'] === null) return inherited
  const copied = db.all(
    `${ANCESTORS} SELECT g.model, ${SUMS} FROM ledger g WHERE g.session IN (SELECT id FROM ancestor) AND (g.key LIKE '%:${REST}:%' OR g.at < ?2 OR EXISTS (
         SELECT 1 FROM event w JOIN event c ON c.native = w.native AND c.block = w.block AND c.flags & ${FLAG.copy}
           JOIN lane l ON l.id = c.lane AND l.session = ?1
         WHERE w.lane = g.lane AND w.message = g.message))
     GROUP BY g.model`,
    session,
    kept?.['since'] ?? null,
  )
  for (const [model, sums] of sumByModel(copied)) {
    const before = inherited.get(model)
    for (const field of FIELDS) sums[field] = Math.max(sums[field], before?.[field] ?? 0)
    inherited.set(model, sums)
  }
  db.run('UPDATE lane SET inherited = ? WHERE id = ?', JSON.stringify(Object.fromEntries(inherited)), lane)
  return inherited
}

/** Bills name a model with what was asked of it: `claude-x[1m]`. */
function plainModel(model: string): string {
  return model.replace(/\[[^\]]*\]$/, '')
}

function sumByModel(rows: readonly Row[]): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const row of rows) addAll(sums, [[plainModel(String(row['model'] ?? '')), toSums(row)]])
  return sums
}

function addAll(into: Map<string, Sums>, more: Iterable<readonly [string, Sums]>): void {
  for (const [model, sums] of more) {
    const known = into.get(model)
    if (known === undefined) into.set(model, { ...sums })
    else for (const field of FIELDS) known[field] += sums[field]
  }
}

function toSums(row: Row): Sums {
  return Object.fromEntries(FIELDS.map((field) => [field, Number(row[field] ?? 0)])) as Sums
}

function total(all: Iterable<Sums>): Sums {
  const sums = toSums({})
  for (const one of all) for (const field of FIELDS) sums[field] += one[field]
  return sums
}

function subtract(from: Sums, sums: Sums | undefined): void {
  for (const field of FIELDS) from[field] = Math.max(0, from[field] - (sums?.[field] ?? 0))
}

function insertRest(
  db: Database,
  session: number,
  { lane, bill }: Billed,
  { model, rest }: { readonly model: string; readonly rest: Sums },
): void {
  db.run(
    `INSERT INTO ledger (key, flavor, session, lane, owner, message, model, at, input, output, cache_read,
       cache_write_5m, cache_write_1h, reasoning, cost_usd, file, line)
     SELECT s.uid || ':${REST}:' || ?3, s.flavor, s.id, ?2, '0:' || s.uid || ':', NULL, ?3,
       (SELECT max(at) FROM ledger WHERE session = ?1), ?4, ?5, ?6, ?7, ?8, ?9, NULL,
       coalesce((SELECT file FROM lane WHERE id = ?2), 0), ?10
     FROM session s WHERE s.id = ?1`,
    session,
    lane,
    model,
    rest.input,
    rest.output,
    rest.cacheRead,
    rest.cacheWrite5m,
    rest.cacheWrite1h,
    rest.reasoning,
    bill.line,
  )
}
