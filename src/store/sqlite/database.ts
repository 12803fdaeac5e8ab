import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { UserError } from '../../model/errors.ts'
import { isTight, useSpare } from '../../model/spare-room.ts'
import { explain, guard } from './database-errors.ts'
import { boundLists, boundRow, inRange, isTooLarge } from './large-integers.ts'
import { logBytes, syncLog } from './log-file.ts'
import { dropSums, firstPage, knownSums, sumAll, sumLog } from './page-sums.ts'
import { SCHEMA_VERSION } from './schema-version.ts'

export type Value = null | number | bigint | string | Uint8Array
export type Row = Readonly<Record<string, Value>>

export function textOf(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

export function numberOf(value: Value | undefined): number | null {
  return typeof value === 'number' ? value : null
}

/** How long another program is waited for, from the first look at the file on. */
const BUSY_MS = 5000
/** A log that is larger than this is brought into its database. */
const LOG_BYTES = 128 * 2 ** 20
/** On a full disk. */
const LOG_BYTES_WHEN_TIGHT = 2 ** 18

/** Whoever writes beside the one that holds the lock leaves it to that one to empty the log. */
type Role = 'writer' | 'beside' | 'reader'

/** One SQLite file with its statements. Statements are prepared once; errors say what the user can do. */
export class Database {
  readonly path: string
  readonly #db: DatabaseSyncInstance
  readonly #statements = new Map<string, StatementSyncInstance>()
  /** Those whose rows come as lists, with the names of their columns. */
  readonly #listings = new Map<string, { readonly statement: StatementSyncInstance; readonly names: string[] }>()

  readonly #role: Role

  private constructor(file: string, db: DatabaseSyncInstance, role: Role) {
    this.path = file
    this.#db = db
    this.#role = role
  }

  /**
   * Opens for writing; makes the file if there is none, and brings an older one up to date. The `writer` is the one that
   * holds the lock; others write beside it.
   */
  static create(file: string, migrations: readonly string[], role: 'writer' | 'beside' = 'writer'): Database {
    return guard(file, () => {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      const isNew = !existsSync(file)
      if (isNew) dropSums(file)
      else if (refuseDamaged(file) === 'foreign') dropSums(file)
      const db = new Database(file, new DatabaseSync(file, { timeout: BUSY_MS }), role)
      if (isNew) {
        chmodSync(file, 0o600)
        db.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;')
      }
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${isNew ? 'OFF' : 'NORMAL'}; PRAGMA secure_delete = ON;
        PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0;`)
      db.#migrate(migrations)
      return db
    })
  }

  /**
   * Brings the log into the file and both to the disk, with a checksum of every page. Until this is done once, a new
   * file is not waited for: all in it can be read again. False if a reader keeps the log from being emptied.
   */
  checkpoint(): boolean {
    this.exec('PRAGMA synchronous = NORMAL')
    return this.#emptyLog(true)
  }

  /** Has what is committed on the disk: before anything is taken away that only the state before it needs. */
  sync(): void {
    guard(this.path, () => syncLog(this.path))
  }

  /** Whoever else writes meanwhile does so unseen: then there are no checksums until the next time. */
  #emptyLog(sum: boolean): boolean {
    const before = this.#dataVersion()
    const summed = sumLog(this.path)
    const isEmpty = this.get('PRAGMA wal_checkpoint(TRUNCATE)')?.['busy'] === 0
    if (this.#dataVersion() !== before) dropSums(this.path)
    else if (sum && !summed && isEmpty) sumAll(this.path)
    return isEmpty
  }

  /** What is committed is kept, in the log or out of it: whatever fails here, the next writer makes up for. */
  #leaveTidy(): void {
    try {
      this.exec('PRAGMA busy_timeout = 0')
      if (logBytes(this.path) > 0 || knownSums(this.path) === null) this.#emptyLog(true)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
    }
  }

  #dataVersion(): unknown {
    return this.get('PRAGMA data_version')?.['data_version']
  }

  /**
   * SQLite would empty a long log by itself, before its pages have checksums. Where the disk may get full, none is left:
   * it takes as much room again to bring it into the file.
   */
  #boundLog(): void {
    const bytes = logBytes(this.path)
    if (bytes < LOG_BYTES && (bytes < LOG_BYTES_WHEN_TIGHT || !isTight(path.dirname(this.path), LOG_BYTES))) return
    if (this.#role === 'beside') dropSums(this.path)
    this.#emptyLog(false)
  }

  /** Opens an existing file for reading only, also on a full disk. */
  static read(file: string): Database {
    if (!existsSync(file)) {
      throw new UserError('NO_STORE', `there is no store at ${file}`, 'run `recall index` first')
    }
    try {
      return Database.#openToRead(file, openReadOnly)
    } catch (error) {
      const dir = path.dirname(file)
      if (!(error instanceof UserError) || error.code !== 'STORE_IO' || !isTight(dir)) throw error
      if (logBytes(file) === 0) return Database.#openToRead(file, openAsItIs)
      useSpare(dir)
      return Database.#openToRead(file, openReadOnly)
    }
  }

  static #openToRead(file: string, open: (file: string) => DatabaseSyncInstance): Database {
    return guard(file, () => {
      refuseDamaged(file)
      const db = new Database(file, open(file), 'reader')
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
    const rows = statement.iterate(...values) as IterableIterator<Row>
    // A statement that nobody holds is taken away while its rows are read, if whoever reads them waits in between.
    const held = [statement]
    let done = 0
    try {
      for (const row of rows) {
        done++
        yield row
      }
    } catch (error) {
      // A statement that failed half-way stays open, and no checkpoint could be made.
      rows.return?.()
      if (!isTooLarge(error)) throw explain(this.path, error)
      const rest = this.#db.prepare(sql)
      rest.setReadBigInts(true)
      held.push(rest)
      for (const row of rest.iterate(...values) as Iterable<Row>) if (done-- <= 0) yield boundRow(row)
    } finally {
      held.length = 0
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
        this.#boundLog()
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
    if (this.#role === 'writer') this.#leaveTidy()
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
        'update recall; or let `recall index --recreate` make the store anew with this one: the newer is kept as a backup, and what only it holds stays there',
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

/** A database whose first page is not what was written cannot be understood, or, worse, can. */
function refuseDamaged(file: string): 'well' | 'foreign' {
  const first = firstPage(file)
  if (first !== 'damaged') return first
  const hint = 'run `recall doctor --repair`: there is a copy of that page'
  throw new UserError('STORE_BROKEN', `the first page of ${file} is damaged`, hint)
}

/**
 * SQLite reads a file with a log only if it may make two files beside it. Where it may not, and there is no log with
 * anything in it, nobody writes to the file either: it is read as it is.
 */
function openReadOnly(file: string): DatabaseSyncInstance {
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (hasLog || mayWrite(path.dirname(file))) return new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS })
  return openAsItIs(file)
}

function openAsItIs(file: string): DatabaseSyncInstance {
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
