import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import type { Recall } from '../src/recall.ts'
import { openForWriting } from '../src/store/open.ts'
import type { Finding } from '../src/store/store.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { dump, query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

const IDS = Array.from({ length: 12 }, (_, i) => uuid(`damage ${i}`))
const GONE = IDS[3] ?? ''
const PAGE = 8192

function log(id: string): string {
  const log = new ClaudeLog(id)
  for (let turn = 0; turn < 8; turn++) {
    log
      .user(`${id} turn ${turn}: ${`words of ${id} `.repeat(30)}`)
      .call(`c${turn}`, 'Bash', { command: `cat ${turn}` })
      .result(`c${turn}`, `${id} output ${turn}\n`.repeat(400))
      .say(`${id} answer ${turn}`)
  }
  return log.text()
}

/** A store of twelve sessions, one of them without its transcript. */
async function laid() {
  const home = tempDir()
  for (const id of IDS) write(transcriptPath(home, id), log(id))
  const env = cleanEnv(home)
  const store = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')
  let now = NOW
  const open = () => productOn(home, store, {}, () => (now += 1000)).recall
  const recall = open()
  await recall.index()
  await recall.analyze({ all: true })
  rmSync(transcriptPath(home, GONE))
  await recall.index()
  await recall.close()
  return { home, env, store, open }
}

function change(file: string, at: number, bytes: (old: Buffer) => Buffer, length = 1): void {
  const all = readFileSync(file)
  bytes(all.subarray(at, at + length)).copy(all, at)
  writeFileSync(file, all)
}

const flipped = (old: Buffer) => Buffer.from(old.map((byte) => byte ^ 4))

/** Where words first stand in a file. */
function placeOf(file: string, words: string): number {
  const at = readFileSync(file).indexOf(words)
  expect(at).toBeGreaterThan(0)
  return at
}

async function doctored(recall: Recall, what: 'doctor' | 'repair', deep = true): Promise<Finding[]> {
  const findings = await recall[what]({ deep })
  await recall.close()
  return findings
}

const ids = (findings: readonly Finding[]) => findings.filter(({ level }) => level !== 'info').map(({ id }) => id)

describe('a flipped bit', () => {
  test('in a row is found by a quick look, named, and mended from the transcript', async () => {
    const { store, open } = await laid()
    const before = dump(store)
    const id = IDS[7] ?? ''
    change(store, placeOf(store, `${id} turn 4: words`), flipped)
    const found = (await doctored(open(), 'doctor', false)).filter(({ id: kind }) => kind === 'page')
    expect(found).toHaveLength(1)
    expect(found[0]?.message).toMatch(/^page \d+ of recall\.db is damaged: it holds `event` of claude:/)
    expect(found[0]?.sessions).toContain(`claude:${id}`)
    const told = await doctored(open(), 'repair')
    expect(told.find(({ id: kind, message }) => kind === 'read-again' && message.includes(id))).toBeDefined()
    expect(told.find(({ id: kind }) => kind === 'remade')?.remedy).toContain('`recall analyze`')
    expect(await doctored(open(), 'doctor')).toEqual([])
    expect(dump(store)).toEqual(before)
  })

  test('in what no transcript gives back is named, and the rest of it stays', async () => {
    const { store, open } = await laid()
    const rows = query(store, 'SELECT count(*) AS n FROM event')
    change(store, placeOf(store, `${GONE} turn 4: words`), flipped)
    const told = await doctored(open(), 'repair')
    expect(told.find(({ id, message }) => id === 'altered' && message.includes(GONE))).toBeDefined()
    expect(query(store, 'SELECT count(*) AS n FROM event')).toEqual(rows)
    expect(ids(await doctored(open(), 'doctor'))).toEqual([])
  })

  test('in a pack: no wrong byte is given, and it is said; a transcript gives it back', async () => {
    const { env, store, open } = await laid()
    const id = IDS[5] ?? ''
    const messages = () => recallJson(env, 'show', id)['messages']
    const before = messages()
    const [chunk] = query(
      store,
      `SELECT c.* FROM chunk c JOIN session s ON s.id = c.session WHERE s.uid = 'claude:${id}'`,
    )
    const pack = path.join(path.dirname(store), 'blobs', `${String(chunk?.['pack']).padStart(6, '0')}.pack`)
    change(pack, Number(chunk?.['offset']) + 9, flipped)
    const show = recallCli(env, 'show', id, '--json')
    expect(show.err).toContain(`payloads of claude:${id} #`)
    const [event] = query(
      store,
      `SELECT l.base + e.pos AS seq FROM event e JOIN lane l ON l.id = e.lane WHERE e.chunk = ${chunk?.['id']}`,
    )
    const payload = recallCli(env, 'show', `blob://claude:${id}/${event?.['seq']}`)
    expect([payload.code, payload.out]).toEqual([4, ''])
    expect(ids(await doctored(open(), 'doctor', false))).toEqual([])
    const found = await doctored(open(), 'doctor')
    expect(found).toMatchObject([{ id: 'chunk', sessions: [`claude:${id}`] }])
    expect(recallCli(env, 'doctor', '--repair').code).toBe(0)
    expect(messages()).toEqual(before)
    expect(recallCli(env, 'show', id, '--json').err).toBe('')
  })

  test('in the payloads of a session whose transcript is gone is named as lost', async () => {
    const { store, open } = await laid()
    const [chunk] = query(
      store,
      `SELECT c.* FROM chunk c JOIN session s ON s.id = c.session WHERE s.uid = 'claude:${GONE}'`,
    )
    change(
      path.join(path.dirname(store), 'blobs', `${String(chunk?.['pack']).padStart(6, '0')}.pack`),
      Number(chunk?.['offset']) + 9,
      flipped,
    )
    const told = await doctored(open(), 'repair')
    expect(told.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(`^lost: \\d+ payloads? of claude:${GONE}$`),
    )
    expect(ids(await doctored(open(), 'doctor'))).toEqual([])
  })

  test('in any byte of the header is told as damage by every command, and comes back from a copy', async () => {
    const { env, store, open } = await laid()
    const sound = readFileSync(store)
    for (let at = 0; at < 100; at += 1) {
      const bytes = Buffer.from(sound)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(store, bytes)
      await expect(open().list({ limit: 0 })).rejects.toMatchObject({ code: 'STORE_BROKEN' })
    }
    expect(recallCli(env, 'list').code).toBe(4)
    expect(recallCli(env, 'index').code).toBe(4)
    const told = await doctored(open(), 'repair')
    expect(told.map(({ id }) => id)).toEqual(['healed'])
    expect(readFileSync(store).equals(sound)).toBe(true)
    writeFileSync(store, Buffer.concat([Buffer.from('X'), sound.subarray(1)]))
    expect(recallCli(env, 'index', '--recreate').code).toBe(0)
    expect(query(store, `SELECT uid FROM session WHERE uid = 'claude:${GONE}'`)).toHaveLength(1)
  })

  test('in the checksums themselves accuses nobody', async () => {
    const { env, store, open } = await laid()
    change(`${store}-sums`, 700, flipped)
    expect(recallCli(env, 'list')).toMatchObject({ code: 0, err: '' })
    expect(ids(await doctored(open(), 'doctor'))).toEqual(['checksums'])
    const recall = open()
    await recall.index()
    await recall.close()
    expect(await doctored(open(), 'doctor')).toEqual([])
  })
})

describe('a page that cannot be read', () => {
  const tables = [
    'event',
    'session',
    'lane',
    'digests',
    'ledger',
    'chunk',
    'event_place',
    'exchange_fts_data',
    'sqlite_schema',
  ]

  test.each(tables)('of `%s` loses what stood on it, and nothing else', async (table) => {
    const { store, env, open } = await laid()
    const before = dump(store)
    const [page] = pagesOf(store, table).slice(-1)
    change(store, ((page ?? 1) - 1) * PAGE, () => Buffer.alloc(PAGE, 0x41), PAGE)
    expect(recallCli(env, 'list').code).not.toBe(70)
    const found = await doctored(open(), 'doctor')
    expect(ids(found)).not.toEqual([])
    expect(found.map(({ message }) => message)).toEqual([...new Set(found.map(({ message }) => message))])
    await doctored(open(), 'repair')
    expect(ids(await doctored(open(), 'doctor'))).toEqual([])
    const after = dump(store)
    const kept = (events: readonly object[]) => events.filter((one) => 'uid' in one && one.uid !== `claude:${GONE}`)
    expect(kept(after.events)).toEqual(kept(before.events))
    expect(kept(after.sessions)).toEqual(kept(before.sessions))
  })

  test('in the middle of the rows of a session without its transcript leaves the others', async () => {
    const { store, env, open } = await laid()
    const recall = open()
    await recall.close()
    const rows = `SELECT count(*) AS n FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session WHERE s.uid = 'claude:${GONE}'`
    const before = Number(query(store, rows)[0]?.['n'])
    const at = placeOf(store, `${GONE} turn 4: words`)
    change(store, Math.floor(at / PAGE) * PAGE, () => Buffer.alloc(PAGE, 0), PAGE)
    const run = recallCli(env, 'index', '--recreate')
    expect(run.code).toBe(0)
    expect(run.err).toMatch(/up to \d+ rows of `event` could not be read/)
    const after = Number(query(store, rows)[0]?.['n'])
    expect(after).toBeGreaterThan(before / 2)
    expect(after).toBeLessThan(before)
    expect(query(store, 'SELECT count(*) AS n FROM digests')).toEqual([{ n: 12 }])
  })
})

describe('nobody is accused who is innocent', () => {
  test('when a writer was killed with a log left behind', async () => {
    const { home, store, open } = await laid()
    const writer = new DatabaseSync(store)
    writer.exec(`PRAGMA wal_autocheckpoint = 0; UPDATE session SET task_ref = 'in the log'`)
    const left = path.join(tempDir(), 'recall', 'recall.db')
    cpSync(path.dirname(store), path.dirname(left), { recursive: true })
    writer.close()
    expect(statSync(`${left}-wal`).size).toBeGreaterThan(PAGE)
    const { recall } = productOn(home, left)
    expect(ids(await doctored(recall, 'doctor'))).toEqual([])
    await recall.index()
    await recall.close()
    expect(await doctored(recall, 'doctor')).toEqual([])
    await open().close()
  })

  test('when a reader keeps the log from being emptied', async () => {
    const { home, store, open } = await laid()
    const reader = new DatabaseSync(store, { readOnly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM session').get()
    write(transcriptPath(home, uuid('another')), log(uuid('another')))
    const recall = open()
    await recall.index()
    await recall.close()
    expect(ids(await doctored(open(), 'doctor'))).toEqual([])
    reader.close()
    expect(ids(await doctored(open(), 'doctor'))).toEqual([])
    await recall.index()
    await recall.close()
    expect(await doctored(open(), 'doctor')).toEqual([])
  })

  test('when the last thing a writer does fails', async () => {
    const { store, open } = await laid()
    const writer = await openForWriting(store, () => NOW)
    const other = new DatabaseSync(store)
    other.exec(`CREATE TRIGGER full BEFORE DELETE ON stale_rollup BEGIN SELECT RAISE(ABORT, 'no room'); END;
      INSERT INTO stale_rollup SELECT id FROM session`)
    other.close()
    await expect(writer.close()).rejects.toThrow('no room')
    expect(statSync(`${store}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
    expect(ids(await doctored(open(), 'doctor'))).not.toContain('integrity')
  })

  test('when another program has written to the database by the book', async () => {
    const { env, store, open } = await laid()
    rmSync(`${store}-shm`, { force: true })
    const copy = path.join(tempDir(), 'recall.db')
    cpSync(store, copy)
    const writer = new DatabaseSync(copy)
    writer.exec('CREATE TABLE theirs (x); VACUUM')
    writer.close()
    cpSync(copy, store)
    expect(recallCli(env, 'list')).toMatchObject({ code: 0, err: '' })
    const found = await doctored(open(), 'doctor')
    expect(found).toMatchObject([{ id: 'checksums', level: 'info' }])
    expect(ids(await doctored(open(), 'repair'))).toEqual([])
    const recall = open()
    await recall.index()
    await recall.close()
    expect(await doctored(open(), 'doctor')).toEqual([])
    expect(query(store, 'SELECT * FROM theirs')).toEqual([])
  })

  test('in a store of an older program, whose chunks get checksums with the next index', async () => {
    const { store, open } = await laid()
    rmSync(`${store}-sums`)
    const writer = new DatabaseSync(store)
    writer.exec('UPDATE chunk SET crc = NULL; PRAGMA wal_checkpoint(TRUNCATE)')
    writer.close()
    expect(await doctored(open(), 'doctor')).toMatchObject([{ id: 'checksums', level: 'info' }])
    const recall = open()
    await recall.index()
    await recall.close()
    expect(query(store, 'SELECT 1 FROM chunk WHERE crc IS NULL')).toEqual([])
    expect(await doctored(open(), 'doctor')).toEqual([])
  })
})

function pagesOf(store: string, table: string): number[] {
  return query(store, `SELECT pageno FROM dbstat WHERE name = '${table}' AND pagetype = 'leaf' ORDER BY pageno`).map(
    (row) => Number(row['pageno']),
  )
}
