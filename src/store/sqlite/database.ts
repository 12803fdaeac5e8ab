import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { UserError } from '../../model/errors.ts'
import { boundLists, boundRow, inRange, isTooLarge } from './large-integers.ts'
import { SCHEMA_VERSION } from './schema-version.ts'

export type Value = null | number | bigint | string | Uint8Array
export type Row = Readonly<Record<string, Value>>

export function textOf(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

export function timeOf(value: Value | undefined): number | null {
  return typeof value === 'number' ? value : null
}

/** How long another program is waited for, from the first look at the file on. */
const BUSY_MS = 5000

/** One SQLite file with its statements. Statements are prepared once; errors say what the user can do. */
export class Database {
  readonly path: string
  readonly #db: DatabaseSyncInstance
  readonly #statements = new Map<string, StatementSyncInstance>()
  /** Those whose rows come as lists, with the names of their columns. */
  readonly #listings = new Map<string, { readonly statement: StatementSyncInstance; readonly names: string[] }>()

  private constructor(file: string, db: DatabaseSyncInstance) {
    this.path = file
    this.#db = db
  }

  /** Opens for writing; makes the file if there is none, and brings an older one up to date. */
  static create(file: string, migrations: readonly string[]): Database {
    return guard(file, () => {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      const isNew = !existsSync(file)
      const db = new Database(file, new DatabaseSync(file, { timeout: BUSY_MS }))
      if (isNew) {
        chmodSync(file, 0o600)
        db.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;')
      }
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${isNew ? 'OFF' : 'NORMAL'}; PRAGMA secure_delete = ON;
        PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 16000;`)
      db.#migrate(migrations)
      return db
    })
  }

  /**
   * Brings the log into the file and both to the disk. Until this is done once, a new file is not waited for: all in it
   * can be read again.
   */
  checkpoint(): void {
    this.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_checkpoint(TRUNCATE);')
  }

  /** Opens an existing file for reading only. */
  static read(file: string): Database {
    if (!existsSync(file)) {
      throw new UserError('NO_STORE', `there is no store at ${file}`, 'run `recall index` first')
    }
    return guard(file, () => {
      const db = new Database(file, openReadOnly(file))
      db.exec('PRAGMA query_only = ON; PRAGMA cache_size = -16384;')
      db.#refuseOther()
      db.#refuseEmpty()
      db.#refuseOlder()
      return db
    })
  }

  exec(sql: string): void {
    guard(this.path, () => this.#db.exec(sql))
  }

  run(sql: string, ...values: Value[]): { changes: number; lastId: number } {
    return guard(this.path, () => {
      const result = this.#prepare(sql).run(...values)
      return { changes: Number(result.changes), lastId: Number(result.lastInsertRowid) }
    })
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return guard(this.path, () =>
      inRange(this.#prepare(sql), (statement) => statement.get(...values) as Row | undefined, boundRow),
    )
  }

  /** Named here: to have SQLite's binding name the values of each row takes a third longer. */
  all(sql: string, ...values: Value[]): Row[] {
    return this.#read(sql, values, (lists, names) => lists.map((list) => named(names, list)))
  }

  /** Rows as lists of their values: of thousands, twice as fast as with names. */
  lists(sql: string, ...values: Value[]): Value[][] {
    return this.#read(sql, values, (lists) => lists)
  }

  /** Rows one at a time. The statement is its own, so that work inside the loop may use the database. */
  *each(sql: string, ...values: Value[]): Iterable<Row> {
    const statement = this.#db.prepare(sql)
    let done = 0
    try {
      for (const row of statement.iterate(...values) as Iterable<Row>) {
        done++
        yield row
      }
    } catch (error) {
      if (!isTooLarge(error)) throw explain(this.path, error)
      const rest = this.#db.prepare(sql)
      rest.setReadBigInts(true)
      for (const row of rest.iterate(...values) as Iterable<Row>) if (done-- <= 0) yield boundRow(row)
    }
  }

  /** A statement for a hot loop: no lookup, no guard; run it inside `transaction`. */
  hot(sql: string): StatementSyncInstance {
    return this.#prepare(sql)
  }

  transaction<T>(work: () => T): T {
    return guard(this.path, () => {
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

  close(): void {
    this.#statements.clear()
    this.#listings.clear()
    this.#db.close()
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql)
    if (!statement) this.#statements.set(sql, (statement = this.#db.prepare(sql)))
    return statement
  }

  #read<T>(sql: string, values: Value[], use: (lists: Value[][], names: readonly string[]) => T): T {
    return guard(this.path, () => {
      let listing = this.#listings.get(sql)
      if (!listing) {
        const statement = this.#db.prepare(sql)
        statement.setReturnArrays(true)
        this.#listings.set(sql, (listing = { statement, names: statement.columns().map(({ name }) => name) }))
      }
      const read = (statement: StatementSyncInstance) => statement.all(...values) as unknown as Value[][]
      return use(inRange(listing.statement, read, boundLists), listing.names)
    })
  }

  #version(): number {
    return Number(this.get('PRAGMA user_version')?.['user_version'] ?? 0)
  }

  #migrate(migrations: readonly string[]): void {
    this.#refuseOther()
    while (this.#version() < SCHEMA_VERSION) {
      this.transaction(() => {
        const version = this.#version()
        if (version === SCHEMA_VERSION) return
        this.#db.exec(migrations[version] ?? '')
        this.#db.exec(`PRAGMA user_version = ${version + 1}`)
      })
    }
  }

  /** What is older is brought up to date by whoever opens it for writing. */
  #refuseOlder(): void {
    const version = this.#version()
    if (version >= SCHEMA_VERSION) return
    const message = `${this.path} was written by an older recall (schema ${version}, this one knows ${SCHEMA_VERSION})`
    throw new UserError('STORE_OLDER', message, '`recall index` brings it up to date')
  }

  /** A file without a table is no store yet. */
  #refuseEmpty(): void {
    if (this.#version() > 0) return
    throw new UserError('NO_STORE', `there is no store at ${this.path}: the file is empty`, 'run `recall index` first')
  }

  #refuseOther(): void {
    const version = this.#version()
    if (version > SCHEMA_VERSION) {
      throw new UserError(
        'STORE_NEWER',
        `${this.path} was written by a newer recall (schema ${version}, this one knows ${SCHEMA_VERSION})`,
        'update recall, or point --store at another file',
      )
    }
    const foreign = version === 0 && this.get("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1")
    if (foreign) {
      throw new UserError(
        'STORE_BROKEN',
        `${this.path} is a database of another program`,
        'point --store at another file',
      )
    }
  }
}

/**
 * SQLite reads a file with a log only if it may make two files beside it. Where it may not, and there is no log with
 * anything in it, nobody writes to the file either: it is read as it is.
 */
function openReadOnly(file: string): DatabaseSyncInstance {
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (hasLog || mayWrite(path.dirname(file))) return new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS })
  const url = pathToFileURL(path.resolve(file))
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}

function mayWrite(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

function named(names: readonly string[], list: readonly Value[]): Row {
  const row: Record<string, Value> = {}
  for (let i = 0; i < names.length; i++) row[names[i]!] = list[i]!
  return row
}

/** Runs database work; what the user can mend becomes a UserError, the rest passes. */
function guard<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explain(file, error)
  }
}

function explain(file: string, error: unknown): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error
  const text = `${error.message} ${'code' in error ? String(error.code) : ''}`
  if (/not a database|malformed|corrupt|SQLITE_NOTADB/i.test(text)) {
    const hint = 'run `recall index --recreate`: it keeps the damaged file as a backup and builds a new store'
    return new UserError('STORE_BROKEN', `${file} is damaged or no database (${error.message})`, hint, error)
  }
  if (/database is locked|SQLITE_BUSY/i.test(text)) {
    return new UserError('LOCKED', `${file} is in use by another program`, 'try again when it is done', error)
  }
  if (/disk is full|disk full|ENOSPC|SQLITE_FULL/i.test(text)) {
    return new UserError(
      'STORE_IO',
      `no space left for ${file}`,
      'free some disk space and run it again; nothing was lost',
      error,
    )
  }
  if (/readonly|read-only|EROFS|EACCES|EPERM|unable to open|ENOTDIR|EISDIR|ENOENT|disk I\/O/i.test(text)) {
    const hint = 'check that the directory exists and may be written, or point --store at another place'
    return new UserError('STORE_IO', `cannot use ${file} (${error.message})`, hint, error)
  }
  return error
}
