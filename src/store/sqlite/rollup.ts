import { PROMPT_SIZES, QUARTER_MS } from '../insight.ts'
import { FLAG } from '../store.ts'
import { boundedSum } from './amounts.ts'
import { enterDays, followZone, refreshDays } from './daily.ts'
import type { Database } from './database.ts'
import { CALLS, COUNTED, IS_SHELL } from './event-conditions.ts'
import { readMeta } from './meta.ts'

/** Sums of one table by session and quarter of an hour. Kept as a table of its own, or summed when asked for. */
export interface Rollup {
  readonly table: string
  /** The time of one row of `from`. */
  readonly time: string
  readonly session: string
  readonly columns: string
  /** With a condition on `x.lane` that keeps it to the sessions in question. */
  readonly from: (lanes: string) => string
  readonly where: string
  readonly keys: string
}

const PROMPT = 'g.input + g.cache_read + g.cache_write_5m + g.cache_write_1h'
const SIZE = `CASE ${PROMPT_SIZES.toReversed()
  .map((size) => `WHEN ${PROMPT} > ${size} THEN ${size}`)
  .join(' ')} ELSE 0 END`
const quarter = (time: string) => `coalesce(CAST(${time} AS INTEGER) / ${QUARTER_MS}, -1) AS quarter`

export const SPENT: Rollup = {
  table: 'spent',
  time: 'g.at',
  session: 'g.session',
  columns: `g.session AS session, ${quarter('g.at')}, coalesce(g.model, '') AS model, ${SIZE} AS size,
    count(*) AS responses, ${boundedSum('g.input')} AS input, ${boundedSum('g.output')} AS output, ${boundedSum('g.cache_read')} AS cache_read,
    ${boundedSum('g.cache_write_5m')} AS w5, ${boundedSum('g.cache_write_1h')} AS w1, ${boundedSum('g.reasoning')} AS reasoning,
    coalesce(${boundedSum('g.cost_usd')}, 0) AS recorded_usd, count(g.cost_usd) AS recorded`,
  from: () => 'ledger g',
  where: 'TRUE',
  keys: '1, 2, 3, 4',
}

export const CALLED: Rollup = {
  table: 'called',
  time: 'e.at',
  session: 'l.session',
  columns: `l.session AS session, ${quarter('e.at')}, coalesce(e.tool, '') AS tool, ${IS_SHELL} AS shell,
    coalesce(e.bash_base, '') AS base, coalesce(e.bash_sub, '') AS sub, count(*) AS count, count(r.call) AS errors,
    sum((e.flags & ${FLAG.compound}) <> 0) AS compound`,
  from: (lanes) => `lane l JOIN event e ON e.lane = l.id LEFT JOIN (
      SELECT DISTINCT x.lane, x.call FROM event x WHERE x.kind = 'error' AND x.call IS NOT NULL AND ${lanes}
    ) r ON r.lane = e.lane AND r.call = e.call`,
  where: `e.kind IN (${CALLS}) AND ${COUNTED}`,
  keys: '1, 2, 3, 4, 5, 6',
}

export const TOUCHED: Rollup = {
  table: 'touched',
  time: 'e.at',
  session: 'l.session',
  columns: `l.session AS session, ${quarter('e.at')}, t.path AS path, sum(t.edit) AS edits, sum(1 - t.edit) AS reads`,
  from: () => 'touch t JOIN event e ON e.id = t.event JOIN lane l ON l.id = e.lane',
  where: COUNTED,
  keys: '1, 2, 3',
}

/** `runs` of an event is what its command ran besides what it ran first, as JSON; `[null]` if it cannot be parsed. */
export const RAN: Rollup = {
  table: 'ran',
  time: 'e.at',
  session: 'l.session',
  columns: `l.session AS session, ${quarter('e.at')}, coalesce(j.value, '') AS name, count(*) AS count`,
  from: () => 'lane l JOIN event e ON e.lane = l.id JOIN json_each(e.runs) j',
  where: `e.runs IS NOT NULL AND ${COUNTED}`,
  keys: '1, 2, 3',
}

const ROLLUPS: readonly Rollup[] = [SPENT, CALLED, RAN, TOUCHED]

/** The sums of a session no longer hold; they are made anew, for all such sessions at once, by what follows. */
export function markStale(db: Database, session: number): void {
  db.hot('INSERT OR IGNORE INTO stale_rollup (session) VALUES (?)').run(session)
}

/**
 * Sums what is stale anew, sessions first, then the days they have a part in. Of an evicted session only what is
 * billed: the rest is no longer there to be summed.
 */
export function rollUpStale(db: Database): void {
  rollUpSessions(db)
  followZone(db)
  refreshDays(db)
}

/** As `rollUpStale`; while an index is under way, days wait for its end. */
export function rollUpMeanwhile(db: Database): void {
  if (readMeta(db, 'unfinished') === null) rollUpStale(db)
  else rollUpSessions(db)
}

function rollUpSessions(db: Database): void {
  if (!db.get('SELECT 1 FROM stale_rollup LIMIT 1')) return
  const all = '(SELECT session FROM stale_rollup)'
  // In this order: else every session is looked at.
  const held =
    '(SELECT r.session FROM stale_rollup r CROSS JOIN session s ON s.id = r.session WHERE s.evicted_at IS NULL)'
  for (const rollup of ROLLUPS) {
    const stale = rollup === SPENT ? all : held
    db.run(`DELETE FROM ${rollup.table} WHERE session IN ${stale}`)
    db.run(`INSERT INTO ${rollup.table} ${sumOf(rollup, stale)}`)
    addParts(db, rollup, stale)
  }
  enterDays(db, all)
  for (const table of ['unruled', 'uncharted']) db.run(`INSERT OR IGNORE INTO ${table} ${held.slice(1, -1)}`)
  db.run('DELETE FROM stale_rollup')
}

/** Sums that come from events, by what their rows are told apart by. Those of an evicted part are kept apart. */
const ADDED: Readonly<Record<string, { readonly keys: string; readonly sums: readonly string[] }>> = {
  called: { keys: 'session, quarter, tool, shell, base, sub', sums: ['count', 'errors', 'compound'] },
  ran: { keys: 'session, quarter, name', sums: ['count'] },
  touched: { keys: 'session, quarter, path', sums: ['edits', 'reads'] },
}

/** Adds what is kept of parts of sessions that were evicted before new words came. */
function addParts(db: Database, { table }: Rollup, sessions: string): void {
  const added = ADDED[table]
  if (added === undefined) return
  const sums = added.sums.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')
  db.run(`INSERT INTO ${table} SELECT * FROM part_${table} WHERE session IN ${sessions}
    ON CONFLICT (${added.keys}) DO UPDATE SET ${sums}`)
}

/** The sums as they are kept: of a set of sessions, and of what fits a condition. */
export function sumOf(rollup: Rollup, sessions: string, condition = 'TRUE'): string {
  return `SELECT ${rollup.columns} FROM ${rollup.from(`x.lane IN (SELECT id FROM lane WHERE session IN ${sessions})`)}
    WHERE ${rollup.where} AND ${rollup.session} IN ${sessions} AND ${condition} GROUP BY ${rollup.keys}`
}

/** Brings the sums of an evicted session, or of its evicted part, over from another store: its rows are no longer there to be summed. */
export function carryRollups(
  db: Database,
  old: Database,
  { from, to, tables }: { readonly from: number; readonly to: number; readonly tables: '' | 'part_' },
): void {
  for (const { table } of [CALLED, RAN]) {
    for (const row of old.all(`SELECT * FROM ${tables}${table} WHERE session = ?`, from)) {
      const columns = Object.keys(row)
      const values = columns.map((name) => (name === 'session' ? to : (row[name] ?? null)))
      db.run(
        `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        ...values,
      )
    }
  }
  const touched = old.all(
    `SELECT t.quarter, p.name, t.edits, t.reads FROM ${tables}touched t JOIN path p ON p.id = t.path WHERE t.session = ?`,
    from,
  )
  for (const { quarter = 0, name = '', edits = 0, reads = 0 } of touched) {
    db.run('INSERT OR IGNORE INTO path (name) VALUES (?)', name)
    db.run(
      'INSERT OR REPLACE INTO touched (session, quarter, path, edits, reads) SELECT ?, ?, id, ?, ? FROM path WHERE name = ?',
      to,
      quarter,
      edits,
      reads,
      name,
    )
  }
  markStale(db, to)
}
