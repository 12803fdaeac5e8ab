import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { demoHome, tempDir } from './kit/home.ts'

const env = cleanEnv(demoHome())
const storeFile = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')
const file = path.join(tempDir(), 'memory.duckdb')

async function ask(database: string, ...questions: readonly string[]): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  try {
    let rows: unknown[][] = []
    for (const question of questions) rows = (await connection.runAndReadAll(question)).getRowsJson()
    return rows
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

describe('DuckDB', () => {
  let report: Record<string, unknown>
  beforeAll(() => {
    expect(recallCli(env, 'index').code).toBe(0)
    report = recallJson(env, 'export', 'duckdb', file)
  }, 60_000)

  test('has the three tables with the rows of the views, and their ids', async () => {
    for (const table of ['sessions', 'messages', 'tool_calls']) {
      const here = query(storeFile, `SELECT id FROM ${table} ORDER BY id`).map((row) => row['id'])
      expect(await ask(file, `SELECT id FROM ${table} ORDER BY id`)).toEqual(here.map((id) => [id]))
      expect(report[table]).toBe(here.length)
    }
    expect(readdirSync(path.dirname(file))).toEqual(['memory.duckdb'])
  })

  const SAME_CELLS: Readonly<Record<string, readonly [table: string, here: string, there: string]>> = {
    sessions: [
      'sessions',
      'id, source, source_session_id, started_at, ended_at, duration_seconds, model, cwd, git_repo, git_branch, message_count, tool_count, input_tokens, output_tokens, is_complete, file_size, indexed_at',
      "id, source, source_session_id, strftime(started_at, '%Y-%m-%dT%H:%M:%S.%gZ'), strftime(ended_at, '%Y-%m-%dT%H:%M:%S.%gZ'), duration_seconds, model, cwd, git_repo, git_branch, message_count, tool_count, input_tokens::INTEGER, output_tokens::INTEGER, is_complete::INTEGER, file_size::INTEGER, strftime(indexed_at, '%Y-%m-%dT%H:%M:%S.%gZ')",
    ],
    messages: [
      'messages',
      'id, session_id, idx, role, content, thinking, timestamp, has_thinking',
      "id, session_id, idx::INTEGER, role, content, thinking, strftime(timestamp, '%Y-%m-%dT%H:%M:%S.%gZ'), has_thinking::INTEGER",
    ],
    calls: [
      'tool_calls',
      "id, session_id, message_id, idx, tool_name, nullif(tool_input, 'null'), bash_command, bash_base, bash_sub, is_compound",
      'id, session_id, message_id, idx, tool_name, tool_input::VARCHAR, bash_command, bash_base, bash_sub, is_compound::INTEGER',
    ],
  }

  test.each(Object.values(SAME_CELLS))('has every cell of the view %s', async (table, here, there) => {
    const rows = query(storeFile, `SELECT ${here} FROM ${table} ORDER BY id`).map((row) => Object.values(row))
    expect(rows.length).toBeGreaterThan(20)
    expect(await ask(file, `SELECT ${there} FROM ${table} ORDER BY id`)).toEqual(rows)
  })

  test('has the columns, types and indexes that readers rely on', async () => {
    const columns = await ask(
      file,
      'SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY 1, 2',
    )
    const types = new Map(columns.map(([table, column, type]) => [`${String(table)}.${String(column)}`, type]))
    expect(types.get('sessions.started_at')).toBe('TIMESTAMP')
    expect(types.get('sessions.is_complete')).toBe('BOOLEAN')
    expect(types.get('sessions.file_mtime')).toBe('DOUBLE')
    expect(types.get('messages.content_embedding')).toBe('FLOAT[384]')
    expect(types.get('tool_calls.tool_input')).toBe('JSON')
    const indexes = (await ask(file, 'SELECT index_name FROM duckdb_indexes() ORDER BY 1')).flat()
    expect(indexes).toEqual(
      [
        'messages_has_thinking',
        'messages_session',
        'sessions_cwd',
        'sessions_git_repo',
        'sessions_source',
        'sessions_started',
        'tool_calls_bash_base',
        'tool_calls_bash_sub',
        'tool_calls_name',
        'tool_calls_session',
      ].map((name) => `idx_${name}`),
    )
  })

  test('questions of analysts run as they stand', async () => {
    const bash = await ask(
      file,
      'SELECT bash_base, count(*)::INTEGER FROM tool_calls WHERE bash_base IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3',
    )
    const here = query(
      storeFile,
      'SELECT bash_base AS b, count(*) AS n FROM tool_calls WHERE bash_base IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3',
    )
    expect(bash).toEqual(here.map(({ b, n }) => [b, n]))
    const paths = await ask(file, "SELECT count(*)::INTEGER FROM tool_calls WHERE tool_input->>'file_path' IS NOT NULL")
    expect(paths).toEqual([
      [query(storeFile, "SELECT count(*) AS n FROM tool_calls WHERE tool_input ->> 'file_path' IS NOT NULL")[0]?.['n']],
    ])
    const [[seconds]] = (await ask(
      file,
      "SELECT sum(date_diff('second', started_at, ended_at))::INTEGER FROM sessions",
    )) as [[number]]
    expect(seconds).toBeGreaterThan(0)
    const joined = await ask(
      file,
      'SELECT count(*)::INTEGER FROM tool_calls t JOIN messages m ON m.id = t.message_id JOIN sessions s ON s.id = m.session_id',
    )
    expect(joined).toEqual([
      [query(storeFile, 'SELECT count(*) AS n FROM tool_calls t JOIN messages m ON m.id = t.message_id')[0]?.['n']],
    ])
  })

  test('a file that is there is not replaced without --force; nothing half is left', () => {
    expect(recallCli(env, 'export', 'duckdb', file)).toMatchObject({ code: 2, err: expect.stringContaining('--force') })
    expect(recallCli(env, 'export', 'duckdb', file, '--force').code).toBe(0)
    expect(recallCli(env, 'export', 'duckdb', path.join(tempDir(), 'no', 'such', 'x.duckdb')).code).toBe(2)
    expect(recallCli(env, 'export', 'duckdb').code).toBe(2)
    expect(readdirSync(path.dirname(file))).toEqual(['memory.duckdb'])
  })

  test('Parquet files hold the same', async () => {
    const dir = path.join(tempDir(), 'tables')
    expect(recallJson(env, 'export', 'parquet', dir)).toMatchObject({ code: 0, sessions: report['sessions'] })
    expect(readdirSync(dir).sort()).toEqual(['messages.parquet', 'sessions.parquet', 'tool_calls.parquet'])
    for (const table of ['sessions', 'messages', 'tool_calls'])
      expect(await ask(':memory:', `SELECT count(*)::INTEGER FROM '${dir}/${table}.parquet'`)).toEqual([
        [report[table]],
      ])
  })

  test('a filter leaves out the rest', async () => {
    const some = path.join(tempDir(), 'some.duckdb')
    expect(recallJson(env, 'export', 'duckdb', some, '--source', 'codex')['code']).toBe(0)
    expect(await ask(some, 'SELECT DISTINCT source FROM sessions')).toEqual([['codex']])
  })
})

describe('recall sql', () => {
  beforeAll(() => void expect(recallCli(env, 'index').code).toBe(0), 60_000)

  test('answers as a table, as JSON and as CSV', () => {
    const asked = 'SELECT tool_name, count(*) AS n FROM tool_calls GROUP BY 1 ORDER BY 2 DESC LIMIT 2'
    const here = query(storeFile, asked)
    expect(recallJson(env, 'sql', asked)).toMatchObject({
      columns: ['tool_name', 'n'],
      rows: here.map(({ tool_name: tool, n }) => [tool, n]),
      more: false,
    })
    expect(recallCli(env, 'sql', asked).out).toContain(String(here[0]?.['tool_name']))
    expect(recallCli(env, 'sql', '--csv', 'SELECT \'a,"b"\' AS x, NULL AS y').out).toBe('x,y\n"a,""b""",\n')
    expect(recallJson(env, 'sql', 'SELECT * FROM messages', '--limit', '2')).toMatchObject({ more: true })
    expect(recallJson(env, 'sql', "SELECT json ->> 'session_uid' FROM digests; -- done")).toMatchObject({ code: 0 })
  })

  const outside = path.join(tempDir(), 'outside.db')
  test.each([
    "INSERT INTO digests VALUES ('a', '{}', 1, NULL)",
    'DELETE FROM event',
    'DROP VIEW sessions',
    'UPDATE session SET title = 1 RETURNING title',
    `ATTACH '${outside}' AS x`,
    `VACUUM INTO '${outside}'`,
    'PRAGMA query_only = OFF',
    'PRAGMA writable_schema = ON',
    'SELECT * FROM pragma_table_info(1)',
    "SELECT load_extension('x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/x', 'y')",
    'SELECT value FROM meta',
    'SELECT * FROM file',
    'SELECT count(*) FROM dbstat',
    'SELECT 1; SELECT 2',
    'BEGIN',
    'CREATE TEMP TABLE x (a)',
    'SELEKT 1',
    '',
  ])('refuses %j', (asked) => {
    const before = query(storeFile, 'SELECT count(*) AS n FROM event')
    const run = recallCli(env, 'sql', asked)
    expect(run.code).toBe(2)
    expect(run.err).not.toContain('bug')
    expect(existsSync(outside)).toBe(false)
    expect(query(storeFile, 'SELECT count(*) AS n FROM event')).toEqual(before)
  })

  test('ends what never ends, and what grows without end', () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n'
    expect(recallCli(env, 'sql', endless, '--timeout', '1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('longer than 1 s'),
    })
    const large =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400) SELECT hex(zeroblob(1000000)) FROM n'
    expect(recallCli(env, 'sql', large, '--limit', '0').code).toBe(2)
    expect(recallCli(env, 'sql', 'SELECT zeroblob(900000000)').code).toBe(2)
  })
})

test('what is not there is said', () => {
  const empty = cleanEnv(tempDir())
  expect(recallCli(empty, 'sql', 'SELECT 1')).toMatchObject({ code: 4, err: expect.stringContaining('recall index') })
  expect(recallCli(empty, 'export', 'duckdb', path.join(tempDir(), 'x.duckdb')).code).toBe(4)
  writeFileSync(path.join(tempDir(), 'x'), '')
})
