import { DatabaseSync } from '@photostructure/sqlite'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../src/store/sqlite/schema.ts'
import { SCHEMA_VERSION } from '../src/store/sqlite/schema-version.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

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

test('as many migrations as the schema has been through', () => {
  expect(SCHEMA_VERSION).toBe(MIGRATIONS.length)
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
