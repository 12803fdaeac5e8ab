import { QUARTER_MS, type SumKey } from '../insight.ts'
import type { UsageFilter } from '../store.ts'
import { boundedSum } from './amounts.ts'
import type { Daily } from './daily.ts'
import { ENDED_SUMS, endDay, endedSums, zone } from './daily.ts'
import type { Database, Value } from './database.ts'
import { readMeta } from './meta.ts'
import { placesOf } from './session-groups.ts'

/** `FROM … WHERE …` over rows `q`, what they are filed under, and in how many sessions. */
export interface Source {
  readonly sql: string
  readonly values: Value[]
  readonly key: string
  readonly sessions: string
}

const KEYS: Readonly<Partial<Record<SumKey, string>>> = {
  all: 'NULL',
  day: "nullif(q.day, '')",
  project: 'coalesce(s.git_repo, s.cwd)',
  model: 's.model',
  source: 's.flavor',
}

interface Days {
  /** A condition on `q.day`. */
  readonly whole: string
  /** The day that `since` cuts through. */
  readonly cut: { readonly day: string; readonly since: number; readonly next: number } | null
}

/** Rows of sums by day and place; null if they cannot tell what is asked for: sessions must then. */
export function fromDays(
  db: Database,
  { table, ...daily }: Daily,
  by: SumKey,
  filter: UsageFilter,
  edge: Edge,
): Source | null {
  const { keys, sums, counts } = daily
  const columns = [...keys, ...sums, ...(counts ? ['sessions', 'last'] : [])]
  // How many sessions had something before a time cannot be told from days that know only what came later.
  if (counts && filter.before !== undefined) return null
  return source(db, { table, columns, by, filter }, ({ since, next, day }) => {
    const rows = edge({ since, before: next, near: `(SELECT session FROM worked WHERE day = '${day}')` })
    const later = `(SELECT 1 FROM ${daily.rollup} z WHERE z.session = q.session AND z.quarter >= ${Math.floor(next / QUARTER_MS)}
      ${keys.map((name) => `AND z.${name} = q.${name}`).join(' ')})`
    const found = counts
      ? [
          ', count(DISTINCT q.session) AS sessions',
          `, count(DISTINCT CASE WHEN NOT EXISTS ${later} THEN q.session END) AS last`,
        ]
      : []
    return {
      sql: `${keys.map((name) => `q.${name}`).join(', ')}, ${sums.map((name) => `${boundedSum(`q.${name}`)} AS ${name}`).join(', ')} ${found.join('')}
        FROM (${rows.sql}) q JOIN session_place h ON h.session = q.session WHERE ${daily.where}`,
      values: rows.values,
      group: keys.map((name) => `q.${name}`).join(', '),
    }
  })
}

/** Rows of a rollup within a stretch of time, of sessions near it. */
export type Edge = (within: { since: number; before: number; near: string }) => { sql: string; values: Value[] }

/** Whole sessions, by the day they ended. */
export function fromEnded(db: Database, by: SumKey, filter: UsageFilter): Source | null {
  const columns = ['outcome', ...ENDED_SUMS]
  return source(db, { table: 'day_ended', columns, by, filter }, ({ since, day }) => ({
    sql: `q.outcome, ${endedSums('q')} FROM worked w JOIN session q ON q.id = w.session
      JOIN session_place h ON h.session = q.id LEFT JOIN digests d ON d.session_uid = q.uid
      WHERE w.day = '${day}' AND w.day = ${endDay('q')} AND coalesce(q.ended_at, q.started_at) >= ${since}`,
    values: [],
    group: 'q.outcome',
  }))
}

interface Asked {
  readonly table: string
  readonly columns: readonly string[]
  readonly by: SumKey
  readonly filter: UsageFilter
}

type CutRows = (cut: NonNullable<Days['cut']>) => { sql: string; values: Value[]; group: string }

function source(db: Database, { table, columns, by, filter }: Asked, cutRows: CutRows): Source | null {
  const key = KEYS[by]
  const places = placesOf(filter)
  const days = daysOf(filter)
  if (key === undefined || places === null || days === null || !isOfThisZone(db)) return null
  const isPlaced = places.join !== '' || !['all', 'day'].includes(by)
  const whole = `SELECT q.day, q.place, ${columns.map((name) => `q.${name}`).join(', ')} FROM ${table} q
    WHERE q.place ${isPlaced ? '> 0' : '= 0'} AND ${days.whole}`
  const cut = days.cut === null ? null : cutRows(days.cut)
  const near =
    cut === null
      ? ''
      : `UNION ALL SELECT '${days.cut?.day}', ${isPlaced ? 'h.place' : '0'}, ${cut.sql} GROUP BY ${isPlaced ? 'h.place, ' : ''}${cut.group}`
  return {
    sql: `FROM (${whole} ${near}) q ${isPlaced ? 'JOIN place s ON s.id = q.place' : ''} WHERE ${places.sql}`,
    values: [...(cut?.values ?? []), ...places.values],
    key,
    sessions: by === 'day' ? 'sum(q.sessions)' : 'sum(q.last)',
  }
}

/** Found once for all that is asked of a store: it takes milliseconds. */
const zones = new WeakMap<Database, string>()

function isOfThisZone(db: Database): boolean {
  const here = zones.get(db) ?? zone()
  zones.set(db, here)
  return readMeta(db, 'day_zone') === here
}

/** Null where the end of the time cuts through a day. */
function daysOf({ since, before }: UsageFilter): Days | null {
  const parts = ['TRUE']
  if (before !== undefined) {
    if (before !== midnight(before) || (since !== undefined && before <= since)) return null
    parts.push(`q.day BETWEEN '1' AND '9' AND q.day < '${dayName(before)}'`)
  }
  if (since === undefined) return { whole: parts.join(' AND '), cut: null }
  const isWhole = since === midnight(since)
  parts.push(`q.day ${isWhole ? '>=' : '>'} '${dayName(since)}'`)
  const cut = isWhole ? null : { day: dayName(since), since, next: midnight(since, 1) }
  return { whole: parts.join(' AND '), cut }
}

/** The first moment of the local day, or of one some days later. */
function midnight(time: number, later = 0): number {
  const at = new Date(time)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + later).getTime()
}

function dayName(time: number): string {
  const at = new Date(time)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
