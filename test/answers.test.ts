import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { KEEP_TAG } from '../src/store/keeping.ts'
import type { Settings } from '../src/settings/settings.ts'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv, recallCli, recallJson, type Run } from './kit/cli.ts'
import { aSession } from './kit/codex-log.ts'
import { query } from './kit/dump.ts'
import { demoHome, NOW, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

const NOBODY = 65534
const isRoot = process.getuid?.() === 0

/** Runs the program as somebody who is not root, so that permissions count. */
function asNobody(env: Record<string, string>, ...args: string[]): Run {
  const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const run = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8', ...owner })
  return { code: run.status, out: run.stdout, err: run.stderr }
}

function give(dir: string): void {
  if (!isRoot) return
  chownSync(dir, NOBODY, NOBODY)
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(dir, name), NOBODY, NOBODY)
}

/** Starts the program, interrupts it once it has said something or some time has passed, and waits for its end. */
async function interrupted(env: Record<string, string>, ...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (text: Buffer) => (out += String(text)))
  child.stderr.on('data', (text: Buffer) => (err += String(text)))
  const asked = setInterval(() => child.kill('SIGINT'), 1500)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearInterval(asked)
  return { code, out, err }
}

describe('what a sweep would do', () => {
  /** A preview, then what really happened. */
  async function previewed(settings: Partial<Settings>, now = NOW) {
    const { recall, store } = productOn(demoHome(), undefined, settings, () => now)
    await recall.index()
    const [first] = (await recall.list({ limit: 1 })).sessions
    if (first) await recall.describe(first, { tag: KEEP_TAG, on: true })
    const preview = await recall.sweep({ dryRun: true })
    const due = (await recall.budget()).next.filter((entry) => entry.due).map(({ uid }) => uid)
    expect(query(store, 'SELECT count(*) AS n FROM digests')).toEqual([{ n: 0 }])
    expect(query(store, `SELECT count(*) AS n FROM tag WHERE tag = '${KEEP_TAG}'`)).toEqual([{ n: 1 }])
    await recall.close()
    const { discovered, evicted, analyzed, dataLoss, failed, distilledOver } = await recall.sweep()
    await recall.close()
    expect(preview).toEqual({ discovered, ingested: 0, analyzed, evicted, dataLoss, failed, distilledOver })
    return { evicted, due }
  }

  test('is what it does, though nothing was analysed yet', async () => {
    const { evicted, due } = await previewed({ rawSoftCapBytes: 100_000 })
    expect(evicted.length).toBeGreaterThan(10)
    expect(due).toEqual(evicted.map(({ uid }) => uid))
  })

  test('is what it does above the hard cap, with sessions that do not rest', async () => {
    const settings = { rawSoftCapBytes: 0, rawHardCapBytes: 1, restMinutes: 1_000_000 }
    expect((await previewed(settings)).evicted.length).toBeGreaterThan(20)
  })
})

describe('rescue', () => {
  test('knows that Claude Code and Grok delete, and that Codex does not', () => {
    const env = cleanEnv(demoHome())
    recallJson(env, 'index')
    const { sessions }: Json = recallJson(env, 'rescue', '--within', '4000d')
    expect(new Set(sessions.map(({ source }: Json) => source))).toEqual(new Set(['claude', 'grok']))
  })

  test('does not hold what was evicted or forgotten, and says how to get it back', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    const settings = write(
      path.join(env['XDG_CONFIG_HOME'] ?? '', 'recall', 'config.toml'),
      '[session_memory.retention]\nraw_soft_cap_bytes = 0\n',
    )
    const file = write(transcriptPath(home, uuid('gone')), new ClaudeLog(uuid('gone')).user('a').say('b').text())
    const agent = new ClaudeLog(uuid('gone'), { isSidechain: true, agentId: 'x1' }).user('look')
    write(subagentPath(home, uuid('gone'), 'x1'), agent.text())
    expect(existsSync(settings)).toBe(true)
    expect((recallJson(env, 'sweep') as Json)['evicted']).toHaveLength(1)
    write(transcriptPath(home, uuid('unread')), new ClaudeLog(uuid('unread')).user('a').text())
    const { sessions, not_held: lost, code }: Json = recallJson(env, 'rescue', '--within', '4000d')
    const { id } = (recallJson(env, 'list') as Json)['sessions'][0]
    expect({ code, lost }).toEqual({ code: 1, lost: 3 })
    const reasons = sessions.map(({ path: at, held, reason }: Json) => [path.basename(at), held, reason])
    const evicted = `only its digest is kept; \`recall index --restore ${id}\` brings it back`
    expect(reasons).toEqual(
      expect.arrayContaining([
        [path.basename(file), false, evicted],
        ['agent-x1.jsonl', false, evicted],
        [`${uuid('unread')}.jsonl`, false, 'not indexed yet'],
      ]),
    )
    expect(recallJson(env, 'index', '--restore', id)).toMatchObject({ code: 0 })
    expect(recallJson(env, 'rescue', '--within', '4000d')).toMatchObject({ code: 0, not_held: 0 })
    recallCli(env, 'forget', id, '--yes')
    const forgotten: Json = recallJson(env, 'rescue', '--within', '4000d')
    expect(forgotten['sessions'].filter((row: Json) => row['reason'] === 'forgotten on purpose')).toHaveLength(2)
  })
})

describe('answers', () => {
  let env: Record<string, string> = {}
  let uid = ''
  beforeAll(() => {
    env = cleanEnv(demoHome())
    expect(recallCli(env, 'index').code).toBe(0)
    uid = (recallJson(env, 'list', '--limit', '1') as Json)['sessions'][0].session_uid
  })

  test('help that was asked for is no failure; a command that is not there is', () => {
    for (const args of [['help'], ['help', 'list'], ['list', '--help'], ['--help']]) {
      expect(recallCli(env, ...args)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Usage: recall') })
    }
    expect(recallCli(env).code).toBe(2)
    expect(recallCli(env, 'help', 'nope').code).toBe(2)
  })

  test('with --json are one object, whatever the command does', () => {
    const home = env['HOME'] ?? ''
    mkdirSync(path.join(home, '.claude'), { recursive: true })
    const asked = [
      ['pin', uid],
      ['unpin', uid],
      ['note', 'half way'],
      ['decide', uid, 'we stay'],
      ['hook', 'status'],
      ['hook', 'install', 'claude', '--yes'],
      ['hook', 'uninstall', 'claude', '--yes'],
      ['schedule', 'show'],
      ['analyze', '--all'],
      ['env', uid],
      ['status', '--acknowledge'],
      ['permissions', 'log'],
      ['permissions', 'report'],
      ['claim', 'took 5 min', '--tier', 'REAL', '--pointer', 'x'],
      ['claim', '--list'],
      ['time', 'start', 'audit'],
      ['time', 'stop', 'audit'],
      ['time', 'tasks'],
      ['time', 'sync'],
      ['time'],
      ['forget', uid, '--yes'],
      ['forget', uid, '--undo'],
      ['retro'],
      ['doctor'],
    ]
    for (const args of asked) {
      const { out } = recallCli(env, ...args, '--json')
      expect(out.trim().split('\n'), args.join(' ')).toHaveLength(1)
      expect(JSON.parse(out), args.join(' ')).toMatchObject({ schema_version: 1 })
      expect(JSON.parse(out), args.join(' ')).not.toHaveProperty('error')
    }
    expect(recallJson(env, 'forget', uid, '--undo')).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } })
    expect(recallCli(env, 'index').code).toBe(0)
  })

  test('--fields keeps these fields of each row, of any list', () => {
    const { sessions, total }: Json = recallJson(env, 'list', '--limit', '2', '--fields', 'title,session_uid')
    expect(sessions.map((row: Json) => Object.keys(row))).toEqual(sessions.map(() => ['title', 'session_uid']))
    expect(total).toBeGreaterThan(2)
    const { hits }: Json = recallJson(env, 'search', 'nginx', '--fields', 'session.title,seq')
    expect(hits[0]).toEqual({ session: { title: expect.any(String) }, seq: expect.any(Number) })
    const { events }: Json = recallJson(env, 'show', hits.length > 0 ? uid : '', '--events', '--fields', 'seq,kind')
    expect(Object.keys(events[0])).toEqual(['seq', 'kind'])
    expect(Object.keys((recallJson(env, 'stats', 'tools', '--fields', 'tool') as Json)['rows'][0])).toEqual(['tool'])
    expect(recallJson(env, 'list', '--fields', 'titel')).toMatchObject({ code: 2, error: { code: 'USAGE' } })
    expect(recallCli(env, 'list', '--fields', 'title').code).toBe(2)
  })

  test('--fields is refused before anything is done where there are no rows', () => {
    const usage = { code: 2, error: { code: 'USAGE' } }
    const { total }: Json = recallJson(env, 'list')
    expect(recallJson(env, 'forget', uid, '--yes', '--fields', 'titel')).toMatchObject(usage)
    expect((recallJson(env, 'list') as Json)['total']).toBe(total)
    expect(recallJson(env, 'note', 'hi', '--fields', 'kept')).toMatchObject(usage)
    expect(recallJson(env, 'stats', 'bash', '--apply', '--yes', '--fields', 'rule')).toMatchObject(usage)
    expect(recallJson(env, 'permissions', 'undo', '--fields', 'id')).toMatchObject(usage)
    expect(recallJson(env, 'cost', '--statusline', '--fields', 'usd')).toMatchObject(usage)
  })

  test('show --events takes as many events as it is told', () => {
    const { events }: Json = recallJson(env, 'show', uid, '--events', '--limit', '0')
    const seqs = (args: string[]) =>
      (recallJson(env, 'show', uid, '--events', ...args) as Json)['events'].map((event: Json) => event['seq'])
    const all = events.map((event: Json) => event['seq'])
    expect(seqs(['--limit', '5'])).toEqual(all.slice(0, 5))
    expect(seqs(['--tail', '3'])).toEqual(all.slice(-3))
  })

  test('fix tells what was asked under a name that no failure has', () => {
    const found: Json = recallJson(env, 'fix', 'ECONNREFUSED 127.0.0.1:5432')
    expect(found).toMatchObject({ code: 0, query: 'ECONNREFUSED 127.0.0.1:5432' })
    expect(found).not.toHaveProperty('error')
  })

  test('--is is the filter of the same name, --group the memory of a group', () => {
    const counted = (...args: string[]) => recallJson(env, 'search', ...args, '--limit', '0')['total']
    expect(counted('file', '--is', 'sidechain')).toBe(counted('file is:sidechain'))
    expect(counted('file', '--is', 'sidechain')).toBeLessThan(Number(counted('file')))
    expect(recallJson(env, 'search', 'file', '--is', 'odd')).toMatchObject({ code: 2 })
    expect(recallJson(env, 'search', 'nginx', '--group', 'none')).toMatchObject({
      code: 1,
      error: { code: 'NOT_FOUND' },
    })
  })

  test('a day that the calendar does not have is no time', () => {
    for (const day of ['2026-02-30', '2024-13-45', '2023-02-29', '2026-02-30T10:00:00'])
      expect(recallJson(env, 'list', '--since', day)).toMatchObject({ code: 2, error: { code: 'USAGE' } })
    expect(recallJson(env, 'list', '--since', '2024-02-29')).toMatchObject({ code: 0 })
  })

  test('a bar without colour is as long as what it tells of', () => {
    const [raw = ''] = recallCli(env, 'budget').out.split('\n')
    expect(raw).toMatch(/^raw text {2}─{30} /)
  })
})

describe('what is not known', () => {
  test('env has null in JSON, and nothing in the shell', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    const log = new ClaudeLog(uuid('plain'), { cwd: undefined }).user('only a prompt')
    write(transcriptPath(home, uuid('plain')), log.text())
    expect(recallCli(env, 'index').code).toBe(0)
    expect(recallCli(env, 'analyze', '--all').code).toBe(0)
    const found: Json = recallJson(env, 'env', `claude:${uuid('plain')}`)
    expect(found).toMatchObject({ HELIX_TOKENS: null, HELIX_INFRA_OVERHEAD_SHARE: null, HELIX_REPO: null })
    const { out } = recallCli(env, 'env', `claude:${uuid('plain')}`)
    const shell = `set -u; eval "$1"; echo "[$HELIX_TOKENS|$HELIX_INFRA_OVERHEAD_SHARE|$HELIX_REPO|$HELIX_FLAVOR]"`
    expect(spawnSync('sh', ['-c', shell, '-', out], { encoding: 'utf8' }).stdout).toBe('[|||claude]\n')
  })

  test('the time of sessions that were not analysed is unknown', () => {
    const env = cleanEnv(demoHome())
    recallCli(env, 'index')
    const { rows }: Json = recallJson(env, 'stats', 'time')
    expect(rows[0]).toMatchObject({ active_s: null, agent_s: null, waiting_s: null, idle_s: null })
    expect(recallCli(env, 'stats', 'time').out).not.toMatch(/\b0s\b/)
    expect(recallCli(env, 'stats').out).toMatch(/^time +unknown/m)
    recallCli(env, 'analyze', '--all')
    expect((recallJson(env, 'stats', 'time') as Json)['rows'][0].agent_s).toBeGreaterThan(0)
  })

  test('words that are only blanks are summed up as such', async () => {
    const home = tempDir()
    write(transcriptPath(home, uuid('blank')), new ClaudeLog(uuid('blank')).user('hm').say('\n\n').text())
    const { recall } = productOn(home)
    await recall.index()
    const events = await recall.events(await recall.find(`claude:${uuid('blank')}`), { sidechains: true })
    expect(events.filter(({ kind }) => kind === 'assistant_msg').map(({ summary }) => summary)).toEqual(['(empty)'])
    await recall.close()
  })

  test('nothing is found because it was not read yet: how many transcripts', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    write(transcriptPath(home, uuid('a')), new ClaudeLog(uuid('a')).user('known words').text())
    recallCli(env, 'index')
    expect(recallJson(env, 'search', 'zebra')['explain']).toEqual({ reason: 'no_match', count: 0 })
    for (const name of ['b', 'c'])
      write(transcriptPath(home, uuid(name)), new ClaudeLog(uuid(name)).user('zebra').text())
    expect(recallJson(env, 'search', 'zebra')['explain']).toEqual({ reason: 'not_indexed', count: 2 })
    expect(recallCli(env, 'search', 'zebra').err).toContain('2 transcripts not indexed yet')
    expect(recallJson(env, 'search', 'known', '--branch', 'no')['explain']).toEqual({ reason: 'filtered', count: 1 })
    expect(recallJson(env, 'search', 'zebra', '--fresh')).toMatchObject({ total: 2, explain: null })
  })
})

test('the times of a digest add up to its wall clock', async () => {
  const home = demoHome()
  const codex = aSession()
    .text()
    .replace(/"timestamp":"2026-10-01T09:00:00\.000Z"/g, '"timestamp":"2026-10-01T08:00:00.600Z"')
  write(path.join(home, '.codex/sessions/2026/10/01/rollout-2026-10-01T09-00-00-early.jsonl'), codex)
  const late = new ClaudeLog(uuid('late'))
  late.record({ type: 'user', message: { role: 'user', content: 'last words' }, timestamp: '2026-10-01T18:00:00.400Z' })
  write(transcriptPath(home, uuid('late')), late.user('first words').say('yes').text())
  const { recall, store } = productOn(home)
  await recall.index()
  const unread = await recall.activity.time({ sessions: { limit: 0 } })
  await recall.analyze({ all: true })
  await recall.close()
  const read = await recall.activity.time({ sessions: { limit: 0 } })
  expect(read).toEqual(unread)
  await recall.close()
  const digests = query(store, 'SELECT json FROM digests').map(({ json }) => JSON.parse(String(json)) as Json)
  expect(digests.length).toBeGreaterThan(30)
  for (const { session_uid: uid, time, cost } of digests) {
    expect([uid, time.active_s + time.agent_s + time.waiting_s + time.idle_s]).toEqual([uid, cost.wall_clock_s])
  }
})

describe('a disk that cannot be written', () => {
  test('is told with the place and exit 4, whoever writes', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    recallCli(env, 'index')
    const data = path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
    write(path.join(data, 'hub'), 'a file where a directory should be')
    const { session_uid: uid } = (recallJson(env, 'list', '--limit', '1') as Json)['sessions'][0]
    for (const args of [['note', 'hi'], ['decide', uid, 'so be it'], ['sweep']]) {
      const told: Json = recallJson(env, ...args)
      expect(told).toMatchObject({ code: 4, error: { code: 'STORE_IO', hint: expect.any(String) } })
      expect(told['error'].message).toContain(path.join(data, 'hub'))
    }
    expect(recallCli({ ...env, XDG_DATA_HOME: '/proc/nope' }, 'note', 'hi').code).toBe(4)
  })

  test('nor by somebody without the right to', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    const data = path.join(env['XDG_DATA_HOME'] ?? '', 'recall')
    recallCli(env, 'index')
    for (const dir of [home, env['XDG_DATA_HOME'] ?? '']) give(dir)
    chmodSync(path.dirname(home), 0o755)
    chmodSync(path.dirname(env['XDG_DATA_HOME'] ?? ''), 0o755)
    chmodSync(data, 0o500)
    for (const args of [['note', 'hi'], ['sweep'], ['time', 'start', 'x'], ['index']]) {
      const { code, out } = asNobody(env, ...args, '--json')
      expect([args[0], code, (JSON.parse(out) as Json)['error']?.code]).toEqual([args[0], 4, 'STORE_IO'])
    }
    chmodSync(data, 0o700)
  })
})

test('transcripts and directories that cannot be read are findings, and the report of an index adds up', () => {
  const home = demoHome()
  const env = cleanEnv(home)
  const locked = write(transcriptPath(home, uuid('locked')), new ClaudeLog(uuid('locked')).user('x').text())
  const hidden = write(transcriptPath(home, uuid('hidden'), '-closed'), new ClaudeLog(uuid('hidden')).user('x').text())
  mkdirSync(path.join(env['XDG_DATA_HOME'] ?? '', 'recall'), { recursive: true })
  for (const dir of [home, path.dirname(env['XDG_DATA_HOME'] ?? '')]) give(dir)
  chmodSync(locked, 0)
  chmodSync(path.dirname(hidden), 0)
  const { files } = JSON.parse(asNobody(env, 'index', '--json').out) as Json
  expect(files.failed).toBe(2)
  expect(files.found).toBe(files.parsed + files.skipped + files.failed)
  const doctor = asNobody(env, 'doctor', '--json')
  const { ok, findings } = JSON.parse(doctor.out) as Json
  expect({ ok, code: doctor.code }).toEqual({ ok: false, code: 1 })
  const told = findings.map(({ id, message }: Json) => `${id} ${message}`)
  expect(told).toContain(`unreadable-file ${locked} cannot be read`)
  expect(told).toContain(`unreadable-directory ${path.dirname(hidden)} cannot be read`)
  chmodSync(path.dirname(hidden), 0o700)
})

describe('Ctrl-C', () => {
  test('prints an error object with --json and ends with 130', async () => {
    const env = cleanEnv(demoHome())
    write(path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.lock'), `${process.pid}\n`)
    const { code, out } = await interrupted(env, 'index', '--wait', '--json')
    expect({ code, ...(JSON.parse(out) as Json) }).toMatchObject({ code: 130, error: { code: 'INTERRUPTED' } })
    expect(await interrupted(env, 'index', '--wait')).toMatchObject({ code: 130, out: '' })
  })

  test('ends a watch with 130', async () => {
    const env = cleanEnv(demoHome())
    expect(recallCli(env, 'index').code).toBe(0)
    expect(await interrupted(env, 'watch')).toMatchObject({ code: 130 })
  })
})
