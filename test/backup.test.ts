import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { Debts } from '../src/retention/debts.ts'
import { cleanEnv, recallCli, recallDone as run, recallJson, startCli } from './kit/cli.ts'
import { writeConfig } from './kit/config.ts'
import { query } from './kit/dump.ts'
import { demoHome, tempDir } from './kit/home.ts'

type Env = Record<string, string>

const storeOf = (env: Env) => path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')
const EVENTS = `SELECT s.uid, l.base + e.pos AS seq, e.text, e.input FROM event e JOIN lane l ON l.id = e.lane
  JOIN session s ON s.id = l.session WHERE e.flags & 128 = 0 ORDER BY 1, 2`

function memory(): Env {
  const env = cleanEnv(demoHome())
  run(env, 'index')
  run(env, 'analyze', '--all')
  run(env, 'tag', 'last', 'zoo')
  run(env, 'title', 'last', 'stripes')
  run(env, 'decide', 'last', 'we stay')
  run(env, 'time', 'start', 'audit')
  return env
}

test('a backup restores all there was, also what no transcript could give back', () => {
  const env = memory()
  const file = path.join(tempDir(), 'recall.tar')
  expect(recallJson(env, 'backup', file)).toMatchObject({ code: 0, file })
  expect(readdirSync(path.dirname(file))).toEqual(['recall.tar'])
  const other = cleanEnv(tempDir())
  expect(recallJson(other, 'restore', file)).toMatchObject({ code: 0, aside: null, lost: [] })
  expect(query(storeOf(other), EVENTS)).toEqual(query(storeOf(env), EVENTS))
  for (const question of [
    ['stats', 'tools'],
    ['stats', 'tokens'],
    ['cost'],
    ['digest', 'last'],
    ['time', 'tasks'],
    ['patterns'],
  ])
    expect(recallJson(other, ...question), question.join(' ')).toEqual(recallJson(env, ...question))
  const { sessions } = recallJson(other, 'list', '--limit', '1') as unknown as { sessions: object[] }
  expect(sessions[0]).toMatchObject({ title: 'stripes', tags: ['zoo'] })
  expect(recallCli(other, 'doctor', '--deep').code).toBe(0)
  const again = { ...other, HOME: env['HOME'] ?? '' }
  run(again, 'index')
  expect(query(storeOf(again), EVENTS)).toEqual(query(storeOf(env), EVENTS))
}, 120_000)

test('what was evicted comes back as what is left of it, with its counts', () => {
  const env = memory()
  writeConfig(env, '[session_memory.retention]\nraw_soft_cap_bytes = 1\nraw_hard_cap_bytes = 2\n')
  run(env, 'sweep')
  const file = path.join(tempDir(), 'recall.tar')
  run(env, 'backup', file)
  const other = cleanEnv(tempDir())
  run(other, 'restore', file)
  for (const question of [
    ['stats', 'tools'],
    ['stats', 'bash'],
    ['stats', 'tokens'],
    ['digest', 'last'],
  ])
    expect(recallJson(other, ...question), question.join(' ')).toEqual(recallJson(env, ...question))
}, 120_000)

test('a store that is there is kept, and what was forgotten in it stays forgotten', () => {
  const env = memory()
  const file = path.join(tempDir(), 'recall.tar')
  run(env, 'backup', file)
  expect(recallCli(env, 'backup', file)).toMatchObject({ code: 2, err: expect.stringContaining('--force') })
  expect(recallCli(env, 'restore', file)).toMatchObject({ code: 2, err: expect.stringContaining('--force') })
  const uid = String(query(storeOf(env), "SELECT session_uid AS uid FROM tag WHERE tag = 'zoo'")[0]?.['uid'])
  run(env, 'forget', uid, '--yes')
  const restored = recallJson(env, 'restore', file, '--force') as unknown as { aside: string }
  expect(existsSync(restored.aside)).toBe(true)
  expect(recallCli(env, 'show', uid).code).toBe(1)
  expect(query(storeOf(env), 'SELECT count(*) AS n FROM session')[0]?.['n']).toBeGreaterThan(10)
}, 120_000)

test('a backup that is made while others write is whole', async () => {
  const env = memory()
  const writer = startCli(env, 'index', '--full')
  const file = path.join(tempDir(), 'recall.tar')
  run(env, 'backup', file)
  await new Promise((resolve) => (writer.exitCode === null ? writer.once('close', resolve) : resolve(null)))
  const other = cleanEnv(tempDir())
  run(other, 'restore', file)
  expect(recallCli(other, 'doctor', '--deep').code).toBe(0)
}, 120_000)

test('what is no backup, is damaged, or would lead out of its place restores nothing', () => {
  const env = memory()
  const dir = tempDir()
  const file = path.join(dir, 'recall.tar')
  run(env, 'backup', file)
  const bytes = readFileSync(file)
  const damaged = Buffer.from(bytes)
  damaged[bytes.length >> 1] = (damaged[bytes.length >> 1] ?? 0) ^ 0xff
  const outside = path.join(dir, 'outside')
  mkdirSync(path.join(dir, 'x', 'blobs'), { recursive: true })
  writeFileSync(path.join(dir, 'evil'), 'x')
  const tar = (name: string, ...args: string[]) => {
    spawnSync('tar', ['--format=ustar', '-cf', path.join(dir, name), '-C', path.join(dir, 'x'), '-P', ...args])
    return readFileSync(path.join(dir, name))
  }
  copyFileSync(file, path.join(dir, 'x', 'recall.db'))
  const wrong: readonly (readonly [string, Buffer])[] = [
    ['text', Buffer.from('hello')],
    ['empty', Buffer.alloc(0)],
    ['cut', bytes.subarray(0, bytes.length >> 1)],
    ['damaged', damaged],
    ['escape', tar('escape.tar', '--transform=s,.*,../../evil,', 'recall.db')],
    ['absolute', tar('absolute.tar', `--transform=s,.*,${outside},`, 'recall.db')],
    ['without manifest', tar('bare.tar', 'recall.db')],
  ]
  for (const [name, content] of wrong) {
    const bad = path.join(dir, 'bad.tar')
    writeFileSync(bad, content)
    const other = cleanEnv(tempDir())
    const restored = recallCli(other, 'restore', bad)
    expect([name, restored.code, restored.err.includes('bug')]).toEqual([name, 2, false])
    expect(existsSync(storeOf(other)), name).toBe(false)
    rmSync(bad)
  }
  expect(existsSync(outside)).toBe(false)
  expect(recallCli(cleanEnv(tempDir()), 'restore', path.join(dir, 'nothing')).code).toBe(1)
}, 120_000)

/** Commands of SQL, each of which puts something into a database that would run, or lie, when it is read. */
const HOSTILE_SCHEMAS: readonly (readonly [string, string])[] = [
  ['a trigger', 'CREATE TRIGGER x AFTER INSERT ON meta BEGIN DELETE FROM session; END'],
  ['a view', 'CREATE VIEW x AS SELECT 1'],
  ['a view in the place of a table', 'DROP TABLE tag; CREATE VIEW tag AS SELECT 1 AS session_uid, 2 AS tag'],
  ['an index over what is reckoned', 'CREATE INDEX x ON session (abs(id))'],
  ['a table of its own', 'CREATE TABLE x (a)'],
  [
    'a trigger of ours with other words',
    'DROP TRIGGER course_gone; CREATE TRIGGER course_gone AFTER DELETE ON session BEGIN SELECT 1; END',
  ],
  ['an older version that is none', 'PRAGMA user_version = 3'],
  ['no version', 'PRAGMA user_version = 0'],
]

test('a backup whose database holds what recall does not make is refused before it is read', () => {
  const env = memory()
  const dir = tempDir()
  const file = path.join(dir, 'recall.tar')
  run(env, 'backup', file)
  expect(recallJson(cleanEnv(tempDir()), 'restore', file)).toMatchObject({ code: 0 })
  for (const [name, sql] of HOSTILE_SCHEMAS) {
    const inside = tempDir()
    spawnSync('tar', ['-xf', file, '-C', inside])
    const db = new DatabaseSync(path.join(inside, 'recall.db'))
    db.exec(`PRAGMA journal_mode = DELETE; ${sql}`)
    db.close()
    const names = readdirSync(inside, { recursive: true, encoding: 'utf8' }).filter((one) =>
      /\.(db|pack|jsonl)$/.test(one),
    )
    const hash = (one: string) =>
      createHash('sha256')
        .update(readFileSync(path.join(inside, one)))
        .digest('hex')
    const files = Object.fromEntries(names.map((one) => [one, hash(one)]))
    writeFileSync(path.join(inside, 'manifest.json'), JSON.stringify({ format: 'recall-backup', version: 1, files }))
    const bad = path.join(dir, 'bad.tar')
    spawnSync('tar', ['--format=ustar', '-cf', bad, '-C', inside, 'manifest.json', ...names])
    const before = query(storeOf(env), EVENTS).length
    const { code, err } = recallCli(env, 'restore', bad, '--force')
    expect([name, code, err.includes('is not one of recall')]).toEqual([name, 2, true])
    expect(query(storeOf(env), EVENTS)).toHaveLength(before)
    expect(existsSync(path.join(path.dirname(storeOf(env)), 'backups'))).toBe(false)
  }
}, 120_000)

/** So many calls, spread evenly over the whole of it. */
const POINTS = 16

/** Loaded into the program before anything else: ends it at one of the calls by which it changes files in its place. */
const KILLER = `const fs = require('node:fs')
let calls = 0
for (const name of ['renameSync', 'rmSync', 'openSync', 'mkdirSync']) {
  const real = fs[name]
  fs[name] = (...args) => {
    if (String(args[0]).includes('/recall/') && ++calls === Number(process.env.KILL_AT)) process.kill(process.pid, 'SIGKILL')
    return real(...args)
  }
}
process.on('exit', () => process.env.COUNT_IN && fs.writeFileSync(process.env.COUNT_IN, String(calls)))
`

test('a restore that is killed anywhere is taken back by the next command, or was through', () => {
  const env = memory()
  const dir = tempDir()
  const file = path.join(dir, 'recall.tar')
  run(env, 'backup', file)
  run(env, 'tag', 'last', 'since-then')
  const before = query(storeOf(env), EVENTS)
  const killer = path.join(dir, 'killer.cjs')
  writeFileSync(killer, KILLER)
  const copy = (): Env => {
    const data = path.join(tempDir(), 'data')
    cpSync(env['XDG_DATA_HOME'] ?? '', data, { recursive: true })
    return { ...env, XDG_DATA_HOME: data }
  }
  const restoring = { NODE_OPTIONS: `--require=${killer}`, COUNT_IN: path.join(dir, 'count') }
  run({ ...copy(), ...restoring }, 'restore', file, '--force')
  const calls = Number(readFileSync(restoring.COUNT_IN, 'utf8'))
  expect(calls).toBeGreaterThan(POINTS)
  const ends = Array.from({ length: POINTS }, (_, i) => {
    const other = copy()
    const own = path.dirname(storeOf(other))
    const at = String(Math.ceil(((i + 1) * calls) / POINTS))
    expect(recallCli({ ...other, ...restoring, KILL_AT: at }, 'restore', file, '--force').code, at).toBe(null)
    const debts = new Debts(path.join(own, 'debts')).list()
    if (debts.length > 0) expect(recallCli(other, 'doctor').out, at).toContain('a restore was interrupted')
    run(other, 'index')
    const isOld = query(storeOf(other), "SELECT 1 FROM tag WHERE tag = 'since-then'").length === 1
    expect(query(storeOf(other), EVENTS), at).toEqual(before)
    expect(recallCli(other, 'doctor', '--deep').code, at).toBe(0)
    expect(new Debts(path.join(own, 'debts')).list(), at).toEqual([])
    const aside = path.join(own, 'backups')
    if (isOld) expect(existsSync(aside) ? readdirSync(aside) : [], at).toEqual([])
    run(other, 'restore', file, '--force')
    expect(existsSync(path.join(own, 'restoring')), at).toBe(false)
    return { isOld, owed: debts.length > 0 }
  })
  expect(ends.filter(({ owed, isOld }) => owed && isOld).length).toBeGreaterThan(2)
}, 300_000)

test('a restore that is killed before its journals are there is ended by the next command', () => {
  const env = memory()
  const file = path.join(tempDir(), 'recall.tar')
  run(env, 'backup', file)
  const dir = path.dirname(storeOf(env))
  const other = cleanEnv(tempDir())
  run(other, 'restore', file)
  const otherDir = path.dirname(storeOf(other))
  const journalDir = path.join(otherDir, 'time-metrics')
  rmSync(journalDir, { recursive: true })
  mkdirSync(path.join(otherDir, 'restoring', 'time-metrics'), { recursive: true })
  copyFileSync(
    path.join(dir, 'time-metrics', 'tasks.jsonl'),
    path.join(otherDir, 'restoring', 'time-metrics', 'tasks.jsonl'),
  )
  new Debts(path.join(otherDir, 'debts')).owe({ kind: 'restore', since: 1, backup: null, made: true, journalDir })
  run(other, 'analyze')
  expect(recallJson(other, 'time', 'tasks')).toEqual(recallJson(env, 'time', 'tasks'))
  expect(query(storeOf(other), EVENTS)).toEqual(query(storeOf(env), EVENTS))
  expect(existsSync(path.join(otherDir, 'restoring'))).toBe(false)
}, 120_000)
