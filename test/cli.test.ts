import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { shortSessionId } from '../src/model/ids.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, inProcesses, recallCli, recallJson } from './kit/cli.ts'
import { demoHome } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

inProcesses()

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
    expect(out).toMatch(/\n {2}#\d+ +user: /)
    expect(out).toMatch(/\n.{2}#\d+ +\[Bash\] /)
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
      ['-c', `"${process.execPath}" "${bin}" list --all --limit 0 | head -1; echo "\${PIPESTATUS[0]}"`],
      { env, encoding: 'utf8' },
    )
    expect(piped.stdout.trim().split('\n').at(-1)).toBe('0')
    expect(piped.stderr).toBe('')
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
