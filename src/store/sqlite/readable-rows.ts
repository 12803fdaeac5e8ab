import type { DatabaseSyncInstance } from '@photostructure/sqlite'

type AnyRow = Readonly<Record<string, unknown>>

const ID = 'its_own_row_id'
/** So many looks are spent on rows between two damaged places. */
const MAX_LOOKS = 200_000

/**
 * Hands over every row of a table that can be read: from its start up to damage, from its end back to damage, and what
 * is left between by halves. Returns how many numbers of rows could not be read.
 */
export function readableRows(db: DatabaseSyncInstance, table: string, onRow: (row: AnyRow) => void): number {
  const keys = keysOf(db, table)
  return keys === null ? byNumber(db, table, onRow) : byKey(db, table, keys, onRow)
}

/** The columns that a table without numbers for its rows is ordered by; null if it has numbers. */
function keysOf(db: DatabaseSyncInstance, table: string): string[] | null {
  try {
    db.prepare(`SELECT rowid FROM ${table} LIMIT 0`)
    return null
  } catch {
    const columns = db.prepare(`PRAGMA table_info(${table})`).all()
    const keys = columns.filter((row) => Number(row['pk']) > 0).sort((a, b) => Number(a['pk']) - Number(b['pk']))
    return keys.map((row) => String(row['name']))
  }
}

function byNumber(db: DatabaseSyncInstance, table: string, onRow: (row: AnyRow) => void): number {
  const sql = `SELECT rowid AS ${ID}, * FROM ${table}`
  let last = Number.MIN_SAFE_INTEGER
  const forward = scan(db, `${sql} ORDER BY rowid`, (row) => {
    last = Number(row[ID])
    onRow(row)
    return true
  })
  if (forward) return 0
  let first = Number.MAX_SAFE_INTEGER
  scan(db, `${sql} ORDER BY rowid DESC`, (row) => {
    if (Number(row[ID]) <= last) return false
    first = Number(row[ID])
    onRow(row)
    return true
  })
  const isOpen = first === Number.MAX_SAFE_INTEGER || last === Number.MIN_SAFE_INTEGER
  return isOpen ? 1 : between(db, `${sql} WHERE rowid BETWEEN ? AND ?`, [last + 1, first - 1], onRow)
}

/** Halves a stretch until its damaged rows stand alone. */
function between(
  db: DatabaseSyncInstance,
  sql: string,
  stretch: readonly [number, number],
  onRow: (row: AnyRow) => void,
): number {
  const waiting = [stretch]
  let missed = 0
  for (let looks = 0; waiting.length > 0; looks++) {
    const [from, to] = waiting.pop() ?? [0, 0]
    if (from > to) continue
    const rows: AnyRow[] = []
    if (looks < MAX_LOOKS && scan(db, sql, (row) => rows.push(row) > 0, from, to)) {
      for (const row of rows) onRow(row)
    } else if (from === to || looks >= MAX_LOOKS) {
      missed += to - from + 1
    } else {
      const middle = Math.floor((from + to) / 2)
      waiting.push([from, middle], [middle + 1, to])
    }
  }
  return missed
}

function byKey(db: DatabaseSyncInstance, table: string, keys: readonly string[], onRow: (row: AnyRow) => void): number {
  const seen = new Set<string>()
  const take = (row: AnyRow) => {
    const key = JSON.stringify(keys.map((name) => String(row[name])))
    if (seen.has(key)) return false
    seen.add(key)
    onRow(row)
    return true
  }
  const order = (way: string) => keys.map((name) => `${name} ${way}`).join(', ')
  if (scan(db, `SELECT * FROM ${table} ORDER BY ${order('ASC')}`, take)) return 0
  scan(db, `SELECT * FROM ${table} ORDER BY ${order('DESC')}`, take)
  return 1
}

/** Reads until the end or until `onRow` has enough; false if it could not go on. */
function scan(db: DatabaseSyncInstance, sql: string, onRow: (row: AnyRow) => boolean, ...values: number[]): boolean {
  try {
    const statement = db.prepare(sql)
    statement.setReadBigInts(true)
    for (const row of statement.iterate(...values)) if (!onRow(row as AnyRow)) return true
    return true
  } catch {
    return false
  }
}
