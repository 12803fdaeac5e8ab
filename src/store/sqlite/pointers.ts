import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Bookmark, Claim, HistoryEntry, Pointers } from '../pointers.ts'
import { guard } from './database-errors.ts'

/** As others expect the two tables, word for word. */
const TABLES = `
CREATE TABLE IF NOT EXISTS sessions (
  group_folder TEXT PRIMARY KEY,
  session_id TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS session_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_folder TEXT NOT NULL,
  session_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  archived_at TEXT NOT NULL
);`
const BUSY_MS = 5000

/** The pointers of all groups, in memory as long as nobody else writes to the file. */
export class SqlitePointers implements Pointers {
  readonly #file: string
  readonly #db: DatabaseSyncInstance
  #active: Map<string, string> | null = null
  #seen: unknown = null

  constructor(file: string) {
    this.#file = file
    this.#db = guard(file, () => {
      const db = open(file)
      db.exec(`PRAGMA synchronous = FULL;${TABLES}`)
      return db
    })
  }

  get(group: string): string | undefined {
    return this.#cached().get(group)
  }

  set(group: string, sessionId: string): void {
    this.#write(() =>
      this.#run(
        'INSERT INTO sessions VALUES (?1, ?2) ON CONFLICT (group_folder) DO UPDATE SET session_id = ?2',
        group,
        sessionId,
      ),
    )
  }

  delete(group: string): void {
    this.#write(() => this.#run('DELETE FROM sessions WHERE group_folder = ?', group))
  }

  history(group: string): HistoryEntry[] {
    return guard(this.#file, () => {
      const sql = 'SELECT * FROM session_history WHERE group_folder = ? ORDER BY archived_at DESC, id DESC'
      return this.#db.prepare(sql).all(group) as unknown as HistoryEntry[]
    })
  }

  bookmark(group: string, bookmark: Bookmark): HistoryEntry {
    return this.#write(() => this.#insert(group, bookmark))
  }

  restore(group: string, id: number): string | undefined {
    return this.#write(() => this.#restore(group, id))
  }

  clear(group: string, bookmark: Bookmark): void {
    this.#write(() => {
      this.#insert(group, bookmark)
      this.#run('DELETE FROM sessions WHERE group_folder = ? AND session_id = ?', group, bookmark.sessionId)
    })
  }

  resume(group: string, id: number, saved: Bookmark | null): void {
    this.#write(() => {
      // Where the entry is gone, all of this was done before.
      if (this.#restore(group, id) !== undefined && saved !== null) this.#insert(group, saved)
    })
  }

  remove(group: string): void {
    this.#write(() => {
      this.#run('DELETE FROM sessions WHERE group_folder = ?', group)
      this.#run('DELETE FROM session_history WHERE group_folder = ?', group)
    })
  }

  close(): void {
    this.#db.close()
  }

  #insert(group: string, { sessionId, name, createdAt, archivedAt }: Bookmark): HistoryEntry {
    const same = 'group_folder = ? AND session_id = ? AND name = ? AND archived_at = ?'
    const find = () =>
      this.#db
        .prepare(`SELECT * FROM session_history WHERE ${same}`)
        .get(group, sessionId, name, archivedAt) as unknown as HistoryEntry | undefined
    const columns = 'group_folder, session_id, name, created_at, archived_at'
    if (find() === undefined)
      this.#run(
        `INSERT INTO session_history (${columns}) VALUES (?, ?, ?, ?, ?)`,
        group,
        sessionId,
        name,
        createdAt,
        archivedAt,
      )
    return find()!
  }

  #restore(group: string, id: number): string | undefined {
    const sql = 'SELECT session_id FROM session_history WHERE group_folder = ? AND id = ?'
    const found = this.#db.prepare(sql).get(group, id) as { session_id: string } | undefined
    if (found === undefined) return undefined
    this.#run('INSERT OR REPLACE INTO sessions VALUES (?, ?)', group, found.session_id)
    this.#run('DELETE FROM session_history WHERE group_folder = ? AND id = ?', group, id)
    return found.session_id
  }

  /** Others write to the file, too: what is in memory counts until one did. */
  #cached(): Map<string, string> {
    return guard(this.#file, () => {
      const { data_version: version } = this.#db.prepare('PRAGMA data_version').get() as { data_version: unknown }
      if (this.#active === null || version !== this.#seen) {
        const rows = this.#db.prepare('SELECT group_folder, session_id FROM sessions').all()
        this.#active = new Map(
          (rows as Record<string, string>[]).map((row) => [row['group_folder']!, row['session_id']!]),
        )
        this.#seen = version
      }
      return this.#active
    })
  }

  #write<T>(work: () => T): T {
    return guard(this.#file, () => {
      this.#active = null
      this.#db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        this.#db.exec('COMMIT')
        return result
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
        throw error
      }
    })
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#db.prepare(sql).run(...values)
  }
}

/**
 * Null while another process holds it. A lock of the system on an empty database: it holds between containers, where
 * numbers of processes mean nothing, and ends with its process.
 */
export function claimFile(file: string): Claim | null {
  const db = guard(file, () => open(file, 0))
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (error instanceof Error && /database is locked|SQLITE_BUSY/i.test(error.message)) return null
    return guard(file, () => {
      throw error
    })
  }
  return { release: () => db.close() }
}

function open(file: string, timeout = BUSY_MS): DatabaseSyncInstance {
  const isNew = !existsSync(file)
  if (isNew) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file, { timeout })
  if (isNew) chmodSync(file, 0o600)
  return db
}
