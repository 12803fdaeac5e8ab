import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import type { Settings } from '../src/settings/settings.ts'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { corpusHome, demoHome, noCorpus, NOW, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

/** Nothing may stay, and the budget is looked at after every transaction. */
const NOTHING_STAYS: Partial<Settings> = { rawSoftCapBytes: 0, rawHardCapBytes: 1 }
const MB = 1024 * 1024

/** Every digest, and each session's events or that it was evicted. */
function whatIsKept(store: string) {
  return {
    digests: query(store, 'SELECT session_uid, json FROM digests ORDER BY session_uid'),
    lost: query(store, "SELECT uid FROM session WHERE evict_reason = 'overflow'"),
    held: query(store, 'SELECT count(*) AS events FROM event'),
  }
}

/** The digests that an undisturbed store writes of this home. */
async function digestsOf(home: string): Promise<unknown[]> {
  const { recall, store } = productOn(home)
  await recall.index()
  await recall.analyze({ all: true })
  await recall.close()
  return whatIsKept(store).digests
}

/** Makes a transcript about so many megabytes longer. */
function bulky(log: ClaudeLog, megabytes: number): ClaudeLog {
  for (let i = 0; i < megabytes * 64; i++) log.say(`part ${i} ${'of a long story '.repeat(1000)}`)
  return log
}

/** Time that moves on with every look at it. */
function ticking(): () => number {
  let now = NOW
  return () => now++
}

describe('a sweep that evicts while it reads', () => {
  test('a session that grew is whole in its digest, though it was evicted before the new part was read', async () => {
    const home = tempDir()
    const [first = '', last = ''] = ['a', 'b'].sort((a, b) => (uuid(a) < uuid(b) ? -1 : 1))
    const grows = write(
      transcriptPath(home, uuid(last)),
      new ClaudeLog(uuid(last)).user('begin here').say('yes').text(),
    )
    const store = path.join(tempDir(), 'recall.db')
    const now = ticking()
    const calm = productOn(home, store, {}, now).recall
    await calm.sweep()
    await calm.close()

    write(transcriptPath(home, uuid(first)), bulky(new ClaudeLog(uuid(first)).user('read this'), 7).text())
    appendFileSync(grows, new ClaudeLog(uuid('more')).user('go on', { sessionId: uuid(last) }).text())
    const { recall } = productOn(home, store, NOTHING_STAYS, now)
    const report = await recall.sweep()
    await recall.close()
    expect(report.evicted.filter(({ uid }) => uid === `claude:${uuid(last)}`).length).toBe(2)
    expect(whatIsKept(store)).toEqual({ digests: await digestsOf(home), lost: [], held: [{ events: 0 }] })
  })

  test('a session of which one transcript is read after its eviction has a digest of both', async () => {
    const home = tempDir()
    const id = uuid('both')
    const agent = new ClaudeLog(id, { isSidechain: true, agentId: 'x1' }).user('look into it')
    write(subagentPath(home, id, 'x1'), bulky(agent, 7).text())
    write(transcriptPath(home, id), new ClaudeLog(id).user('send somebody').say('done').text())
    const { recall, store } = productOn(home, undefined, NOTHING_STAYS, ticking())
    const report = await recall.sweep()
    expect(report.evicted.length).toBe(2)
    expect(await recall.sweep()).toMatchObject({ ingested: 0, analyzed: 0, evicted: [] })
    await recall.close()
    expect(whatIsKept(store)).toEqual({ digests: await digestsOf(home), lost: [], held: [{ events: 0 }] })
  })

  test('a session larger than the hard cap is read to its end and analysed before it goes', async () => {
    const home = tempDir()
    write(transcriptPath(home, uuid('huge')), bulky(new ClaudeLog(uuid('huge')).user('read this'), 20).text())
    const { recall, store } = productOn(home, undefined, { rawSoftCapBytes: MB, rawHardCapBytes: 2 * MB })
    const report = await recall.sweep()
    await recall.close()
    expect(report).toMatchObject({ dataLoss: null, evicted: [{ reason: 'budget' }] })
    expect(whatIsKept(store)).toEqual({ digests: await digestsOf(home), lost: [], held: [{ events: 0 }] })
  })
})

test('the full-text index merges as it did, once a sweep that evicted is over', async () => {
  const home = tempDir()
  write(transcriptPath(home, uuid('m')), new ClaudeLog(uuid('m')).user('a few words').say('some more').text())
  const { recall, store } = productOn(home, undefined, NOTHING_STAYS)
  expect((await recall.sweep()).evicted.length).toBe(1)
  await recall.close()
  expect(query(store, "SELECT v FROM exchange_fts_config WHERE k = 'deletemerge'")).toEqual([{ v: 10 }])
  expect(query(store, "SELECT 1 FROM meta WHERE key = 'purge'")).toEqual([])
})

describe('what the budget counts', () => {
  const TIER_1 = `name LIKE 'event%' OR name LIKE 'exchange%' OR name LIKE 'sqlite_autoindex_exchange%' OR name LIKE 'touch%'
    OR name LIKE 'made%' OR name IN ('path', 'sqlite_autoindex_path_1')`

  /** Counted bytes as a share of those that the rows really take. */
  async function countedShare(home: string): Promise<number> {
    const { recall, store } = productOn(home)
    await recall.index()
    await recall.close()
    const taken = query(store, `SELECT sum(pgsize) AS bytes FROM dbstat WHERE ${TIER_1}`)[0]?.['bytes']
    const counted = query(store, 'SELECT sum(row_bytes) AS bytes FROM session')[0]?.['bytes']
    return Number(counted) / Number(taken)
  }

  test('rows and index of many small sessions, within 15 %', async () => {
    const share = await countedShare(manyDemos(12))
    expect(share).toBeGreaterThan(0.85)
    expect(share).toBeLessThan(1.15)
  })

  test('rows and index of long texts, within 15 %', async () => {
    const home = tempDir()
    const words = (from: number) => Array.from({ length: 900 }, (_, i) => `w${((from + i) * 7919) % 50_000}`).join(' ')
    for (let s = 0; s < 40; s++) {
      const log = new ClaudeLog(uuid(`long${s}`)).user('tell me')
      for (let i = 0; i < 20; i++) log.say(words(s * 20 + i * 31))
      write(transcriptPath(home, uuid(`long${s}`)), log.text())
    }
    const share = await countedShare(home)
    expect(share).toBeGreaterThan(0.85)
    expect(share).toBeLessThan(1.15)
  })

  test.skipIf(noCorpus)('rows and index of recorded sessions, within 15 %', async () => {
    const share = await countedShare(corpusHome)
    expect(share).toBeGreaterThan(0.85)
    expect(share).toBeLessThan(1.15)
  })
})

/** The demo's sessions several times over, each time with ids of their own. */
function manyDemos(times: number): string {
  const from = demoHome()
  const home = tempDir()
  const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((f) =>
    statSync(path.join(from, f)).isFile(),
  )
  for (let n = 0; n < times; n++) {
    const renamed = (text: string) =>
      text.replace(uuids, (id) => {
        const hex = createHash('sha256').update(`${id}${n}`).digest('hex')
        return `${id.slice(0, 14)}${hex.slice(0, 4)}${id.slice(18, 24)}${hex.slice(4, 16)}`
      })
    for (const file of files) {
      const to = path.join(home, renamed(file))
      mkdirSync(path.dirname(to), { recursive: true })
      writeFileSync(to, renamed(readFileSync(path.join(from, file), 'utf8')))
    }
  }
  return home
}

interface Course {
  readonly bytes: number
  readonly hardBytes: number
  readonly softBytes: number
  readonly batchBytes: number
  readonly sessionBytes: number
}

interface Retention {
  runRetention(course: Course): Promise<object>
  brokenPromises(outcome: object, course: Course): string[]
}

describe('far more than the budget', () => {
  test('goes through it: never above the hard cap, in little memory, each session read and analysed once', async () => {
    const megabytes = process.env['RECALL_TEST_SOAK'] ? 300 : 60 // `npm run soak`
    const hardBytes = Math.max(10, megabytes / 10) * MB
    const bytes = megabytes * 1e6
    const course = { bytes, hardBytes, softBytes: hardBytes / 2, batchBytes: bytes / 6, sessionBytes: 60e3 }
    const bench = path.resolve(import.meta.dirname, '../bench/retention.mjs')
    const { runRetention, brokenPromises } = (await import(bench)) as Retention
    expect(brokenPromises(await runRetention(course), course)).toEqual([])
  }, 900_000)
})

describe('analysis', () => {
  const LIVE = Date.parse('2026-10-01T09:00:30Z')

  test('a session that ended need not rest; one that is asked for neither', async () => {
    const home = tempDir()
    for (const name of ['over', 'asked', 'going'])
      write(transcriptPath(home, uuid(name)), new ClaudeLog(uuid(name)).user('so far').say('yes').text())
    const { recall } = productOn(home, undefined, {}, () => LIVE)
    await recall.index()
    const ended = [`claude:${uuid('over')}`, 'claude:nobody']
    expect(await recall.sweep({ dryRun: true, ended })).toMatchObject({ analyzed: 1 })
    expect(await recall.sweep({ ended })).toMatchObject({ analyzed: 1 })
    const session = await recall.find(`claude:${uuid('asked')}`)
    expect(await recall.analyze({ session })).toEqual({ analyzed: 1, failed: [] })
    expect(await recall.analyze({ session })).toMatchObject({ analyzed: 0 })
    const digests = await Promise.all(['over', 'asked', 'going'].map((name) => recall.digest(`claude:${uuid(name)}`)))
    expect(digests.map((digest) => digest !== null)).toEqual([true, true, false])
    await recall.close()
  })

  test('one session that cannot be analysed holds up nobody, and is lost only above the hard cap, aloud', async () => {
    const home = tempDir()
    for (const name of ['odd', 'fine'])
      write(transcriptPath(home, uuid(name)), new ClaudeLog(uuid(name)).user('hello').say('yes').text())
    const { recall, store } = productOn(home)
    await recall.index()
    await recall.close()
    const db = new DatabaseSync(store)
    db.exec(`UPDATE session SET redactions = '{' WHERE uid = 'claude:${uuid('odd')}'`)
    db.close()
    const report = await recall.sweep()
    expect(report).toMatchObject({ analyzed: 1, dataLoss: null, failed: [{ uid: `claude:${uuid('odd')}` }] })
    await recall.close()

    const tight = productOn(home, store, { rawSoftCapBytes: 0, rawHardCapBytes: 0 }).recall
    const { evicted, dataLoss } = await tight.sweep()
    expect(evicted.map(({ uid, reason }) => [uid, reason])).toEqual([
      [`claude:${uuid('fine')}`, 'budget'],
      [`claude:${uuid('odd')}`, 'overflow'],
    ])
    expect(dataLoss?.sessions).toEqual([`claude:${uuid('odd')}`])
    expect((await tight.status()).notices).toMatchObject([{ kind: 'session_memory.data_loss' }])
    const notes = readFileSync(path.join(path.dirname(store), 'hub', 'notes.jsonl'), 'utf8')
    expect(JSON.parse(notes)).toMatchObject({ kind: 'session_memory.data_loss', sessions: dataLoss?.sessions })
    await tight.acknowledge()
    expect((await tight.status()).notices).toEqual([])
    await tight.close()
  })
})

describe('the commands, at the end of a session and after an eviction', () => {
  test('after an eviction show and --restore say what went and what can be done', () => {
    const home = demoHome()
    const env = cleanEnv(home)
    const config = (text: string) => write(path.join(env['XDG_CONFIG_HOME'] ?? '', 'recall', 'config.toml'), text)
    config('[session_memory.retention]\nraw_soft_cap_bytes = 0\ndistilled_cap_bytes = 10\n')
    recallCli(env, 'sweep')
    const signal: Json = (recallJson(env, 'signals', '--limit', '1') as Json)['signals'][0]
    const [uid, seq] = signal['evidence'][0].split('#')
    const opened = recallJson(env, 'show', uid, '--around', seq) as Json
    expect(opened).toMatchObject({ code: 1, error: { message: expect.stringContaining('(budget)') } })
    expect(opened['error'].hint).toContain('recall index --restore')
    rmSync((recallJson(env, 'show', uid) as Json)['source_path'], { recursive: true })
    expect(recallJson(env, 'index', '--restore', uid)).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } })
    expect(recallJson(env, 'status')).toMatchObject({ store: { tier2_flagged: true } })
    expect(recallCli(env, 'status').out).toContain('digests are above distilled_cap_bytes')
  })

  test('a hook that tells of an end gives the session its digest with the next sweep; forget empties the queue of it', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    const log = new ClaudeLog(uuid('closed'), {}, Date.now() - 60_000).user('done?').say('done')
    const transcript_path = write(transcriptPath(home, uuid('closed')), log.text())
    recallCli(env, 'sweep')
    expect(recallCli(env, 'digest', `claude:${uuid('closed')}`).code).toBe(1)
    const tell = { hook_event_name: 'SessionEnd', session_id: uuid('closed'), transcript_path }
    recallCli(env, 'hook', 'run', 'claude', JSON.stringify(tell))
    expect(recallJson(env, 'sweep', '--dry-run')).toMatchObject({ analyzed: 1 })
    expect(recallJson(env, 'sweep')).toMatchObject({ analyzed: 1 })
    recallCli(env, 'hook', 'run', 'claude', JSON.stringify(tell))
    recallCli(env, 'forget', `claude:${uuid('closed')}`, '--yes')
    expect(readdirSync(path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'queue'))).toEqual([])
  })

  test('env --sweep gives the session that just ended its digest first', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    const log = new ClaudeLog(uuid('fresh'), {}, Date.now() - 60_000).user('done?').say('done')
    write(transcriptPath(home, uuid('fresh')), log.text())
    expect(recallCli(env, 'env', '--last', '--sweep').out).toContain(`HELIX_SESSION_UID=claude:${uuid('fresh')}\n`)
    expect(recallCli(env, 'env', 'claude:nobody', '--sweep')).toMatchObject({ code: 1, out: '' })
  })
})
