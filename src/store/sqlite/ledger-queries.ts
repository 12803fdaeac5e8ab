import { FLAG, type LedgerEntry, type UsageFilter } from '../store.ts'
import { textOf, numberOf, type Database, type Value } from './database.ts'
import { between, ofSessions } from './session-conditions.ts'

export function readLedger(db: Database, filter: UsageFilter): LedgerEntry[] {
  const { since: _, before: __, ...whenever } = filter
  const [sessions, time] = [ofSessions(whenever), between('g.at', filter)]
  const rows = db.all(
    `SELECT g.key, s.uid, g.model, g.at, g.input, g.output, g.cache_read, g.cache_write_5m AS w5, g.cache_write_1h AS w1,
       g.reasoning, g.cost_usd, g.line, f.path, g.lane
     FROM ledger g JOIN session s ON s.id = g.session LEFT JOIN file f ON f.id = g.file
     WHERE ${sessions.sql} AND ${time.sql} ORDER BY s.uid, f.path, g.line, g.key`,
    ...sessions.values,
    ...time.values,
  )
  const threadOf = threadFinder(db)
  return rows.map((row) => ({
    input: Number(row['input']),
    output: Number(row['output']),
    cacheRead: Number(row['cache_read']),
    cacheWrite5m: Number(row['w5']),
    cacheWrite1h: Number(row['w1']),
    reasoning: Number(row['reasoning']),
    key: String(row['key']),
    sessionUid: String(row['uid']),
    thread: threadOf(row['lane']),
    model: textOf(row['model']),
    at: numberOf(row['at']),
    costUsd: numberOf(row['cost_usd']),
    file: textOf(row['path']),
    line: Number(row['line']),
  }))
}

/** The subagent that speaks in a lane; each lane is looked at once, however many responses it holds. */
function threadFinder(db: Database): (lane: Value | undefined) => string | null {
  const find = db.hot(
    `SELECT e.thread FROM event e WHERE e.lane = ? AND e.thread IS NOT NULL AND e.flags & ${FLAG.sidechain} LIMIT 1`,
  )
  const known = new Map<Value, string | null>()
  return (lane) => {
    if (lane === undefined || lane === null) return null
    let thread = known.get(lane)
    if (thread === undefined) known.set(lane, (thread = textOf(find.get(lane)?.['thread'] ?? null)))
    return thread
  }
}

export function filesOfSession(db: Database, session: number): { source: string; path: string }[] {
  const rows = db.all(
    'SELECT DISTINCT f.source, f.path FROM lane l JOIN file f ON f.id = l.file WHERE l.session = ? ORDER BY f.path',
    session,
  )
  return rows.map((row) => ({ source: String(row['source']), path: String(row['path']) }))
}
