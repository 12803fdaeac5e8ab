import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Settings } from '../src/settings/settings.ts'
import { KEEP_TAG } from '../src/store/keeping.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { demoHome, NOW, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

const TINY: Partial<Settings> = { rawSoftCapBytes: 0, rawHardCapBytes: 1e12, rawMaxAgeDays: 45 }
const DAY = 86_400_000

/** Everything in the data directory as one text: files as they are, and what packs unpack to. */
function everyByte(dir: string): string {
  const texts: string[] = []
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(dir, name)
    if (statSync(file).isFile()) texts.push(readFileSync(file, 'latin1'))
  }
  const db = path.join(dir, 'recall.db')
  for (const row of query(db, 'SELECT pack, offset, length FROM chunk')) {
    const pack = readFileSync(path.join(dir, 'blobs', `${String(row['pack']).padStart(6, '0')}.pack`))
    const start = Number(row['offset'])
    texts.push(brotliDecompressSync(pack.subarray(start, start + Number(row['length']))).toString('latin1'))
  }
  return texts.join('\n')
}

function marked(name: string, count: number): { log: ClaudeLog; markers: string[] } {
  const log = new ClaudeLog(uuid(name)).user('please look at the build').say('on it')
  const markers: string[] = []
  for (let i = 0; i < count; i++) {
    const word = `mark${name}${i}zq`
    markers.push(word)
    const kinds = [
      () => log.say(`the answer has ${word} in it`),
      () => log.think(`thinking of ${word}`),
      () => log.call(`c${name}${i}`, 'Bash', { command: `echo ${word}` }).result(`c${name}${i}`, 'ok'),
      () => log.call(`c${name}${i}`, 'Read', { file_path: '/w/a.ts' }).result(`c${name}${i}`, `${word} `.repeat(50)),
      () => log.user(`and ${word}, please`),
    ]
    kinds[i % kinds.length]?.()
  }
  log.say('done')
  return { log, markers }
}

describe('eviction', () => {
  test('drops the raw text for good and keeps digest, ledger, title and search by digest', async () => {
    const home = tempDir()
    const { log, markers } = marked('evicted', 100)
    write(transcriptPath(home, uuid('evicted')), log.text())
    const other = new ClaudeLog(uuid('other')).user('something else').say('yes')
    write(transcriptPath(home, uuid('other')), other.text())
    const { recall, store } = productOn(home, undefined, TINY)
    await recall.index()
    await recall.describe(await recall.find(`claude:${uuid('other')}`), { tag: KEEP_TAG, on: true })
    await recall.close()
    const dir = path.dirname(store)
    const before = everyByte(dir)
    for (const marker of markers) expect(before).toContain(marker)
    const size = statSync(store).size
    const tokens = (await recall.status()).sources[0]?.totals.tokens
    await recall.close()

    const report = await recall.sweep()
    expect(report.evicted.map(({ uid, reason }) => [uid, reason])).toEqual([
      [`claude:${uuid('evicted')}`, 'budget'],
      [`claude:${uuid('other')}`, 'budget'],
    ])
    const after = everyByte(dir)
    expect(markers.filter((marker) => after.includes(marker))).toEqual([])
    expect(statSync(store).size).toBeLessThan(size)
    expect((await recall.status()).sources[0]?.totals.tokens).toEqual(tokens)
    const found = await recall.search({ text: 'look at the build', filter: { limit: 5 }, now: NOW })
    expect(found.hits[0]).toMatchObject({ event: null, session: { uid: `claude:${uuid('evicted')}` } })
    expect(await recall.doctor()).toEqual([])
    expect(await recall.digest(`claude:${uuid('evicted')}`)).toContain('"first_prompt":"please look at the build"')
    await recall.close()
  })

  test('an evicted session is not read again until its transcript grows or it is asked for', async () => {
    const home = tempDir()
    const file = write(transcriptPath(home, uuid('s')), new ClaudeLog(uuid('s')).user('first').say('answer').text())
    const { recall, store } = productOn(home, undefined, TINY)
    await recall.sweep()
    expect((await recall.find(`claude:${uuid('s')}`)).evictedAt).not.toBeNull()
    await recall.close()
    expect((await recall.index({ full: true })).files.parsed).toBe(0)

    await recall.restore(await recall.find(`claude:${uuid('s')}`))
    await recall.close()
    await recall.index()
    expect(await recall.find(`claude:${uuid('s')}`)).toMatchObject({ evictedAt: null, messageCount: 2 })
    await recall.close()

    await recall.sweep()
    appendFileSync(file, new ClaudeLog(uuid('x')).user('later', { sessionId: uuid('s') }).text())
    await recall.index()
    expect(await recall.find(`claude:${uuid('s')}`)).toMatchObject({ evictedAt: null, promptCount: 2 })
    expect(query(store, "SELECT count(*) AS n FROM lane WHERE name = '~digest'")).toEqual([{ n: 1 }])
    await recall.close()
  })

  test('nothing goes before its digest exists; what rests is analysed first', async () => {
    const home = tempDir()
    const now = Date.parse('2026-10-01T09:00:30Z')
    write(transcriptPath(home, uuid('live')), new ClaudeLog(uuid('live')).user('still going').say('yes').text())
    const { recall } = productOn(home, undefined, TINY, () => now)
    const report = await recall.sweep()
    expect(report).toMatchObject({ analyzed: 0, evicted: [], dataLoss: null })
    await recall.close()
  })

  test('above the hard cap what is not analysed is analysed, then evicted; the backstop spares pinned sessions', async () => {
    const home = tempDir()
    const start = Date.parse('2026-10-01T09:00:30Z')
    let now = start
    write(transcriptPath(home, uuid('live')), new ClaudeLog(uuid('live')).user('still going').say('yes').text())
    const over = productOn(home, undefined, { rawSoftCapBytes: 0, rawHardCapBytes: 1 }, () => now)
    expect(await over.recall.sweep()).toMatchObject({ analyzed: 1, dataLoss: null, evicted: [{ reason: 'budget' }] })
    await over.recall.close()

    const calm = productOn(home, undefined, {}, () => now)
    write(transcriptPath(home, uuid('kept')), new ClaudeLog(uuid('kept')).user('keep me').say('ok').text())
    await calm.recall.index()
    await calm.recall.describe(await calm.recall.find(`claude:${uuid('kept')}`), { tag: KEEP_TAG, on: true })
    await calm.recall.close()
    now = start + 60 * DAY
    const report = await calm.recall.sweep()
    expect(report.evicted.map(({ uid, reason }) => [uid, reason])).toEqual([[`claude:${uuid('live')}`, 'backstop']])
    await calm.recall.close()
  })
})

describe('forget', () => {
  test('leaves no name of a place on the disk, also while somebody has the store open', async () => {
    const home = tempDir()
    const cwd = '/home/sam/placemarkzq'
    write(transcriptPath(home, uuid('gone')), new ClaudeLog(uuid('gone'), { cwd }).user('hello').say('hi').text())
    write(transcriptPath(home, uuid('stays')), new ClaudeLog(uuid('stays')).user('hello').say('hi').text())
    const { recall, store } = productOn(home)
    await recall.sweep()
    expect(readFileSync(store, 'latin1')).toContain('placemarkzq')
    await recall.forget([await recall.find(`claude:${uuid('gone')}`)])
    for (const name of readdirSync(path.dirname(store), { recursive: true, encoding: 'utf8' })) {
      const file = path.join(path.dirname(store), name)
      if (statSync(file).isFile())
        expect([name, readFileSync(file, 'latin1').includes('placemarkzq')]).toEqual([name, false])
    }
    await recall.close()
  })

  test('deletes raw, digest and ledger, and the next index does not bring it back; --undo does', async () => {
    const home = tempDir()
    const { log, markers } = marked('gone', 20)
    log.bare({ type: 'custom-title', customTitle: 'titlemarkzq', sessionId: uuid('gone') })
    write(transcriptPath(home, uuid('gone')), log.text())
    write(transcriptPath(home, uuid('stays')), new ClaudeLog(uuid('stays')).user('hello').say('hi').text())
    const { recall, store } = productOn(home)
    await recall.index({ recreate: true })
    await recall.index({ recreate: true })
    await recall.sweep()
    await recall.forget([await recall.find(`claude:${uuid('gone')}`)])
    await recall.close()
    const after = everyByte(path.dirname(store))
    expect([...markers, 'titlemarkzq'].filter((marker) => after.includes(marker))).toEqual([])
    expect(await recall.index({ full: true })).toMatchObject({ sessions: { new: 0 } })
    expect((await recall.list({ limit: 0 })).total).toBe(1)
    expect(await recall.unforget(`claude:${uuid('gone')}`)).toBe(true)
    await recall.close()
    await recall.index()
    expect(await recall.find(`claude:${uuid('gone')}`)).toMatchObject({ title: 'titlemarkzq' })
    expect(await recall.doctor()).toEqual([])
    await recall.close()
  })
})

describe('what people type', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`

  test('is redacted like everything else, and a decision moves no time of its session', async () => {
    const home = tempDir()
    write(transcriptPath(home, uuid('typed')), new ClaudeLog(uuid('typed')).user('pick one').say('done').text())
    const { recall, store } = productOn(home)
    await recall.index()
    const before = await recall.find(`claude:${uuid('typed')}`)
    await recall.decide(before, `use ${token}`)
    await recall.note(`noted ${token}`)
    await recall.close()
    expect(everyByte(path.dirname(store))).not.toContain(token)
    const { startedAt, endedAt } = before
    expect(await recall.find(before.uid)).toMatchObject({ startedAt, endedAt, eventCount: before.eventCount + 1 })
    expect(await recall.doctor({ secrets: true })).toEqual([])
    await recall.close()
  })

  test('new rules redact what is stored, also where the transcript is gone, and the old bytes leave the disk', async () => {
    const home = tempDir()
    const secret = 'acmekey-77sevenseven77'
    const log = (name: string) =>
      new ClaudeLog(uuid(name))
        .user(`first ${secret}`)
        .call('c1', 'Bash', { command: `login ${secret}` })
        .result('c1', `${secret} `.repeat(40))
        .say(`said ${secret}`)
    const gone = write(transcriptPath(home, uuid('gone-file')), log('gone-file').text())
    write(transcriptPath(home, uuid('here')), log('here').text())
    const { recall, store } = productOn(home)
    await recall.sweep()
    rmSync(gone)
    await recall.index()
    expect(everyByte(path.dirname(store))).toContain(secret)

    const redactionRules = new Map([['acme-key', 'acmekey-[0-9a-z]+']])
    const strict = productOn(home, store, { redactionRules }).recall
    await strict.sweep()
    expect(everyByte(path.dirname(store))).not.toContain(secret)
    const found = await strict.search({ text: 'said', filter: { limit: 5 }, now: NOW })
    expect(found.hits.map((hit) => hit.snippet.text)).toEqual(['said [REDACTED:acme-key]', 'said [REDACTED:acme-key]'])
    expect(await strict.doctor({ secrets: true })).toEqual([])
    await strict.close()
  })

  test('a transcript that becomes empty takes nothing from what is remembered', async () => {
    const home = tempDir()
    const file = write(transcriptPath(home, uuid('m')), new ClaudeLog(uuid('m')).user('remember me').say('yes').text())
    const { recall } = productOn(home)
    await recall.index()
    const before = await recall.find(`claude:${uuid('m')}`)
    await recall.close()
    writeFileSync(file, '')
    await recall.index()
    const { sessions } = await recall.list({ limit: 0 })
    const { messageCount, startedAt, endedAt } = before
    expect(sessions).toMatchObject([{ uid: before.uid, messageCount, startedAt, endedAt }])
    await recall.close()
  })
})

describe('digests', () => {
  test('a rebuild gives the same bytes, and an appended session is analysed anew', async () => {
    const home = demoHome()
    const { recall, store } = productOn(home)
    await recall.sweep()
    const all = () => query(store, 'SELECT session_uid, json FROM digests ORDER BY session_uid')
    const first = all()
    expect(first.length).toBeGreaterThan(30)
    expect((await recall.analyze()).analyzed).toBe(0)
    expect((await recall.analyze({ all: true })).analyzed).toBe(first.length)
    expect(all()).toEqual(first)
    await recall.close()
  })

  test('are written again, once, when another way of analysing wrote them', async () => {
    const home = demoHome()
    const { recall, store } = productOn(home)
    const { analyzed } = await recall.sweep()
    await recall.close()
    const other = productOn(home, store, { infraTools: ['Read'] }).recall
    expect((await other.sweep()).analyzed).toBe(analyzed)
    expect((await other.sweep()).analyzed).toBe(0)
    await other.close()
  })

  test('a decision stands behind every record, also where a transcript has another name than its session', async () => {
    for (const name of Array.from({ length: 8 }, (_, i) => `file${i}`)) {
      const home = tempDir()
      write(transcriptPath(home, uuid(name)), new ClaudeLog(uuid('odd')).user('which one?').say('this one').text())
      const { recall, store } = productOn(home)
      await recall.index()
      const before = await recall.find(`claude:${uuid('odd')}`)
      await recall.decide(before, 'that one')
      const after = await recall.find(`claude:${uuid('odd')}`)
      await recall.close()
      expect(after).toMatchObject({ shortId: before.shortId, messageCount: before.messageCount, title: before.title })
      const kinds = query(store, 'SELECT e.kind FROM event e JOIN lane l ON l.id = e.lane ORDER BY l.base + e.pos')
      expect(kinds.map((row) => row['kind']).slice(-2)).toEqual(['decision', 'completion'])
    }
  })

  test('decisions stay through a full index, a recreate and an eviction, and are found', async () => {
    const home = tempDir()
    write(transcriptPath(home, uuid('d')), new ClaudeLog(uuid('d')).user('pick a database').say('done').text())
    const { recall } = productOn(home, undefined, TINY)
    await recall.index()
    const seq = await recall.decide(await recall.find(`claude:${uuid('d')}`), 'we stay on quokkabase')
    await recall.close()
    for (const again of [
      () => recall.index({ full: true }),
      () => recall.index({ recreate: true }),
      () => recall.sweep(),
    ]) {
      await again()
      const session = await recall.find(`claude:${uuid('d')}`)
      const events = await recall.events(session, { sidechains: true })
      expect(events.find((event) => event.kind === 'decision')).toMatchObject({ seq, text: 'we stay on quokkabase' })
      await recall.close()
    }
  })

  test('recreate keeps evicted sessions as they are, with tags and tombstones', async () => {
    const home = tempDir()
    const log = new ClaudeLog(uuid('e')).user('evict me').say('ok')
    log.bare({ type: 'ai-title', aiTitle: 'What is evicted', sessionId: uuid('e') })
    const gone = write(transcriptPath(home, uuid('e')), log.text())
    write(transcriptPath(home, uuid('f')), new ClaudeLog(uuid('f')).user('forget me').say('ok').text())
    const { recall } = productOn(home, undefined, TINY)
    await recall.index()
    await recall.forget([await recall.find(`claude:${uuid('f')}`)])
    await recall.close()
    await recall.sweep()
    const digest = await recall.digest(`claude:${uuid('e')}`)
    const tokens = (await recall.find(`claude:${uuid('e')}`)).tokens
    await recall.close()
    rmSync(gone)
    await recall.index({ recreate: true })
    expect(await recall.digest(`claude:${uuid('e')}`)).toBe(digest)
    expect(await recall.find(`claude:${uuid('e')}`)).toMatchObject({ tokens, evictReason: 'budget' })
    expect((await recall.list({ limit: 0 })).total).toBe(1)
    expect(await recall.doctor()).toEqual([])
    await recall.close()
  })
})

describe('the commands of the bounded memory', () => {
  test('sweep, digest, env, signals, patterns, budget, rescue speak as promised', () => {
    const env = cleanEnv(demoHome())
    expect(recallCli(env, 'env', '--last')).toMatchObject({ code: 4, out: '' })
    const sweep: Json = recallJson(env, 'sweep')
    expect(sweep).toMatchObject({ code: 0, evicted: [], data_loss: null })
    expect(sweep['analyzed']).toBeGreaterThan(30)
    const [first] = (recallJson(env, 'list', '--limit', '1') as Json)['sessions']
    const uid = first.session_uid
    const marks: string[] = [first.discovered_at, first.ingested_at, first.analyzed_at]
    expect(marks.every((mark) => Date.parse(mark) > 0)).toBe(true)
    expect([...marks].sort()).toEqual(marks)
    const digest = JSON.parse(recallCli(env, 'digest', uid, '--json').out) as Json
    expect(digest).toMatchObject({ session_uid: uid, schema_version: 1 })
    expect(recallCli(env, 'digest', 'claude:nope')).toMatchObject({ code: 1, out: '' })
    const lines = recallCli(env, 'env', uid).out.trim().split('\n')
    expect(lines.map((line) => line.split('=')[0])).toEqual([
      'export HELIX_SESSION_UID',
      'export HELIX_REPO',
      'export HELIX_FLAVOR',
      'export HELIX_TOKENS',
      'export HELIX_INFRA_OVERHEAD_SHARE',
      'export HELIX_STORE_DB',
    ])
    expect((recallJson(env, 'patterns') as Json)['patterns'].length).toBeGreaterThan(0)
    const signal: Json = (recallJson(env, 'signals') as Json)['signals'][0]
    const [session, seq] = signal['evidence'][0].split('#')
    expect(recallCli(env, 'show', session, '--around', seq, '--sidechains').code).toBe(0)
    for (const command of ['signals', 'patterns']) {
      const told = [...recallCli(env, command).out.matchAll(/^ {2}recall show (.*)$/gm)].map(([, where]) =>
        String(where),
      )
      expect(told.length).toBeGreaterThan(0)
      for (const where of told) expect(where).toMatch(/^\S+#(?:\d{1,6}|[0-9a-z]{7}\.\d+)$/)
      expect(recallCli(env, 'show', String(told[0])).code).toBe(0)
    }
    expect(recallJson(env, 'budget')).toMatchObject({ tier1: { soft: 4 * 2 ** 30, hard: 6 * 2 ** 30 } })
    expect(recallJson(env, 'rescue', '--within', '4000d')).toMatchObject({ code: 0, not_held: 0 })
    expect(existsSync(path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'hub', 'digests.jsonl'))).toBe(true)
  })
})
