import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { isSystemError } from '../../model/regular-file.ts'
import { Unreadable } from '../source.ts'

export type Row = Record<string, unknown>
export type Value = string | number | null

const BUSY_MS = 500

/**
 * A look into a database that an agent may be writing to. Nothing in its directory is written, made or locked for
 * longer than one question takes.
 */
export class Look {
  readonly #db: DatabaseSyncInstance
  readonly #file: string
  /** What the file was when it was opened as one that nobody changes; null if its log is read along. */
  readonly #still: string | null
  readonly #copy: string | null
  readonly #columns = new Map<string, ReadonlySet<string>>()

  constructor(file: string) {
    this.#file = file
    const hasLog = sizeOf(`${file}-wal`) > 0
    const isShared = sizeOf(`${file}-shm`) > 0
    this.#copy = hasLog && !isShared ? copyOf(file) : null
    this.#still = hasLog ? null : stampOf(file)
    try {
      // Without its log the database is all there is, and opening it in the usual way would make an empty one.
      const how = hasLog && isShared ? 'readonly_shm=1' : hasLog ? '' : 'immutable=1'
      this.#db = new DatabaseSync(addressOf(this.#copy ?? file, how), { readOnly: true, timeout: BUSY_MS })
    } catch (error) {
      this.#dropCopy()
      throw unreadable(error)
    }
  }

  /** True if there is such a table with such a column. */
  has(table: string, column = ''): boolean {
    let columns = this.#columns.get(table)
    if (columns === undefined) {
      columns = new Set(this.all('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => String(name)))
      this.#columns.set(table, columns)
    }
    return column === '' ? columns.size > 0 : columns.has(column)
  }

  all(sql: string, ...values: Value[]): Row[] {
    try {
      const rows = this.#db.prepare(sql).all(...values) as Row[]
      if (this.#still !== null && this.#still !== stampOf(this.#file))
        throw new Unreadable('it was changed while it was read')
      return rows
    } catch (error) {
      throw unreadable(error)
    }
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.all(sql, ...values)[0]
  }

  close(): void {
    this.#db.close()
    this.#dropCopy()
  }

  #dropCopy(): void {
    if (this.#copy !== null) rmSync(path.dirname(this.#copy), { recursive: true, force: true })
  }
}

/** A log without its index, as after a crash or in a copied directory, is looked at elsewhere: to read it, one is made. */
function copyOf(file: string): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'recall-'))
  for (const end of ['', '-wal']) cpSync(file + end, path.join(dir, `copy.db${end}`))
  return path.join(dir, 'copy.db')
}

function addressOf(file: string, how: string): URL {
  const url = pathToFileURL(file)
  url.search = how === '' ? '?mode=ro' : `?mode=ro&${how}`
  return url
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return `${stat?.ino}.${stat?.size}.${stat?.mtimeMs}.${sizeOf(`${file}-wal`)}`
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function unreadable(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isSqlite =
    code.startsWith('ERR_SQLITE') || code.startsWith('SQLITE') || (error instanceof Error && 'errcode' in error)
  return isSqlite || (error instanceof Error && isSystemError(error)) ? new Unreadable((error as Error).message) : error
}
