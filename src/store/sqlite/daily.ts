import { QUARTER_MS } from '../insight.ts'
import { boundedSum } from './amounts.ts'
import type { Database } from './database.ts'
import { VISIBLE } from './session-conditions.ts'
import { keepMeta, readMeta } from './meta.ts'

/** Sums of a rollup over all sessions of a place on a local day. */
export interface Daily {
  readonly table: string
  /** The rollup it sums. */
  readonly rollup: string
  readonly where: string
  readonly keys: readonly string[]
  readonly sums: readonly string[]
  /** Also tells in how many sessions: `sessions` on that day, `last` those in which it never came up later. */
  readonly counts: boolean
}

const TOKENS = ['input', 'output', 'cache_read', 'w5', 'w1', 'reasoning']

export const DAY_SPENT = daily(
  'day_spent',
  'spent',
  ['model', 'size'],
  ['responses', ...TOKENS, 'recorded_usd', 'recorded'],
)
export const DAY_SHELL: Daily = {
  ...daily('day_shell', 'called', ['base', 'sub'], ['count', 'errors', 'compound']),
  where: 'q.shell',
}
export const DAY_TOOL: Daily = { ...daily('day_tool', 'called', ['tool'], ['count', 'errors']), counts: true }
export const DAY_RAN = daily('day_ran', 'ran', ['name'], ['count'])
export const DAY_TOUCHED: Daily = { ...daily('day_touched', 'touched', ['path'], ['edits', 'reads']), counts: true }

const DAILIES: readonly Daily[] = [DAY_SPENT, DAY_SHELL, DAY_TOOL, DAY_RAN, DAY_TOUCHED]
const SPENT_TIME = ['active_s', 'agent_s', 'waiting_s', 'idle_s']
/** Sums of whole sessions, on the day they ended. */
export const ENDED_SUMS: readonly string[] = ['sessions', 'prompts', 'calls', 'silent', 'analysed', ...SPENT_TIME]

function daily(table: string, rollup: string, keys: readonly string[], sums: readonly string[]): Daily {
  return { table, rollup, where: 'TRUE', keys, sums, counts: false }
}

export const endDay = (s: string): string =>
  `coalesce(date(coalesce(${s}.ended_at, ${s}.started_at) / 1000, 'unixepoch', 'localtime'), '')`

const STALE_DAYS = '(SELECT day FROM stale_day)'
const IN_PLAY = `(SELECT session FROM worked WHERE day IN ${STALE_DAYS})`

const FIRST_YEAR = 2015
const LAST_YEAR = 2040

/**
 * The zone whose days the sums are by, told by when its clocks change. In another zone they mean nothing. Asking for
 * its name would take as long as a whole report.
 */
export function zone(): string {
  const changes: string[] = []
  let last = NaN
  const end = Date.UTC(LAST_YEAR, 0)
  for (let day = Date.UTC(FIRST_YEAR, 0, 1, 12); day < end; day += 2 * 86_400_000) {
    const offset = new Date(day).getTimezoneOffset()
    if (offset !== last) changes.push(`${day / 86_400_000 - 0.5}:${offset}`)
    last = offset
  }
  return changes.join(' ')
}

/** Days are of the zone that this machine is in now: after a move, or the first time, all are made anew. */
export function followZone(db: Database): void {
  const here = zone()
  if (readMeta(db, 'day_zone') === here) return
  for (const { table } of DAILIES) db.run(`DELETE FROM ${table}`)
  for (const table of ['day_ended', 'quarter_day']) db.run(`DELETE FROM ${table}`)
  enterDays(db, '(SELECT id FROM session)')
  keepMeta(db, 'day_zone', here)
}

/** After the rollups of these sessions were made anew: where they belong, on which days, and that those days are stale. */
export function enterDays(db: Database, sessions: string): void {
  db.run(`INSERT OR IGNORE INTO stale_day SELECT day FROM worked WHERE session IN ${sessions}`)
  for (const table of ['worked', 'session_place']) db.run(`DELETE FROM ${table} WHERE session IN ${sessions}`)
  const places = `SELECT t.*, json_array(git_repo, cwd, flavor, source, sources, model) AS key FROM (
    SELECT s.id AS session, s.git_repo, s.cwd, s.flavor, s.source, s.model, (
      SELECT ' ' || group_concat(x.source, ' ') || ' ' FROM (
        SELECT DISTINCT f.source FROM lane l JOIN file f ON f.id = l.file WHERE l.session = s.id ORDER BY 1) x
    ) AS sources FROM session s WHERE s.id IN ${sessions} AND (${VISIBLE})) t`
  db.run(`INSERT OR IGNORE INTO place (key, git_repo, cwd, flavor, source, sources, model)
    SELECT DISTINCT key, git_repo, cwd, flavor, source, coalesce(sources, ''), model FROM (${places})`)
  db.run(`INSERT INTO session_place SELECT t.session, p.id FROM (${places}) t JOIN place p ON p.key = t.key`)
  const rollups = [...new Set(DAILIES.map(({ rollup }) => rollup))]
  const quarters = rollups.map((rollup) => `SELECT session, quarter FROM ${rollup} WHERE session IN ${sessions}`)
  const apart = quarters.join(' UNION ')
  db.run(`INSERT INTO quarter_day
    SELECT quarter, coalesce(date(nullif(quarter, -1) * ${QUARTER_MS / 1000}, 'unixepoch', 'localtime'), '')
    FROM (SELECT DISTINCT quarter FROM (${apart})) WHERE quarter NOT IN (SELECT quarter FROM quarter_day)`)
  db.run(`INSERT INTO worked SELECT s.id, ${endDay('s')} FROM session s WHERE s.id IN ${sessions}
    UNION SELECT q.session, y.day FROM (${apart}) q JOIN quarter_day y ON y.quarter = q.quarter`)
  db.run(`INSERT OR IGNORE INTO stale_day SELECT day FROM worked WHERE session IN ${sessions}`)
}

/** Sums the stale days anew, each from the rollups of the sessions that have anything on it. */
export function refreshDays(db: Database): void {
  if (!db.get('SELECT 1 FROM stale_day LIMIT 1')) return
  for (const one of DAILIES) {
    db.run(`DELETE FROM ${one.table} WHERE day IN ${STALE_DAYS}`)
    db.run(sumDaily(one))
    db.run(sumPlaces(one.table, one.keys, [...one.sums, ...(one.counts ? ['sessions', 'last'] : [])]))
  }
  db.run(`DELETE FROM day_ended WHERE day IN ${STALE_DAYS}`)
  db.run(`INSERT INTO day_ended SELECT w.day, h.place, s.outcome, ${endedSums('s')}
    FROM worked w JOIN session s ON s.id = w.session JOIN session_place h ON h.session = s.id
    LEFT JOIN digests d ON d.session_uid = s.uid
    WHERE w.day IN ${STALE_DAYS} AND w.day = ${endDay('s')} GROUP BY 1, 2, 3`)
  db.run(sumPlaces('day_ended', ['outcome'], ENDED_SUMS))
  db.run('DELETE FROM stale_day')
  db.run('DELETE FROM place WHERE id NOT IN (SELECT place FROM session_place)')
}

/** What `day_ended` says of sessions, under this alias, with their digests `d`. `analysed`: those whose time is known. */
export function endedSums(session: string, names = ENDED_SUMS): string {
  const sums: Readonly<Record<string, string>> = {
    sessions: 'count(*)',
    prompts: `coalesce(sum(${session}.prompt_count), 0)`,
    calls: `coalesce(sum(${session}.tool_count), 0)`,
    silent: `sum(${session}.responses = 0 AND ${session}.message_count > 0)`,
    analysed: `sum(d.session_uid IS NOT NULL AND ${session}.started_at IS NOT NULL AND ${session}.ended_at IS NOT NULL)`,
  }
  const time = (name: string) => `coalesce(${boundedSum(`json_extract(d.json, '$.time.${name}')`)}, 0)`
  return names.map((name) => `${sums[name] ?? time(name)} AS ${name}`).join(', ')
}

function sumDaily({ table, rollup, where, keys, sums, counts }: Daily): string {
  const of = keys.map((name) => `q.${name}`).join(', ')
  const rows = `SELECT q.session, y.day, ${of}, ${sums.map((name) => `${boundedSum(`q.${name}`)} AS ${name}`).join(', ')}
    ${counts ? `, max(y.day) OVER (PARTITION BY q.session, ${of}) AS latest` : ''}
    FROM ${rollup} q JOIN quarter_day y ON y.quarter = q.quarter WHERE ${where} AND q.session IN ${IN_PLAY} GROUP BY q.session, 2, ${of}`
  return `INSERT INTO ${table} SELECT q.day, h.place, ${of}, ${sums.map((name) => boundedSum(`q.${name}`)).join(', ')}
    ${counts ? ', count(*), sum(q.day = q.latest)' : ''}
    FROM (${rows}) q JOIN session_place h ON h.session = q.session
    WHERE q.day IN ${STALE_DAYS} GROUP BY 1, 2, ${of}`
}

function sumPlaces(table: string, keys: readonly string[], sums: readonly string[]): string {
  const of = keys.join(', ')
  return `INSERT INTO ${table} SELECT day, 0, ${of}, ${sums.map((name) => boundedSum(name)).join(', ')}
    FROM ${table} WHERE day IN ${STALE_DAYS} GROUP BY day, ${of}`
}
