import { QUARTER_MS, type SumKey } from '../insight.ts'
import type { UsageFilter } from '../store.ts'
import { fromDays, fromEnded, type Source } from './daily-queries.ts'
import { endedSums, type Daily } from './daily.ts'
import type { Database } from './database.ts'
import { SPENT, sumOf, type Rollup } from './rollup.ts'
import type { Condition } from './conditions.ts'
import { between, ofSessions } from './session-conditions.ts'

/** What a sum is filed under, if `q` is a row of a rollup, or with the time of `s` as a whole. */
export const KEYS: Readonly<Record<SumKey, readonly [rollup: string, session: string]>> = {
  all: ['NULL', 'NULL'],
  project: ['coalesce(s.git_repo, s.cwd)', 'coalesce(s.git_repo, s.cwd)'],
  model: ['s.model', 's.model'],
  day: [day(`nullif(q.quarter, -1) * ${QUARTER_MS / 1000}`), day('coalesce(s.ended_at, s.started_at) / 1000')],
  source: ['s.flavor', 's.flavor'],
  session: ['s.uid', 's.uid'],
  quarter: ['nullif(q.quarter, -1)', `coalesce(s.ended_at, s.started_at) / ${QUARTER_MS}`],
}

/** From sums by day where they can tell it, else from those by session. */
export function summed(
  db: Database,
  [rollup, daily]: readonly [Rollup, Daily],
  by: SumKey,
  filter: UsageFilter,
): Source {
  const edge = ({ near, ...within }: { since: number; before: number; near: string }) => keptRows(rollup, within, near)
  const found = fromDays(db, daily, by, filter, edge)
  if (found !== null) return found
  const { sql, ...rest } = rolled(rollup, by, filter)
  return { ...rest, sql: `${sql} AND ${daily.where}` }
}

/** Whole sessions and these sums of them, by when they ended. */
export function ended(db: Database, by: SumKey, filter: UsageFilter, sums: readonly string[]): Source {
  const found = fromEnded(db, by, filter)
  if (found !== null) return found
  const { sql, values } = ofSessions(filter)
  const rows = `SELECT ${KEYS[by][1]} AS key, s.outcome, ${endedSums('s', sums)} FROM session s
    LEFT JOIN digests d ON d.session_uid = s.uid WHERE ${sql} GROUP BY 1, 2`
  return { sql: `FROM (${rows}) q`, values, key: 'q.key', sessions: 'sum(q.sessions)' }
}

/** Rows `q` of a rollup and their sessions `s`. */
export function rolled(rollup: Rollup, by: SumKey, filter: UsageFilter): Source {
  const { since: _, before: __, ...whenever } = filter
  const sessions = ofSessions(whenever)
  const source = keptRows(rollup, filter)
  return {
    sql: `FROM (${source.sql}) q JOIN session s ON s.id = q.session WHERE ${sessions.sql}`,
    values: [...source.values, ...sessions.values],
    key: KEYS[by][0],
    sessions: by === 'session' ? '1' : 'count(DISTINCT q.session)',
  }
}

/**
 * Whole quarters as they are kept; those that the filter cuts through are summed from the rows of their sessions. Where
 * these have gone, when exactly is not known any more: the quarter counts as a whole.
 */
function keptRows(rollup: Rollup, { since, before }: UsageFilter, of: string | null = null): Condition {
  const cut = [since, before].flatMap((time) =>
    time === undefined || time % QUARTER_MS === 0 ? [] : [Math.floor(time / QUARTER_MS)],
  )
  const edges = [...new Set(cut)].join(', ')
  const whole = [`k.quarter NOT IN (${edges})`, ...(of === null ? [] : [`k.session IN ${of}`])]
  if (since !== undefined) whole.push(`k.quarter >= ${Math.floor(since / QUARTER_MS)}`)
  if (before !== undefined) whole.push(`k.quarter BETWEEN 0 AND ${Math.ceil(before / QUARTER_MS) - 1}`)
  const sql = `SELECT k.* FROM ${rollup.table} k WHERE ${whole.join(' AND ')}`
  if (edges === '') return { sql, values: [] }
  const time = between(rollup.time, {
    ...(since === undefined ? {} : { since }),
    ...(before === undefined ? {} : { before }),
  })
  const own = of === null ? 'TRUE' : `session IN ${of}`
  const near = `(SELECT session FROM ${rollup.table} WHERE quarter IN (${edges}) AND ${own})`
  const inEdge = `${rollup.time} / ${QUARTER_MS} IN (${edges}) AND ${time.sql}`
  const gone = `SELECT k.* FROM ${rollup.table} k WHERE k.quarter IN (${edges}) AND ${own}
    AND k.session IN (SELECT id FROM session WHERE evicted_at IS NOT NULL)`
  const parts = [sql, sumOf(rollup, near, inEdge), ...(rollup === SPENT ? [] : [gone])]
  return { sql: parts.join(' UNION ALL '), values: time.values }
}

function day(seconds: string): string {
  return `date(${seconds}, 'unixepoch', 'localtime')`
}
