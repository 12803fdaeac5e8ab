import type { LedgerEntry, UsageFilter, UsageKey, UsageSum } from '../store.ts'
import { boundedSum } from './amounts.ts'
import type { Database, Row, Value } from './database.ts'
import { sessionWhere } from './sessions.ts'

/** For each kind of sum: what a response is filed under, and what a session without any would be. */
const KEYS: Readonly<Record<UsageKey, readonly [response: string, session: string]>> = {
  project: ['coalesce(s.git_repo, s.cwd)', 'coalesce(s.git_repo, s.cwd)'],
  model: ['g.model', 's.model'],
  day: ["date(g.at / 1000, 'unixepoch', 'localtime')", "date(s.started_at / 1000, 'unixepoch', 'localtime')"],
  source: ['s.flavor', 's.flavor'],
  session: ['s.uid', 's.uid'],
}

export function sumUsage(db: Database, by: UsageKey, filter: UsageFilter): UsageSum[] {
  const [responseKey, sessionKey] = KEYS[by]
  const billed = where(filter, 'g.at')
  const silent = where(filter, 'coalesce(s.ended_at, s.started_at)')
  const rows = db.all(
    `SELECT key, ${boundedSum('input')} AS input, ${boundedSum('output')} AS output, ${boundedSum('cache_read')} AS cache_read, ${boundedSum('w5')} AS w5, ${boundedSum('w1')} AS w1,
       ${boundedSum('reasoning')} AS reasoning, sum(responses) AS responses, sum(unknown) AS unknown FROM (
       SELECT ${responseKey} AS key, ${boundedSum('g.input')} AS input, ${boundedSum('g.output')} AS output, ${boundedSum('g.cache_read')} AS cache_read,
         ${boundedSum('g.cache_write_5m')} AS w5, ${boundedSum('g.cache_write_1h')} AS w1, ${boundedSum('g.reasoning')} AS reasoning, count(*) AS responses, 0 AS unknown
       FROM ledger g JOIN session s ON s.id = g.session WHERE ${billed.sql} GROUP BY 1
       UNION ALL
       SELECT ${sessionKey}, 0, 0, 0, 0, 0, 0, 0, count(*) FROM session s
       WHERE s.responses = 0 AND s.message_count > 0 AND ${silent.sql} GROUP BY 1)
     GROUP BY key ORDER BY ${by === 'day' ? 'key' : `${['input', 'output', 'cache_read', 'w5', 'w1'].map(boundedSum).join(' + ')} DESC, key`}`,
    ...billed.values,
    ...silent.values,
  )
  return rows.map((row) => ({
    ...tokensOf(row),
    key: row['key'] === null ? null : String(row['key']),
    responses: Number(row['responses']),
    unknown: Number(row['unknown']),
  }))
}

export function readLedger(db: Database, filter: UsageFilter): LedgerEntry[] {
  const { sql, values } = where(filter, 'g.at')
  const rows = db.all(
    `SELECT g.key, s.uid, g.model, g.at, g.input, g.output, g.cache_read, g.cache_write_5m AS w5, g.cache_write_1h AS w1,
       g.reasoning, g.cost_usd, g.line, f.path,
       (SELECT e.thread FROM event e WHERE e.lane = g.lane AND e.thread IS NOT NULL AND e.flags & 1 LIMIT 1) AS thread
     FROM ledger g JOIN session s ON s.id = g.session LEFT JOIN file f ON f.id = g.file
     WHERE ${sql} ORDER BY s.uid, f.path, g.line, g.key`,
    ...values,
  )
  return rows.map((row) => ({
    ...tokensOf(row),
    key: String(row['key']),
    sessionUid: String(row['uid']),
    thread: row['thread'] === null ? null : String(row['thread']),
    model: row['model'] === null ? null : String(row['model']),
    at: row['at'] === null ? null : Number(row['at']),
    costUsd: row['cost_usd'] === null ? null : Number(row['cost_usd']),
    file: row['path'] === null ? null : String(row['path']),
    line: Number(row['line']),
  }))
}

export function filesOfSession(db: Database, session: number): { source: string; path: string }[] {
  const rows = db.all(
    'SELECT DISTINCT f.source, f.path FROM lane l JOIN file f ON f.id = l.file WHERE l.session = ? ORDER BY f.path',
    session,
  )
  return rows.map((row) => ({ source: String(row['source']), path: String(row['path']) }))
}

function where(filter: UsageFilter, time: string): { sql: string; values: Value[] } {
  const { since: _, ...ofSession } = filter.sessions ?? { limit: 0 }
  const { sql, values } = sessionWhere({ ...ofSession, hidden: true })
  const parts = [sql]
  if (filter.since !== undefined) {
    parts.push(`${time} >= ?`)
    values.push(filter.since)
  }
  if (filter.before !== undefined) {
    parts.push(`${time} < ?`)
    values.push(filter.before)
  }
  if (filter.session !== undefined) {
    parts.push('s.id = ?')
    values.push(filter.session)
  }
  return { sql: parts.join(' AND '), values }
}

function tokensOf(row: Row) {
  return {
    input: Number(row['input']),
    output: Number(row['output']),
    cacheRead: Number(row['cache_read']),
    cacheWrite5m: Number(row['w5']),
    cacheWrite1h: Number(row['w1']),
    reasoning: Number(row['reasoning']),
  }
}
