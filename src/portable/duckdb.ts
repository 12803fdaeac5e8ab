import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api'
import { DRAFT } from '../model/durable-file.ts'
import { onDisk, UserError } from '../model/errors.ts'
import type { SessionFilter } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import type { ViewValue } from '../store/portable.ts'
import { makeOutDirectory, mayWrite } from './out-writer.ts'

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

const VIEWS = ['sessions', 'messages', 'tool_calls'] as const
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
  is_compound BOOLEAN DEFAULT FALSE, bash_embedding FLOAT[384]);`

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

/** From rows as they come, all text, into the tables. What a foreign key would refuse refers to nothing. */
const FILL = `
INSERT INTO schema_version (version) VALUES (1);
INSERT OR IGNORE INTO sessions SELECT id, source, source_path, source_session_id, started_at::TIMESTAMP, ended_at::TIMESTAMP,
  duration_seconds::INTEGER, model, cwd, git_repo, git_branch, message_count::INTEGER, tool_count::INTEGER, input_tokens::BIGINT,
  output_tokens::BIGINT, is_complete = '1', coalesce(file_mtime::DOUBLE, 0), coalesce(file_size::BIGINT, 0),
  indexed_at::TIMESTAMP FROM (SELECT * REPLACE (CASE WHEN n > 1 THEN source_path || '#' || id ELSE source_path END AS source_path)
    FROM (SELECT *, row_number() OVER (PARTITION BY source_path ORDER BY id) AS n FROM raw_sessions));
INSERT OR IGNORE INTO messages SELECT id, session_id, idx::BIGINT, role, content, thinking, timestamp::TIMESTAMP,
  has_thinking = '1', NULL, NULL FROM raw_messages m WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.id = m.session_id)
  AND role IN ('user', 'assistant', 'system');
INSERT OR IGNORE INTO tool_calls SELECT id, session_id, CASE WHEN EXISTS (SELECT 1 FROM messages m WHERE m.id = c.message_id)
  THEN message_id END, idx::INTEGER, coalesce(tool_name, ''), tool_input::JSON, bash_command, bash_base, bash_sub, is_compound = '1', NULL
  FROM raw_tool_calls c WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.id = c.session_id);`

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
  const shortIds = filter === null ? null : await wanted(store, filter)
  await store.portable.snapshot(async () => {
    for (const [i, view] of VIEWS.entries()) {
      const { columns, rows } = await store.portable.view(view)
      await connection.run(`CREATE TEMP TABLE raw_${view} (${columns.map((name) => `"${name}" VARCHAR`).join(', ')})`)
      const appender = await connection.createAppender(`raw_${view}`, 'main', 'temp')
      const of = columns.indexOf(view === 'sessions' ? 'id' : 'session_id')
      let count = 0
      let waiting = 0
      for (const row of rows) {
        if (shortIds !== null && !shortIds.has(String(row[of]))) continue
        append(appender, row)
        waiting += row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)
        if (++count % FLUSH_ROWS === 0 || waiting > FLUSH_CHARACTERS) {
          waiting = 0
          appender.flushSync()
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      appender.closeSync()
      onCount?.(i + 1, VIEWS.length, 'tables')
    }
  })
  for (const sql of [SCHEMA, FILL, INDEXES, ...VIEWS.map((view) => `DROP TABLE raw_${view}`)]) await connection.run(sql)
  const [sessions, messages, calls] = await Promise.all(VIEWS.map((table) => countOf(connection, table)))
  const report = { sessions: sessions ?? 0, messages: messages ?? 0, tool_calls: calls ?? 0 }
  return { out: '', ...report, full_text: await indexText(connection) }
}

async function wanted(store: Store, filter: SessionFilter): Promise<Set<string>> {
  const { sessions } = await store.sessions({ ...filter, limit: 0, hidden: true })
  return new Set(sessions.map(({ shortId }) => shortId))
}

function append(appender: DuckDBAppender, row: readonly ViewValue[]): void {
  for (const value of row) {
    if (value === null || typeof value === 'object') appender.appendNull()
    else appender.appendVarchar(String(value))
  }
  appender.endRow()
}

async function countOf(connection: DuckDBConnection, table: string): Promise<number> {
  const read = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${table}`)
  return Number(read.getRows()[0]?.[0])
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
  for (const table of VIEWS) {
    const draft = path.join(dir, `${table}.parquet${DRAFT}`)
    await connection.run(
      `COPY (SELECT * FROM ${table} ORDER BY ALL) TO '${draft.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd)`,
    )
  }
  for (const table of VIEWS) {
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
