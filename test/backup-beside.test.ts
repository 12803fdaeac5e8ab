import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

type Env = Record<string, string>

function run(env: Env, ...args: string[]): string {
  const done = recallCli(env, ...args)
  if (done.code !== 0) throw new Error(`recall ${args.join(' ')}: exit ${done.code}: ${done.err}`)
  return done.out
}

const dataOf = (env: Env) => path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
const inData = (env: Env, ...parts: string[]) => path.join(dataOf(env), ...parts)
const textOf = (env: Env, ...parts: string[]) => readFileSync(inData(env, ...parts), 'utf8')

function memory(...names: readonly string[]): Env {
  const env = cleanEnv(tempDir())
  for (const name of names)
    write(
      transcriptPath(env['HOME'] ?? '', uuid(name)),
      new ClaudeLog(uuid(name)).user(`about ${name}`).say('ok').text(),
    )
  run(env, 'index')
  return env
}

function backedUp(env: Env): string {
  const file = path.join(tempDir(), 'recall.tar')
  run(env, 'backup', file)
  return file
}

const titles = (env: Env) => {
  const { sessions } = recallJson(env, 'list', '--all') as unknown as { sessions: { title: string }[] }
  return sessions.map(({ title }) => title).sort()
}

test('the hub comes back: once, in its order, and not about what was forgotten', () => {
  const env = memory('badgers', 'otters')
  run(env, 'note', 'first the setts')
  run(env, 'decide', uuid('badgers'), 'we dig')
  run(env, 'decide', uuid('otters'), 'we swim')
  const file = backedUp(env)
  const other = cleanEnv(tempDir())
  run(other, 'restore', file)
  expect(textOf(other, 'hub', 'notes.jsonl')).toBe(textOf(env, 'hub', 'notes.jsonl'))
  expect(textOf(other, 'hub', 'decisions.jsonl')).toBe(textOf(env, 'hub', 'decisions.jsonl'))
  run(other, 'note', 'then the holts')
  run(other, 'forget', uuid('badgers'), '--yes')
  run(other, 'restore', file, '--force')
  const notes = textOf(other, 'hub', 'notes.jsonl').trim().split('\n')
  expect(notes.map((line) => (JSON.parse(line) as { text: string }).text)).toEqual([
    'first the setts',
    'then the holts',
  ])
  expect(textOf(other, 'hub', 'decisions.jsonl')).not.toContain('we dig')
  expect(textOf(other, 'hub', 'decisions.jsonl')).toContain('we swim')
}, 120_000)

test('groups come back with their notes, archives, pointers and memory; what is there stays', () => {
  const env = memory('badgers')
  run(env, 'group', 'add', 'zoo')
  writeFileSync(inData(env, 'groups', 'zoo', 'CLAUDE.md'), '# zoo\nfeed at nine\n')
  writeFileSync(inData(env, 'groups', 'zoo', 'conversations', '2026-10-01-lunch.md'), '# Lunch\n')
  mkdirSync(inData(env, 'groups', 'global'), { recursive: true })
  writeFileSync(inData(env, 'groups', 'global', 'CLAUDE.md'), 'be kind to all\n')
  const transcripts = inData(env, 'data', 'sessions', 'zoo', '.claude', 'projects', '-workspace-group')
  for (const name of ['llamas', 'emus'])
    write(
      path.join(transcripts, `${uuid(name)}.jsonl`),
      new ClaudeLog(uuid(name)).user(`about ${name}`).say('ok').text(),
    )
  run(env, 'index', '--group', 'zoo')
  run(env, 'session', 'set', uuid('llamas'), '--group', 'zoo')
  run(env, 'session', 'archive', 'lunch', '--group', 'zoo')
  run(env, 'session', 'set', uuid('emus'), '--group', 'zoo')
  symlinkSync('/etc/hostname', inData(env, 'groups', 'zoo', 'conversations', 'linked.md'))
  const file = backedUp(env)
  const other = cleanEnv(tempDir())
  run(other, 'restore', file)
  for (const parts of [
    ['groups', 'zoo', 'CLAUDE.md'],
    ['groups', 'zoo', 'conversations', '2026-10-01-lunch.md'],
    ['groups', 'global', 'CLAUDE.md'],
  ])
    expect(textOf(other, ...parts)).toBe(textOf(env, ...parts))
  expect(existsSync(inData(other, 'groups', 'zoo', 'conversations', 'linked.md'))).toBe(false)
  const inGroup = (where: Env, ...args: string[]) => recallJson(where, ...args, '--group', 'zoo')
  expect(inGroup(other, 'session', 'get')).toMatchObject({ session_id: uuid('emus') })
  expect(inGroup(other, 'session', 'history')).toMatchObject({ sessions: [{ session_id: uuid('llamas') }] })
  expect(run(other, 'list', '--group', 'zoo', '--all')).toContain('about llamas')
  expect(titles(other)).toEqual(['about badgers'])
  writeFileSync(inData(other, 'groups', 'zoo', 'CLAUDE.md'), '# mine now\n')
  run(other, 'restore', file, '--force')
  expect(textOf(other, 'groups', 'zoo', 'CLAUDE.md')).toBe('# mine now\n')
  expect(inGroup(other, 'session', 'history')['sessions']).toHaveLength(1)
}, 120_000)

test('what was forgotten stays so when the store is lost and an older backup takes its place', () => {
  const env = memory('badgers', 'otters')
  const file = backedUp(env)
  run(env, 'forget', uuid('badgers'), '--yes')
  for (const name of ['recall.db', 'recall.db-sums', 'recall.db-wal', 'recall.db-shm', 'blobs'])
    rmSync(inData(env, name), { recursive: true, force: true })
  expect(recallJson(env, 'restore', file)).toMatchObject({ sessions: 1, forgotten: 1 })
  expect(titles(env)).toEqual(['about otters'])
  run(env, 'index', '--full')
  expect(titles(env)).toEqual(['about otters'])
  run(env, 'forget', '--undo', `claude:${uuid('badgers')}`)
  expect(recallJson(env, 'restore', file, '--force')).toMatchObject({ sessions: 2, forgotten: 0 })
}, 120_000)

test('in a new place a restore says of when it is, and synchronising brings what was forgotten since', () => {
  const shared = path.join(tempDir(), 'shared')
  const env = memory('badgers', 'otters')
  const file = backedUp(env)
  run(env, 'forget', uuid('badgers'), '--yes')
  run(env, 'sync', shared)
  const other = cleanEnv(tempDir())
  const { out, err } = recallCli(other, 'restore', file)
  expect(`${out}${err}`).toMatch(/as of \d{4}-\d\d-\d\d[\s\S]*recall sync/)
  expect(titles(other)).toEqual(['about badgers', 'about otters'])
  run(other, 'sync', shared)
  expect(titles(other)).toEqual(['about otters'])
}, 120_000)
