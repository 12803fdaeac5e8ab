import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

const PLAN = 'Implement the following plan:\n\n# Count the herons at dawn\n\n## Context\n\nNobody counts them.'
const SESSIONS = {
  plan: new ClaudeLog(uuid('plan'), {}, Date.parse('2026-10-01T09:00:00Z')).user(PLAN).say('Done.'),
  hello: new ClaudeLog(uuid('hello'), {}, Date.parse('2026-10-02T09:00:00Z'))
    .user('hello')
    .say('Hello!')
    .user('sort the ponds by size')
    .say('Sorted.'),
  named: new ClaudeLog(uuid('named'), {}, Date.parse('2026-10-03T09:00:00Z'))
    .user('whatever it was')
    .bare({ type: 'custom-title', customTitle: 'Pond survey', sessionId: uuid('named') }),
}
const TITLES = ['Pond survey', 'sort the ponds by size', 'Count the herons at dawn']

function indexed(): Record<string, string> {
  const env = cleanEnv(tempDir())
  for (const log of Object.values(SESSIONS)) write(transcriptPath(env['HOME'] ?? '', log.session), log.text())
  expect(recallCli(env, 'index').code).toBe(0)
  return env
}

const titles = (env: Record<string, string>): string[] =>
  (recallJson(env, 'list') as Json)['sessions'].map((session: Json) => session['title'])

test('a session is called by its plan, its first prompt that says something, or as a person called it', () => {
  expect(titles(indexed())).toEqual(TITLES)
})

test('a session that begins with a greeting is called by what comes later', () => {
  const env = cleanEnv(tempDir())
  const log = new ClaudeLog(uuid('late')).user('hello')
  const file = transcriptPath(env['HOME'] ?? '', log.session)
  write(file, log.text())
  recallCli(env, 'index')
  expect(titles(env)).toEqual(['hello'])
  write(file, log.say('Hello!').user('paint the boat').text())
  recallCli(env, 'index')
  expect(titles(env)).toEqual(['paint the boat'])
})

test('titles of an older store are made anew by the next command that writes, those of evicted sessions too', async () => {
  const home = tempDir()
  const { hello, ...others } = SESSIONS
  for (const log of Object.values(others)) write(transcriptPath(home, log.session), log.text())
  const { recall, store } = productOn(home, undefined, { rawSoftCapBytes: 0 })
  await recall.sweep()
  write(transcriptPath(home, hello.session), hello.text())
  await recall.index()
  await recall.close()
  const older = new DatabaseSync(store)
  older.exec("DELETE FROM meta WHERE key = 'title_revision'")
  const old = { plan: PLAN.replace(/\s+/g, ' '), hello: 'hello', named: 'Pond survey' }
  for (const [name, title] of Object.entries(old))
    older.prepare('UPDATE session SET title = ? WHERE native_id = ?').run(title, uuid(name))
  older.close()
  const times = () => query(store, 'SELECT uid, analyzed_at, ingested_at FROM session ORDER BY uid')
  const before = times()
  const list = async () => (await recall.list({ limit: 0 })).sessions.map(({ title }) => title)
  expect(await list()).toEqual(['Pond survey', 'hello', old.plan])
  await recall.close()
  await recall.index()
  expect(await list()).toEqual(TITLES)
  expect(times()).toEqual(before)
  const tagged = query(store, "SELECT session_uid FROM change WHERE kind = 'tagged' ORDER BY 1")
  expect(tagged.map(({ session_uid: uid }) => uid)).toEqual(
    [`claude:${uuid('hello')}`, `claude:${uuid('plan')}`].sort(),
  )
  expect((await recall.find(`claude:${uuid('plan')}`)).evictedAt).not.toBeNull()
  expect((await recall.search({ text: 'herons dawn', filter: { limit: 1 }, now: NOW })).hits).toHaveLength(1)
  expect(await recall.doctor()).toEqual([])
  await recall.close()
})
