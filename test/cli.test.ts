import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { shortSessionId } from '../src/model/ids.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

describe('on a home with sessions', () => {
  let env: Record<string, string> = {}
  let home = ''
  beforeAll(() => {
    home = demoHome()
    env = cleanEnv(home)
    expect(recallCli(env, 'index').code).toBe(0)
  })

  test('index says what it did, and the second time that there was nothing to do', () => {
    const report: Json = recallJson(env, 'index')
    expect(report).toMatchObject({
      code: 0,
      schema_version: 1,
      sessions: { new: 0, updated: 0 },
      files: { parsed: 0 },
      bytes_read: 0,
      backup: null,
    })
    expect(report['sessions'].unchanged).toBeGreaterThan(25)
  })

  test('list is newest first and keeps to its filters', () => {
    const { sessions, total }: Json = recallJson(env, 'list', '--limit', '0')
    expect(sessions).toHaveLength(total)
    const times = sessions.map((session: Json) => session['started_at'])
    expect(times).toEqual([...times].sort().toReversed())
    expect(
      (recallJson(env, 'list', '--project', 'LEDGER') as Json)['sessions'].every((s: Json) =>
        s['project'].includes('ledger'),
      ),
    ).toBe(true)
    expect(recallJson(env, 'list', '--since', '2000-01-01')['total']).toBe(total)
    expect(recallJson(env, 'list', '--since', '2999-01-01')).toMatchObject({ code: 0, sessions: [], total: 0 })
    expect(recallJson(env, 'list', '--source', 'claude-code')['total']).toBeGreaterThan(0)
  })

  test('a session is found by uid, short id and prefix; the short id is that of its path', () => {
    const session: Json = (recallJson(env, 'list', '--limit', '1') as Json)['sessions'][0]
    expect(session['id']).toBe(shortSessionId('claude_code', session['source_path']))
    for (const id of [
      session['session_uid'],
      session['id'],
      session['id'].slice(0, 6),
      session['session_uid'].slice(0, 14),
    ]) {
      expect(recallJson(env, 'show', id)['session_uid']).toBe(session['session_uid'])
    }
    expect(recallJson(env, 'show', 'ffffffffffffffff')).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } })
    const { code, error } = recallJson(env, 'show', 'claude:') as Json
    expect({ code, error }).toMatchObject({ code: 2, error: { code: 'AMBIGUOUS', hint: expect.any(String) } })
    expect(error.candidates.length).toBeGreaterThan(1)
    for (const { session_uid: uid, id } of error.candidates)
      expect(recallJson(env, 'show', id)['session_uid']).toBe(uid)
  })

  test('show reads like a conversation', () => {
    const id = (recallJson(env, 'search', 'nginx') as Json)['hits'][0].session.id
    const { out } = recallCli(env, 'show', id, '--tools')
    expect(out).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d\] Session [0-9a-f]{16} \(claude_code\)\n/)
    expect(out).toMatch(/\nProject: .+\nDuration: .+ \| Messages: \d+ \| Tools: \d+\n/)
    expect(out).toMatch(/\nuser: /)
    expect(out).toMatch(/\n {2}\[Bash\] /)
  })

  test('show --json joins calls and results, with ids made by the public formulas', () => {
    const session: Json = (recallJson(env, 'list', '--limit', '0') as Json)['sessions'].find(
      (s: Json) => s['tool_count'] > 3,
    )
    const shown: Json = recallJson(env, 'show', session['id'])
    expect(shown['messages']).toHaveLength(session['message_count'])
    const calls = shown['messages'].flatMap((message: Json) => message['tool_calls'])
    expect(calls.length).toBeGreaterThan(2)
    expect(
      calls.every((call: Json) => typeof call['result'] === 'string' && typeof call['is_error'] === 'boolean'),
    ).toBe(true)
    expect(shown['messages'].map((message: Json) => message['idx'])).toEqual(
      shown['messages'].map((_: Json, i: number) => i),
    )
    const db = new DatabaseSync(path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db'), { readOnly: true })
    const rows = db.prepare('SELECT id, content FROM messages WHERE session_id = ? ORDER BY idx').all(session['id'])
    expect(rows.map((row) => ({ ...row }))).toEqual(
      expect.arrayContaining(shown['messages'].map(({ id, content }: Json) => ({ id, content }))),
    )
    db.close()
  })

  test('show --around a hit shows the hit', () => {
    const hit: Json = (recallJson(env, 'search', 'ECONNREFUSED') as Json)['hits'][0]
    const events: Json = recallJson(env, 'show', hit['session'].id, '--events', '--around', String(hit['seq']))
    expect(events['events'].map((event: Json) => event['seq'])).toContain(hit['seq'])
    expect(recallJson(env, 'show', hit['session'].id, '--around', '999999')).toMatchObject({ code: 1 })
  })

  test('search hits carry their session, their place and what matched', () => {
    const { hits, total }: Json = recallJson(env, 'search', 'which migration locked the payments table')
    expect(total).toBeGreaterThan(0)
    expect(hits[0].session.title).toMatch(/migration/i)
    const [start, end] = hits[0].highlights[0]
    expect(hits[0].snippet.slice(start, end).toLowerCase()).toMatch(/migration|lock|payments|table/)
    expect(hits[0].matched.length).toBeGreaterThan(0)
  })

  test('no query text is an error', () => {
    const nasty = [
      '"',
      "'",
      '*',
      'C++',
      'a-b',
      'x:y',
      'f(x)',
      'NEAR(',
      'AND',
      'OR NOT',
      '-- --',
      '^',
      '{}',
      '\u0000x',
      'src/a.ts:12',
      'https://x.y/?a=b&c',
      '🦓',
      '漢字 かな',
      'مرحبا',
      '   ',
      'the',
      'x'.repeat(100_000),
      'col:prompt',
      '"unbalanced',
    ]
    for (const text of nasty)
      expect(recallCli(env, 'search', '--json', '--', text.replaceAll('\0', '')).code, text.slice(0, 40)).toBe(0)
    expect(recallCli(env, 'search').code).toBe(0)
  })

  test('--in results scans whole tool outputs, and what is not there yet says so', () => {
    const { hits }: Json = recallJson(env, 'search', 'ECONNREFUSED', '--in', 'results')
    expect(hits.length).toBeGreaterThan(0)
    expect(hits[0].snippet).toContain('ECONNREFUSED')
    expect(recallJson(env, 'search', 'zzyzx', '--in', 'results')).toMatchObject({ code: 0, hits: [] })
    expect(recallCli(env, 'search', 'x', '--mode', 'vector').code).toBe(2)
  })

  test('filters in the text and as flags narrow alike, phrases and minus hold', () => {
    const uids = (...args: string[]) =>
      (recallJson(env, 'search', '--limit', '0', ...args) as Json)['hits'].map(
        (h: Json) => `${h['session'].id}#${h['seq']}`,
      )
    expect(uids('test source:codex')).toEqual(uids('test', '--source', 'codex'))
    expect(uids('test source:codex').length).toBeGreaterThan(0)
    expect(uids('nginx source:claude-code')).toEqual(uids('nginx', '--source', 'claude'))
    expect(uids('nginx tool:bash')).toEqual(uids('nginx', '--tool', 'Bash'))
    const all = uids('nginx')
    const without = uids('nginx -timeout')
    expect(without.length).toBeLessThan(all.length)
    expect(uids('"config change" nginx').length).toBeLessThanOrEqual(all.length)
  })

  test('nothing found explains itself', () => {
    expect(recallJson(env, 'search', 'zzyzx')).toMatchObject({ hits: [], explain: { reason: 'no_match' } })
    expect(recallJson(env, 'search', 'nginx', '--since', '2999-01-01')).toMatchObject({
      hits: [],
      explain: { reason: 'filtered' },
    })
  })

  test('status and doctor', () => {
    const status: Json = recallJson(env, 'status')
    expect(status['sources'][0]).toMatchObject({
      name: 'claude',
      roots: expect.arrayContaining([path.join(home, '.claude')]),
    })
    expect(status['totals'].sessions).toBeGreaterThan(25)
    expect(recallJson(env, 'doctor')).toMatchObject({ code: 0, ok: true })
  })

  test('without --json and off a terminal: no colour, nothing cut', () => {
    const { out } = recallCli({ ...env, FORCE_COLOR: '1', COLUMNS: '20' }, 'list')
    expect(out).not.toContain('\u001b')
    expect(out).not.toContain('…')
  })

  test('the store is private', () => {
    const dir = path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
    expect(statSync(path.join(dir, 'recall.db')).mode & 0o777).toBe(0o600)
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(dir, 'blobs')).mode & 0o777).toBe(0o700)
  })

  test('secrets of the logs are not in the store', () => {
    const dir = path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
    const token = /ghp_[A-Za-z0-9]{36}/
    const log =
      spawnSync('grep', ['-rhoE', token.source, path.join(home, '.claude')], { encoding: 'utf8' })
        .stdout.trim()
        .split('\n')[0] ?? ''
    expect(log).toMatch(token)
    expect(readFileSync(path.join(dir, 'recall.db')).includes(log)).toBe(false)
    expect((recallJson(env, 'search', 'REDACTED github token') as Json)['hits'].length).toBeGreaterThanOrEqual(0)
  })

  test('a closed pipe is no failure', () => {
    const piped = spawnSync(
      'bash',
      ['-c', `"${process.execPath}" "${bin}" list --limit 0 | head -1; echo "\${PIPESTATUS[0]}"`],
      { env, encoding: 'utf8' },
    )
    expect(piped.stdout.trim().split('\n').at(-1)).toBe('0')
    expect(piped.stderr).toBe('')
  })
})

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
    const recreated: Json = recallJson(env, 'index', '--recreate', '--store', garbage)
    expect(recreated['code']).toBe(0)
    expect(readFileSync(recreated['backup'], 'utf8')).toContain('diary')
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

  test('an unreadable transcript is told, the others go on', () => {
    if (process.getuid?.() === 0) return
    const home = demoHome()
    const env = cleanEnv(home)
    const file = write(transcriptPath(home, uuid('locked')), new ClaudeLog(uuid('locked')).user('x').text())
    chmodSync(file, 0)
    expect(recallJson(env, 'index')).toMatchObject({ code: 0, files: { failed: 1 } })
  })
})

describe('one writer at a time', () => {
  test('a second index is told who holds the lock; a dead process does not hold it', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    const lock = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.lock')
    write(lock, `${process.pid}\n`)
    expect(recallJson(env, 'index')).toMatchObject({
      code: 3,
      error: { code: 'LOCKED', message: expect.stringContaining(String(process.pid)) },
    })
    const dead = spawnSync(process.execPath, ['-e', '0'])
    write(lock, `${dead.pid}\n`)
    expect(recallJson(env, 'index')['code']).toBe(0)
    expect(existsSync(lock)).toBe(false)
  })

  test('--wait waits; readers never do', async () => {
    const home = demoHome()
    const env = cleanEnv(home)
    recallCli(env, 'index')
    const lock = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.lock')
    write(lock, `${process.pid}\n`)
    expect(recallJson(env, 'list')['code']).toBe(0)
    const waiting = spawn(process.execPath, [bin, 'index', '--wait'], { env, stdio: 'ignore' })
    const ended = new Promise<number | null>((resolve) => waiting.on('exit', resolve))
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(waiting.exitCode).toBe(null)
    rmSync(lock)
    expect(await ended).toBe(0)
  })
})

describe('--recreate', () => {
  test('keeps the old store and brings over sessions whose transcript is gone', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    const file = write(
      transcriptPath(home, uuid('vanishing')),
      new ClaudeLog(uuid('vanishing'))
        .user('remember the axolotl')
        .call('toolu_x', 'Bash', { command: 'ls' })
        .result('toolu_x', 'axolotl.txt')
        .text(),
    )
    recallCli(env, 'index')
    const before: Json = recallJson(env, 'status')
    rmSync(file)
    const report: Json = recallJson(env, 'index', '--recreate')
    expect(existsSync(report['backup'])).toBe(true)
    expect((recallJson(env, 'status') as Json)['totals']).toEqual(before['totals'])
    const hit: Json = (recallJson(env, 'search', 'axolotl') as Json)['hits'][0]
    expect((recallJson(env, 'show', hit['session'].session_uid) as Json)['messages'][1].tool_calls[0].result).toBe(
      'axolotl.txt',
    )
    expect(recallJson(env, 'doctor')['code']).toBe(0)
  })
})
