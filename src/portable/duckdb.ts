import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api'
import { DRAFT } from '../model/durable-file.ts'
import { onDisk, UserError } from '../model/errors.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import { makeOutDirectory, mayWrite } from './out-writer.ts'
import { tableRows, TABLES, type Cell, type TableName } from './tables.ts'

export interface DuckDbTask {
  readonly store: Store
  readonly out: string
  readonly as: 'duckdb' | 'parquet'
  readonly filter: SessionFilter | null
  readonly force: boolean
  readonly onCount?: (done: number, total: number, what: string) => void
}

export interface DuckDbReport {
  readonly out: string
  readonly sessions: number
  readonly messages: number
  readonly tool_calls: number
  /** A full-text index was made; false where its extension is not on this machine. */
  readonly full_text: boolean
}

const MEMORY = '160MB'
const FLUSH_ROWS = 2000
const FLUSH_CHARACTERS = 4 * 2 ** 20

/** The tables that readers rely on: their names, columns, types and order. Sources are an open list, and so have no CHECK. */
const SCHEMA = `
CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, source TEXT NOT NULL, source_path TEXT UNIQUE NOT NULL, source_session_id TEXT,
  started_at TIMESTAMP, ended_at TIMESTAMP, duration_seconds INTEGER, model TEXT, cwd TEXT, git_repo TEXT, git_branch TEXT,
  message_count INTEGER DEFAULT 0, tool_count INTEGER DEFAULT 0, input_tokens BIGINT, output_tokens BIGINT,
  is_complete BOOLEAN DEFAULT TRUE, file_mtime DOUBLE NOT NULL, file_size BIGINT NOT NULL,
  indexed_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE messages (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), idx BIGINT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system')), content TEXT, thinking TEXT, timestamp TIMESTAMP,
  has_thinking BOOLEAN DEFAULT FALSE, content_embedding FLOAT[384], thinking_embedding FLOAT[384], UNIQUE (session_id, idx));
CREATE TABLE tool_calls (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), message_id TEXT REFERENCES messages(id),
  idx INTEGER NOT NULL, tool_name TEXT NOT NULL, tool_input JSON, bash_command TEXT, bash_base TEXT, bash_sub TEXT,
  is_compound BOOLEAN DEFAULT FALSE, bash_embedding FLOAT[384]);
INSERT INTO schema_version (version) VALUES (1);`

const INDEXES = `
CREATE INDEX idx_sessions_source ON sessions(source);
CREATE INDEX idx_sessions_cwd ON sessions(cwd);
CREATE INDEX idx_sessions_git_repo ON sessions(git_repo);
CREATE INDEX idx_sessions_started ON sessions(started_at);
CREATE INDEX idx_messages_session ON messages(session_id);
CREATE INDEX idx_messages_has_thinking ON messages(has_thinking);
CREATE INDEX idx_tool_calls_session ON tool_calls(session_id);
CREATE INDEX idx_tool_calls_name ON tool_calls(tool_name);
CREATE INDEX idx_tool_calls_bash_base ON tool_calls(bash_base);
CREATE INDEX idx_tool_calls_bash_sub ON tool_calls(bash_sub);`

const FULL_TEXT = `LOAD fts;
PRAGMA create_fts_index(messages, id, content, thinking, stemmer = 'porter', stopwords = 'english', overwrite = 1);
PRAGMA create_fts_index(tool_calls, id, bash_command, stemmer = 'porter', stopwords = 'english', overwrite = 1);`

/** Three tables in a DuckDB file, or as Parquet files. */
export async function exportDuckDb(task: DuckDbTask): Promise<DuckDbReport> {
  const { out, as, force } = task
  const duckdb = await loadDuckDb()
  if (as === 'duckdb') mayWrite(out, force)
  else makeOutDirectory(out, force, () => false)
  const aside = as === 'duckdb' ? `${out}${DRAFT}` : path.join(out, `tables${DRAFT}`)
  const drop = () =>
    [aside, `${aside}.wal`, `${aside}.spill`].forEach((file) => rmSync(file, { recursive: true, force: true }))
  drop()
  process.once('exit', drop)
  try {
    onDisk(() => mkdirSync(`${aside}.spill`, { mode: 0o700 }))
    const options = { memory_limit: MEMORY, temp_directory: `${aside}.spill`, threads: '1' }
    const instance = await duckdb.DuckDBInstance.create(aside, options)
    const connection = await instance.connect()
    const report = await filled(task, connection).finally(() => {
      connection.closeSync()
      instance.closeSync()
    })
    if (as === 'duckdb') onDisk(() => renameSync(aside, out))
    return { ...report, out }
  } catch (error) {
    throw explained(error, out)
  } finally {
    process.off('exit', drop)
    drop()
  }
}

async function filled(task: DuckDbTask, connection: DuckDBConnection): Promise<DuckDbReport> {
  await connection.run('SET autoinstall_known_extensions = false; SET preserve_insertion_order = false')
  const report = await fill(task, connection)
  if (task.as === 'parquet') await copyOut(connection, task.out)
  else await connection.run('CHECKPOINT')
  return report
}

async function loadDuckDb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api')
  } catch (error) {
    const hint = '`npm install -g @duckdb/node-api` beside recall, or `recall export traces`, which needs nothing'
    throw new UserError('USAGE', 'DuckDB is not installed', hint, error)
  }
}

async function fill({ store, filter, onCount }: DuckDbTask, connection: DuckDBConnection): Promise<DuckDbReport> {
  await connection.run(SCHEMA)
  const tables = new Tables(await Promise.all(TABLES.map((table) => connection.createAppender(table))))
  await store.portable.snapshot(async () => {
    const sessions = await wanted(store, filter)
    const paths = new Set<string>()
    for (const [i, { rowId }] of sessions.entries()) {
      for (const [table, cells] of tableRows(await store.portable.records(rowId, 'here')))
        tables.add(table, table === 'sessions' ? withOwnPath(cells, paths) : cells)
      onCount?.(i + 1, sessions.length, 'sessions')
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  tables.close()
  await connection.run(INDEXES)
  const { sessions, messages, tool_calls: calls } = tables.counts
  return { out: '', sessions, messages, tool_calls: calls, full_text: await indexText(connection) }
}

/** Those with anything in them, by their ids; of two with one id the first. */
async function wanted(store: Store, filter: SessionFilter | null): Promise<SessionRecord[]> {
  const { sessions } = await store.sessions({ ...filter, limit: 0, hidden: true })
  const held = new Set((await store.portable.uids()).map(({ uid }) => uid))
  const byId = new Map(sessions.filter(({ uid }) => held.has(uid)).map((session) => [session.shortId, session]))
  return [...byId.values()].sort((a, b) => (a.shortId < b.shortId ? -1 : 1))
}

const SOURCE_PATH = 2

/** The column wants every path once; several sessions may have one. */
function withOwnPath(cells: readonly Cell[], paths: Set<string>): readonly Cell[] {
  const own = String(cells[SOURCE_PATH])
  if (!paths.has(own)) {
    paths.add(own)
    return cells
  }
  return cells.with(SOURCE_PATH, `${own}#${String(cells[0])}`)
}

/** What fills the three tables: rows wait, and go in the order in which they refer to each other. */
class Tables {
  readonly counts: Record<TableName, number> = { sessions: 0, messages: 0, tool_calls: 0 }
  readonly #appenders: readonly DuckDBAppender[]
  #rows = 0
  #characters = 0

  constructor(appenders: readonly DuckDBAppender[]) {
    this.#appenders = appenders
  }

  add(table: TableName, cells: readonly Cell[]): void {
    const appender = this.#appenders[TABLES.indexOf(table)]
    if (appender === undefined) throw new Error(`no table ${table}`)
    for (const cell of cells) {
      if (cell === null) appender.appendNull()
      else appender.appendVarchar(String(cell))
      this.#characters += typeof cell === 'string' ? cell.length : 8
    }
    appender.endRow()
    this.counts[table]++
    if (++this.#rows < FLUSH_ROWS && this.#characters < FLUSH_CHARACTERS) return
    this.#rows = 0
    this.#characters = 0
    for (const one of this.#appenders) one.flushSync()
  }

  close(): void {
    for (const one of this.#appenders) one.closeSync()
  }
}

/** Only with an extension that is there: nothing is fetched. */
async function indexText(connection: DuckDBConnection): Promise<boolean> {
  try {
    await connection.run(FULL_TEXT)
    return true
  } catch {
    return false
  }
}

async function copyOut(connection: DuckDBConnection, dir: string): Promise<void> {
  for (const table of TABLES) {
    const draft = path.join(dir, `${table}.parquet${DRAFT}`)
    await connection.run(
      `COPY (SELECT * FROM ${table} ORDER BY ALL) TO '${draft.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd)`,
    )
  }
  for (const table of TABLES) {
    const file = path.join(dir, `${table}.parquet`)
    onDisk(() => renameSync(`${file}${DRAFT}`, file))
  }
}

function explained(error: unknown, out: string): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error
  if (/No space left|could not (?:write|create|open)|Permission denied|IO Error/i.test(error.message))
    return new UserError(
      'STORE_IO',
      `cannot write ${out} (${error.message.split('\n')[0]})`,
      'give it another place, or free some space',
      error,
    )
  return error
}
