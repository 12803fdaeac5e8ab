import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { Database, type Value } from './database.ts'
import { readLog } from './log-file.ts'
import { changedPages, firstPage, knownSums } from './page-sums.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { readableRows } from './readable-rows.ts'

const SALVAGED = '-salvaged'
/** Made anew from the rest by whoever takes the rows over. */
const DERIVED = /^(exchange|sqlite_)/
/** What stands in for JSON that is none any more; a row whose every word was in it is lost. */
const JSON_COLUMNS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  lane: { facts: '{}', side: '{}' },
  file: { state: 'null' },
  session: { redactions: '{}', part: null, inherits: null },
  signal: { seqs: '[]' },
  event: { input: null, marks: null },
  tombstone: { files: '[]' },
}

export interface Salvage {
  /** A sound store to read instead, or the old one if it is sound. */
  readonly path: string
  /** What could not be read, in words. */
  readonly lost: readonly string[]
}

/**
 * A store to take rows over from. Of a damaged one every row that can still be read is copied into a new one beside it:
 * a row that cannot is missed alone, and not all that come after it.
 */
export function salvage(old: string): Salvage {
  healCopies(old)
  if (isSound(old)) return { path: old, lost: [] }
  const path = `${old}${SALVAGED}`
  dropSalvage(old)
  const lost = copyReadable(old, path)
  return { path, lost }
}

/** The one that was made before, or the old store. */
export function salvaged(old: string): string {
  return existsSync(`${old}${SALVAGED}`) ? `${old}${SALVAGED}` : old
}

export function dropSalvage(old: string): void {
  for (const end of ['', '-wal', '-shm', '-sums']) rmSync(`${old}${SALVAGED}${end}`, { force: true })
}

/** Writes back the pages of which there are copies, where they are damaged. Returns how many. */
export function healCopies(database: string): number {
  const known = firstPage(database) === 'foreign' ? null : knownSums(database)
  if (known === null) return 0
  const log = readLog(database)
  const damaged = [...known.copies].filter(
    ([page]) => changedPages(database, known, log, { from: page, to: page }).length > 0,
  )
  if (damaged.length === 0) return 0
  const fd = openSync(database, 'r+')
  try {
    for (const [page, data] of damaged) writeSync(fd, data, 0, data.length, (page - 1) * known.pageSize)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  return damaged.length
}

function isSound(database: string): boolean {
  const known = firstPage(database) === 'foreign' ? null : knownSums(database)
  if (known !== null) return changedPages(database, known, readLog(database)).length === 0
  const db = tryOpen(database)
  try {
    return db?.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok'
  } catch {
    return false
  } finally {
    db?.close()
  }
}

function tryOpen(database: string): DatabaseSyncInstance | null {
  try {
    return new DatabaseSync(database, { readOnly: true })
  } catch {
    return null
  }
}

function copyReadable(old: string, path: string): string[] {
  const from = new DatabaseSync(old, { readOnly: true })
  try {
    const version = Number(from.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
    makeEmpty(path, version)
    const to = new DatabaseSync(path)
    try {
      to.exec('PRAGMA synchronous = OFF; BEGIN')
      const lost = tablesOf(to).flatMap((table) => copyTable(from, to, table))
      to.exec('COMMIT')
      return lost
    } finally {
      to.close()
    }
  } finally {
    from.close()
    if (existsSync(path)) Database.create(path, MIGRATIONS).close()
  }
}

/** A store of the same schema without a row in it. */
function makeEmpty(path: string, version: number): void {
  const db = new DatabaseSync(path)
  for (const migration of MIGRATIONS.slice(0, version)) db.exec(migration)
  for (const table of tablesOf(db)) db.exec(`DELETE FROM ${table}`)
  const triggers = db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name <> 'event_gone'").all()
  for (const row of triggers) db.exec(`DROP TRIGGER ${String(row['name'])}`)
  db.exec(`PRAGMA user_version = ${version}`)
  db.close()
}

function tablesOf(db: DatabaseSyncInstance): string[] {
  const rows = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
  return rows.map((row) => String(row['name'])).filter((name) => !DERIVED.test(name))
}

function copyTable(from: DatabaseSyncInstance, to: DatabaseSyncInstance, table: string): string[] {
  const columns = to
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map((row) => String(row['name']))
  const marks = columns.map(() => '?').join(', ')
  const insert = to.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
  const json = JSON_COLUMNS[table] ?? {}
  let refused = 0
  const unreadable = readableRows(from, table, (row) => {
    if (table === 'digests' && !isJson(row['json'])) return void refused++
    const values = columns.map((name): Value => {
      const value = (row[name] ?? null) as Value
      return name in json && value !== null && !isJson(value) ? (json[name] ?? null) : value
    })
    if (insert.run(...values).changes === 0) refused++
  })
  const missed = unreadable + refused
  return missed === 0 ? [] : [`up to ${missed} rows of \`${table}\` could not be read`]
}

function isJson(value: unknown): boolean {
  try {
    JSON.parse(String(value))
    return true
  } catch {
    return false
  }
}
