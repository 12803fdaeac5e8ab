import { DatabaseSync } from '@photostructure/sqlite'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { MIGRATIONS } from '../src/store/sqlite/migrations/index.ts'
import { SCHEMA_VERSION } from '../src/store/sqlite/schema-version.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { dump, query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'
import { layEvicted, layOthers, OLDER_HOME, OLDER_SESSIONS } from './kit/older-home.ts'

const fixtures = path.resolve(import.meta.dirname, 'fixtures/stores')
const schemas = readdirSync(fixtures)
  .flatMap((name) => /^schema-(\d+)\.db\.gz$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b)

/** The first hexadecimal digits of each released migration: none is ever edited. */
const FROZEN = [
  '482cd075cc8a',
  '24059c4c8982',
  '411ca3570b79',
  '73dacb1901f4',
  'dea3b73f348c',
  'df8dfa96b076',
  'b26ccb68cc93',
  'f3818592ae06',
  'd98b7426e79b',
  '98e9b465a85a',
  '5f8e3272f3e9',
  '40b014be01d8',
  '712ed8e51ab1',
  '286dff5cd5a0',
  'e9f5a46e1b0a',
  '5f297cb8162b',
]

test('released migrations are frozen text, as many as the schema has been through', () => {
  const digests = MIGRATIONS.map((text) => createHash('sha256').update(text).digest('hex').slice(0, 12))
  expect(digests).toEqual(FROZEN)
  expect(SCHEMA_VERSION).toBe(MIGRATIONS.length)
  const made = path.resolve(import.meta.dirname, '../src/store/sqlite/migrations')
  for (const name of readdirSync(made)) {
    const code = readFileSync(path.join(made, name), 'utf8')
    expect(code, name).not.toContain('${')
    expect(
      [...code.matchAll(/from '(.+?)'/g)].map((match) => match[1]).filter((from) => !from?.startsWith('./')),
    ).toEqual([])
  }
})

/** The store that a program of this schema wrote, as if the sessions lay in `home`. */
function olderStore(schema: number, home: string): string {
  const dir = path.join(tempDir(), 'recall')
  const file = path.join(dir, 'recall.db')
  mkdirSync(path.join(dir, 'blobs'), { recursive: true, mode: 0o700 })
  writeFileSync(file, gunzipSync(readFileSync(path.join(fixtures, `schema-${schema}.db.gz`))), { mode: 0o600 })
  writeFileSync(path.join(dir, 'blobs', '000002.pack'), readFileSync(path.join(fixtures, `schema-${schema}.pack`)))
  const db = new DatabaseSync(file)
  for (const [table, column] of [
    ['file', 'path'],
    ['lane', 'main_path'],
    ['session', 'source_path'],
    ['session_path', 'path'],
  ]) {
    db.prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`).run(OLDER_HOME, home)
  }
  db.close()
  return file
}

describe.each(schemas)('a store of schema %i', (schema) => {
  test('says after an index what a new one would, and keeps what no transcript can give back', async () => {
    const home = tempDir()
    layEvicted(home)
    layOthers(home)
    const file = olderStore(schema, home)
    const older = productOn(home, file).recall
    await older.index()
    expect(await older.doctor()).toEqual([])
    const { evicted, forgotten, kept } = OLDER_SESSIONS
    expect((await older.find(`claude:${evicted}`)).evictedAt).not.toBeNull()
    await expect(older.find(`claude:${forgotten}`)).rejects.toThrow()
    expect(JSON.parse((await older.digest(`claude:${evicted}`)) ?? '{}')).toMatchObject({
      event_count: 10,
    })
    expect((await older.find(`claude:${kept}`)).tags).toEqual(['keep'])
    const changes = query(file, 'SELECT session_uid, kind FROM change ORDER BY seq')
    expect(changes).toContainEqual({ session_uid: `claude:${evicted}`, kind: 'evicted' })
    expect(changes).toContainEqual({ session_uid: `claude:${forgotten}`, kind: 'forgotten' })
    await older.restore(await older.find(`claude:${evicted}`))
    await older.unforget(`claude:${forgotten}`)
    await older.index()
    const now = productOn(home)
    await now.recall.index()
    await now.recall.decide(await now.recall.find(`claude:${kept}`), 'discounts apply once')
    expect(rowsOf(file)).toEqual(rowsOf(now.store))
    expect(textsOf(file, "l.name = '~decisions'")).toEqual(['discounts apply once'])
  })

  test('is whole after it was only opened, with no transcript left', async () => {
    const home = tempDir()
    const file = olderStore(schema, home)
    const older = productOn(home, file).recall
    await older.bringUpToDate()
    layOthers(home)
    const now = productOn(home)
    await now.recall.index()
    const held = `s.uid IN ('claude:${OLDER_SESSIONS.kept}', 'codex:${OLDER_SESSIONS.codex}') AND l.name <> '~decisions'`
    expect(textsOf(file, held)).toEqual(textsOf(now.store, held))
    expect(query(file, LEDGER)).toEqual(
      query(now.store, LEDGER).filter(({ uid }) => !String(uid).includes(OLDER_SESSIONS.forgotten)),
    )
    const session = await older.find(`claude:${OLDER_SESSIONS.kept}`)
    const there = await now.recall.find(`claude:${OLDER_SESSIONS.kept}`)
    expect(await older.bodies(session, null)).toEqual(await now.recall.bodies(there, null))
    const decided = query(
      file,
      "SELECT l.base + e.pos AS seq FROM event e JOIN lane l ON l.id = e.lane WHERE l.name = '~decisions'",
    )
    expect(await older.decide(session, 'and never twice')).toBe(Number(decided[0]?.['seq']) + 1)
    const found = await older.search({ text: 'discounts over 50', filter: { limit: 5 }, now: NOW })
    expect(found.hits[0]?.session.uid).toBe(session.uid)
  })
})

const LEDGER = `SELECT s.uid, g.key, g.model, g.at, g.input, g.output, g.cache_read FROM ledger g JOIN session s ON s.id = g.session
  WHERE s.evicted_at IS NULL ORDER BY g.key`

function textsOf(file: string, where: string): unknown[] {
  const sql = `SELECT e.text FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
    WHERE ${where} ORDER BY s.uid, l.name, e.pos`
  return query(file, sql).map(({ text }) => text)
}

/** All that two stores of one home must agree on: not on when something was decided. */
function rowsOf(file: string) {
  const sums = (table: string, columns: string) =>
    query(file, `SELECT s.uid, ${columns} FROM ${table} q JOIN session s ON s.id = q.session ORDER BY 1, 2, 3, 4`)
  const { events, ...rows } = dump(file)
  return {
    ...rows,
    events: events.filter((event) => !('lane' in event && event.lane === '~decisions')),
    spent: sums('spent', 'q.quarter, q.model, q.size, q.responses, q.input, q.output'),
    called: sums('called', 'q.quarter, q.tool, q.base, q.sub, q.count, q.errors'),
    ran: sums('ran', 'q.quarter, q.name, q.count'),
    touched: sums(
      '(SELECT t.*, p.name FROM touched t JOIN path p ON p.id = t.path)',
      'q.quarter, q.name, q.edits, q.reads',
    ),
  }
}

/** What a store of schema 7 says of a session whose transcript is gone. */
const OLD_EVENTS: readonly (readonly [kind: string, role: string, text: string, human: boolean])[] = [
  ['user_msg', 'user', 'tidy up', true],
  ['error', 'tool', "The user doesn't want to proceed with this tool use.", false],
  ['human_intervention', 'user', '[Request interrupted by user]', false],
  ['lifecycle', 'system', 'conversation compacted (auto, 9 tokens)', false],
  ['user_msg', 'user', '/clear', false],
  ['user_msg', 'user', '<system-reminder>x</system-reminder>', false],
  ['lifecycle', 'system', 'turn took 5s', false],
]

function oldStore(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  for (const migration of MIGRATIONS.slice(0, 7)) db.exec(migration)
  db.exec('PRAGMA user_version = 7')
  db.exec(`INSERT INTO session (id, uid, short_id, flavor, source, native_id, source_path, event_count, message_count, prompt_count, git_branch, source_bytes)
    VALUES (1, 'claude:old', '0123456789abcdef', 'claude', 'claude_code', 'old', '/gone.jsonl', 7, 2, 1, 'main', 9)`)
  db.exec("INSERT INTO session_path VALUES ('0123456789abcdef', 1, '/gone.jsonl')")
  db.exec("INSERT INTO lane (id, session, name, base, originality, main_path) VALUES (1, 1, '', 1, 0, '/gone.jsonl')")
  const insert = db.prepare(
    `INSERT INTO event (lane, pos, kind, role, text, flags, native, block, line, exchange) VALUES (1, ?, ?, ?, ?, ?, ?, 0, ?, 1)`,
  )
  for (const [pos, [kind, role, text, human]] of OLD_EVENTS.entries()) {
    insert.run(pos, kind, role, text, human ? 8 : 0, Buffer.from(`native${pos}`.padEnd(8)), pos + 1)
  }
  db.exec(`INSERT INTO session (id, uid, short_id, flavor, source, native_id, source_path, event_count, message_count, prompt_count, tool_count, input_tokens, source_bytes, ended_at, evicted_at)
    VALUES (2, 'claude:evicted', 'fedcba9876543210', 'claude', 'claude_code', 'evicted', '/gone-too.jsonl', 40, 12, 3, 5, 900, 9, 1760000000000, 1761000000000)`)
  db.exec("INSERT INTO session_path VALUES ('fedcba9876543210', 2, '/gone-too.jsonl')")
  db.exec(
    "INSERT INTO lane (id, session, name, base, originality, main_path) VALUES (2, 2, '', 1, 0, '/gone-too.jsonl')",
  )
  db.prepare('INSERT INTO digests VALUES (?, ?, 1, ?)').run('claude:evicted', DIGEST, '2026-10-21T00:00:00.000Z')
  db.close()
}

const DIGEST = JSON.stringify({
  session_uid: 'claude:evicted',
  first_prompt: 'tidy the shed',
  kind_counts: { user_msg: 3 },
})

test('a command that only reads brings an older store up to date, and says so once', () => {
  const env = cleanEnv(tempDir())
  oldStore(path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db'))
  const first = recallCli(env, 'list', '--json')
  expect(first.code).toBe(0)
  expect(first.err).toContain('bringing the store up to date')
  expect(recallCli(env, 'list', '--json').err).toBe('')
  const { events } = recallJson(env, 'show', 'claude:old', '--events') as unknown as {
    events: { kind: string; marks: unknown; summary: string }[]
  }
  expect(events.map(({ kind, marks }) => [kind, marks])).toEqual([
    ['user_msg', null],
    ['tool_result', { denied: 'person' }],
    ['human_intervention', { interrupted: true }],
    ['lifecycle', { compacted: 'unknown' }],
    ['user_msg', { command: '/clear' }],
    ['user_msg', { injected: true }],
    ['lifecycle', { turn: 'completed' }],
  ])
})

test('what an older store kept of an evicted session stays, read or indexed', () => {
  const env = cleanEnv(tempDir())
  const file = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')
  oldStore(file)
  const kept = () => {
    const db = new DatabaseSync(file, { readOnly: true })
    const row = db
      .prepare(
        `SELECT s.event_count, s.message_count, s.prompt_count, s.tool_count, s.input_tokens, s.evicted_at, d.json
         FROM session s JOIN digests d ON d.session_uid = s.uid WHERE s.uid = 'claude:evicted'`,
      )
      .get()
    db.close()
    return { ...row }
  }
  const before = kept()
  expect(recallCli(env, 'list', '--json').code).toBe(0)
  expect(kept()).toEqual(before)
  expect(recallCli(env, 'index').code).toBe(0)
  expect(kept()).toEqual(before)
  expect(before).toMatchObject({ message_count: 12, json: DIGEST })
})
