import { chmodSync, closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

describe('bad input', () => {
  test('usage: unknown command, flag, source, time and number are named, exit 2', () => {
    const env = cleanEnv(demoHome())
    recallCli(env, 'index')
    for (const args of [
      ['nonsense'],
      ['list', '--nope'],
      ['list', '--source', 'emacs'],
      ['list', '--since', 'yesterdayish'],
      ['list', '--limit', 'many'],
      ['show'],
    ]) {
      const run = recallCli(env, ...args)
      expect(run.code, args.join(' ')).toBe(2)
      expect(run.err.length).toBeGreaterThan(10)
      expect(run.out).toBe('')
    }
    expect(recallJson(env, 'list', '--nope')).toMatchObject({ code: 2, error: { code: 'USAGE' } })
  })

  test('no store yet: NO_STORE, exit 4', () => {
    const env = cleanEnv(tempDir())
    expect(recallJson(env, 'list')).toMatchObject({
      code: 4,
      error: { code: 'NO_STORE', hint: expect.stringContaining('recall index') },
    })
  })

  test('an empty file is no store yet: NO_STORE, exit 4', () => {
    const env = cleanEnv(tempDir())
    const store = path.join(tempDir(), 'e.db')
    writeFileSync(store, '')
    for (const command of ['list', 'status', 'search']) {
      expect(recallJson(env, command, '--store', store)).toMatchObject({ code: 4, error: { code: 'NO_STORE' } })
    }
    expect(recallJson(env, 'doctor', '--store', store)).toMatchObject({ code: 1, ok: false })
  })

  test('an empty home: no sessions, and the demo shows what it would look like', () => {
    const env = cleanEnv(tempDir())
    expect(recallJson(env, 'index')).toMatchObject({ code: 0, sessions: { new: 0 }, files: { found: 0 } })
    const run = recallCli(env, 'welcome')
    expect(run.code).toBe(0)
    expect(run.out).toContain('no sessions yet')
    expect(run.out).toMatch(/\b[34]\d sessions/)
    expect((recallJson(env, 'list') as Json)['total']).toBe(0)
  })

  test('a config that is no TOML, or has a key nobody knows, is told with exit 2', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    write(path.join(home, '.config', 'recall', 'config.toml'), '[store\n')
    expect(recallCli(env, 'list')).toMatchObject({ code: 2, err: expect.stringContaining('config.toml') })
    write(path.join(home, '.config', 'recall', 'config.toml'), '[store]\ndb_pth = "x"\n')
    expect(recallCli(env, 'list')).toMatchObject({ code: 2, err: expect.stringContaining('store.db_pth') })
  })

  test('a hard cap alone lowers the soft cap; a soft cap that was given above it is an error', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    const config = path.join(home, '.config', 'recall', 'config.toml')
    write(config, '[session_memory.retention]\nraw_hard_cap_bytes = "1MiB"\n')
    recallJson(env, 'index')
    expect(recallJson(env, 'budget')).toMatchObject({ tier1: { soft: 1_048_576, hard: 1_048_576 } })
    write(config, '[session_memory.retention]\nraw_hard_cap_bytes = "1MiB"\nraw_soft_cap_bytes = "2MiB"\n')
    expect(recallCli(env, 'budget')).toMatchObject({ code: 2, err: expect.stringContaining('raw_soft_cap_bytes') })
  })

  test("roots from the config replace the agent's own; an empty list reads nothing", () => {
    const home = demoHome()
    const env = cleanEnv(home)
    write(path.join(home, '.config', 'recall', 'config.toml'), '[sources.claude]\nroots = []\n')
    expect(recallJson(env, 'index', '--source', 'claude')).toMatchObject({ files: { found: 0 } })
    write(path.join(home, '.config', 'recall', 'config.toml'), '[sources.claude]\nroots = ["~/.claude"]\n')
    expect((recallJson(env, 'index') as Json)['files'].found).toBeGreaterThan(25)
  })

  test('malformed lines, a binary, an empty and a directory in place of a file do not stop the rest', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    const good = new ClaudeLog(uuid('good')).user('find the walrus').say('found it')
    write(
      transcriptPath(home, uuid('good')),
      `${good.text()}{"type":"user", broken}\n${JSON.stringify({ type: 'brand-new-type', x: 1 })}\n`,
    )
    write(transcriptPath(home, uuid('empty')), '')
    writeFileSync(
      transcriptPath(home, uuid('binary')),
      Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256)),
    )
    write(transcriptPath(home, uuid('foreign')), '{"some":"other","json":1}\n'.repeat(3))
    mkdirSync(transcriptPath(home, uuid('dir')), { recursive: true })
    const report: Json = recallJson(env, 'index')
    expect(report).toMatchObject({
      code: 0,
      sessions: { new: 1 },
      files: { found: 4, parsed: 2, skipped: 2, failed: 0 },
    })
    expect(recallJson(env, 'index')).toMatchObject({ bytes_read: 0, files: { parsed: 0, skipped: 4 } })
    expect((recallJson(env, 'search', 'walrus') as Json)['total']).toBe(1)
    const status: Json = recallJson(env, 'status')
    expect(status['problems']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ source: 'claude', type: 'broken line', level: 'warn', count: 1 }),
        expect.objectContaining({ source: 'claude', type: 'foreign file', level: 'warn', count: 2 }),
        expect.objectContaining({ source: 'claude', type: 'brand-new-type', level: 'info', count: 1 }),
      ]),
    )
    expect((recallJson(env, 'list') as Json)['sessions'][0]['is_complete']).toBe(false)
  })

  test('two records on one line are two records', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    const log = new ClaudeLog(uuid('joined')).user('first half').say('second half')
    write(transcriptPath(home, uuid('joined')), log.records.map((record) => JSON.stringify(record)).join(''))
    expect(recallJson(env, 'index')).toMatchObject({ events: 2, problems: 0 })
  })

  test('a store that is no database, of another program, or newer: exit 4, nothing touched', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    const dir = tempDir()
    const garbage = write(path.join(dir, 'garbage.db'), 'this is not a database, it is a diary. '.repeat(200))
    expect(recallJson(env, 'list', '--store', garbage)).toMatchObject({ code: 4, error: { code: 'STORE_BROKEN' } })
    expect(recallJson(env, 'index', '--store', garbage)).toMatchObject({ code: 4, error: { code: 'STORE_BROKEN' } })
    expect(readFileSync(garbage, 'utf8')).toContain('diary')
    const foreign = path.join(dir, 'foreign.db')
    const other = new DatabaseSync(foreign)
    other.exec('CREATE TABLE theirs (x)')
    other.close()
    expect(recallJson(env, 'index', '--store', foreign)).toMatchObject({ code: 4 })
    const newer = path.join(dir, 'newer.db')
    recallCli(env, 'index', '--store', newer)
    const db = new DatabaseSync(newer)
    db.exec('PRAGMA user_version = 999')
    db.close()
    expect(recallJson(env, 'list', '--store', newer)).toMatchObject({ code: 4, error: { code: 'STORE_NEWER' } })
    expect(recallCli(env, 'list', '--store', newer).err).toContain('--recreate')
    expect(recallJson(env, 'index', '--recreate', '--store', newer)).toMatchObject({ code: 0 })
    expect(recallJson(env, 'list', '--store', newer)).toMatchObject({ code: 0 })
    const recreated: Json = recallJson(env, 'index', '--recreate', '--store', garbage)
    expect(recreated['code']).toBe(0)
    expect(readFileSync(recreated['backup'], 'utf8')).toContain('diary')
  })

  test.each([['search', 'deploy'], ['how', 'deploy'], ['list'], ['stats'], ['doctor', '--secrets']])(
    'a store that is damaged in the middle: %s says so, exit 4',
    (...args) => {
      const env = cleanEnv(demoHome())
      recallCli(env, 'index')
      const { store } = recallJson(env, 'status') as Json
      const bytes = readFileSync(store.path)
      writeFileSync(store.path, bytes.fill(0, 8 * 8192))
      expect(recallJson(env, ...args)).toMatchObject({ code: 4, error: { code: 'STORE_BROKEN' } })
    },
  )

  test.each([
    ['search', 'deploy'],
    ['how', 'deploy'],
    ['similar', 'deploy'],
  ])('a damaged index of words: %s says so, exit 4', (...args) => {
    const env = cleanEnv(demoHome())
    recallCli(env, 'index')
    const { store } = recallJson(env, 'status') as Json
    const db = new DatabaseSync(store.path)
    db.enableDefensive(false)
    db.exec("UPDATE exchange_fts_data SET block = x'0004ffff' WHERE id > 10")
    db.close()
    expect(recallJson(env, ...args)).toMatchObject({ code: 4, error: { code: 'STORE_BROKEN' } })
  })

  test('a store that another program holds for a moment is waited for', async () => {
    const env = cleanEnv(demoHome())
    recallCli(env, 'index')
    const { store } = recallJson(env, 'status') as Json
    const hold = `const { DatabaseSync } = require('@photostructure/sqlite'); const db = new DatabaseSync(process.argv[1])
      db.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE meta SET value = value; COMMIT")
      console.log('held'); setTimeout(() => db.close(), 1500)`
    const other = spawn(process.execPath, ['-e', hold, store.path], { cwd: path.dirname(bin) })
    await once(other.stdout, 'data')
    expect(recallCli(env, 'index').code).toBe(0)
    expect(other.exitCode ?? (await once(other, 'exit'))[0]).toBe(0)
  })

  test('a directory that cannot be made or written: exit 4', () => {
    const env = cleanEnv(demoHome())
    const file = write(path.join(tempDir(), 'plain-file'), 'x')
    expect(recallJson(env, 'index', '--store', path.join(file, 'recall.db'))).toMatchObject({ code: 4 })
    expect(recallCli(env, 'index', '--store', '/proc/nope/recall.db').code).toBe(4)
  })

  test('a full disk: exit 4, and what was kept before is whole', () => {
    if (!existsSync('/dev/shm') || process.getuid?.() !== 0) return
    const mount = path.join(tempDir(), 'small')
    mkdirSync(mount)
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=700k', 'tmpfs', mount]).status !== 0) return
    try {
      const env = cleanEnv(demoHome())
      const run = recallCli(env, 'index', '--store', path.join(mount, 'recall.db'))
      expect(run.code).toBe(4)
      expect(run.err).toMatch(/space/)
    } finally {
      spawnSync('umount', [mount])
    }
  })

  test('an answer that cannot be written is no success: exit 4', () => {
    if (!existsSync('/dev/full')) return
    const env = cleanEnv(demoHome())
    recallCli(env, 'index')
    for (const args of [['list'], ['list', '--json'], ['stats'], ['--help']]) {
      const full = openSync('/dev/full', 'w')
      const run = spawnSync(process.execPath, [bin, ...args], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', full, 'pipe'],
      })
      closeSync(full)
      expect([run.status, run.stderr], args.join(' ')).toEqual([4, expect.stringContaining('cannot be written')])
    }
  })

  test('an unreadable transcript is told, the others go on', () => {
    if (process.getuid?.() === 0) return
    const home = demoHome()
    const env = cleanEnv(home)
    const file = write(transcriptPath(home, uuid('locked')), new ClaudeLog(uuid('locked')).user('x').text())
    chmodSync(file, 0)
    expect(recallJson(env, 'index')).toMatchObject({ code: 0, files: { failed: 1 } })
  })
})

describe('a program that is not whole', () => {
  function copied(...parts: string[]) {
    const place = tempDir()
    const root = path.dirname(path.dirname(bin))
    for (const part of ['bin', 'package.json', ...parts])
      cpSync(path.join(root, part), path.join(place, part), { recursive: true })
    return {
      place,
      list: () => spawnSync(process.execPath, [path.join(place, 'bin/recall.js'), 'list'], { encoding: 'utf8' }),
    }
  }

  test('says that it is not built', () => {
    expect(copied().list()).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('npm start') })
  })

  test('says that a part is missing, not that there is a bug', () => {
    const { place, list } = copied('dist')
    const told = { status: 2, stdout: '', stderr: expect.stringMatching(/missing or damaged[^]*install recall again/) }
    expect(list()).toMatchObject(told)
    writeFileSync(path.join(place, 'dist/main.cjs'), '')
    expect(list()).toMatchObject(told)
  })
})
