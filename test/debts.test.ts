import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { Debts } from '../src/retention/debts.ts'
import { KEEP_TAG } from '../src/store/keeping.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

const [KEPT, GONE, FORGOTTEN] = ['kept', 'gone', 'forgotten'].map((name) => uuid(`debt ${name}`)) as [
  string,
  string,
  string,
]

const log = (id: string) =>
  new ClaudeLog(id).user(`the words of ${id}`).call('c', 'Bash', { command: 'ls' }).result('c', 'a\nb').say('Yes.')

/** A store with a session, one whose transcript is gone, and one that was forgotten. */
async function laid() {
  const home = tempDir()
  for (const id of [KEPT, GONE, FORGOTTEN]) write(transcriptPath(home, id), log(id).text())
  const store = path.join(home, 'data', 'recall.db')
  let now = NOW
  const open = () => productOn(home, store, {}, () => (now += 1000)).recall
  const recall = open()
  await recall.sweep()
  await recall.analyze({ all: true })
  await recall.describe(await recall.find(`claude:${GONE}`), { tag: KEEP_TAG, on: true })
  rmSync(transcriptPath(home, GONE))
  await recall.index()
  await recall.forget([await recall.find(`claude:${FORGOTTEN}`)])
  await recall.close()
  return { home, store, open }
}

function whatIsKept(store: string) {
  return {
    sessions: query(store, 'SELECT uid, prompt_count FROM session ORDER BY uid'),
    digests: query(store, 'SELECT session_uid, json FROM digests ORDER BY session_uid'),
    tombstones: query(store, 'SELECT uid FROM tombstone'),
    tags: query(store, 'SELECT * FROM tag'),
  }
}

/** True if words stand anywhere below a directory. */
function standsIn(dir: string, words: string): boolean {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.some((entry) => readFileSync(path.join(entry.parentPath, entry.name)).includes(words))
}

describe('an interrupted --recreate', () => {
  const interruptions: Readonly<Record<string, (store: string, backup: string) => boolean>> = {
    'before anything was moved': () => false,
    'when only the packs were': (store, backup) => {
      mkdirSync(path.dirname(backup), { recursive: true })
      renameSync(path.join(path.dirname(store), 'blobs'), path.join(path.dirname(backup), 'blobs'))
      return false
    },
    'when the old store was aside and no new one made': (store, backup) => {
      mkdirSync(path.dirname(backup), { recursive: true })
      renameSync(path.join(path.dirname(store), 'blobs'), path.join(path.dirname(backup), 'blobs'))
      for (const end of ['-wal', '-shm', '']) if (existsSync(store + end)) renameSync(store + end, backup + end)
      return true
    },
    'with a new store half made': (store, backup) => {
      interruptions['when the old store was aside and no new one made']?.(store, backup)
      writeFileSync(store, 'half a store')
      return true
    },
  }

  test.each(Object.keys(interruptions))('%s: the next command goes on from the old store', async (when) => {
    const { store, open } = await laid()
    const before = whatIsKept(store)
    const debts = new Debts(path.join(path.dirname(store), 'debts'))
    const backup = path.join(path.dirname(store), 'backups', 'x', 'recall.db')
    const aside = interruptions[when]?.(store, backup) ?? false
    debts.owe({ kind: 'recreate', since: NOW, backup, aside })
    const recall = open()
    expect(recall.debts()).toHaveLength(1)
    expect((await recall.doctor()).map(({ id }) => id)).toContain('owed')
    await recall.close()
    await recall.note('anything that writes')
    await recall.index()
    await recall.close()
    expect(recall.debts()).toEqual([])
    expect(whatIsKept(store)).toEqual(before)
  })

  test('an old store that cannot be read now is not given up, and drafts of debts go', async () => {
    const { store, open } = await laid()
    const before = whatIsKept(store)
    const debts = path.join(path.dirname(store), 'debts')
    const backup = path.join(path.dirname(store), 'backups', 'x', 'recall.db')
    interruptions['when the old store was aside and no new one made']?.(store, backup)
    new Debts(debts).owe({ kind: 'recreate', since: NOW, backup, aside: true })
    writeFileSync(path.join(debts, '1-forget.json.tmp'), '{"kind"')
    renameSync(backup, `${backup}-away`)
    mkdirSync(backup)
    const recall = open()
    await expect(recall.index()).rejects.toMatchObject({ code: 'STORE_IO' })
    expect(recall.debts()).toHaveLength(1)
    rmSync(backup, { recursive: true })
    renameSync(`${backup}-away`, backup)
    await recall.index()
    await recall.close()
    expect(whatIsKept(store)).toEqual(before)
    expect(readdirSync(debts)).toEqual([])
  })

  test('without a store says how to go on', async () => {
    const { store, open } = await laid()
    const backup = path.join(path.dirname(store), 'backups', 'x', 'recall.db')
    interruptions['when the old store was aside and no new one made']?.(store, backup)
    new Debts(path.join(path.dirname(store), 'debts')).owe({ kind: 'recreate', since: NOW, backup, aside: true })
    await expect(open().list({ limit: 0 })).rejects.toThrow('was being made anew')
  })
})

test('an interrupted forget is finished: hub, backups, queue and journals', async () => {
  const { home, store, open } = await laid()
  const dir = path.dirname(store)
  const recall = open()
  await recall.index({ recreate: true })
  await recall.activity.recordSessions()
  const words = `the words of ${KEPT}`
  expect(standsIn(path.join(dir, 'hub'), words)).toBe(true)
  expect(standsIn(path.join(dir, 'backups'), words)).toBe(true)
  new Debts(path.join(dir, 'debts')).owe({ kind: 'forget', since: NOW, uids: [`claude:${KEPT}`] })
  await recall.close()
  await recall.index()
  await recall.close()
  expect(recall.debts()).toEqual([])
  expect(query(store, 'SELECT uid FROM tombstone ORDER BY uid').length).toBe(2)
  expect(standsIn(dir, words)).toBe(false)
  expect(standsIn(path.join(dir, 'time-metrics'), KEPT)).toBe(false)
  appendFileSync(transcriptPath(home, KEPT), '\n')
  await recall.index()
  await recall.close()
  expect(standsIn(dir, words)).toBe(false)
})

test('an index that recreates is undisturbed by what it carries over twice', async () => {
  const { store, open } = await laid()
  const before = whatIsKept(store)
  const recall = open()
  await recall.index({ recreate: true })
  await recall.index({ recreate: true })
  await recall.close()
  expect(whatIsKept(store)).toEqual(before)
})

test('what the hub cannot be told is not kept either, and is told when it is kept', async () => {
  const { store, open } = await laid()
  const hub = path.join(path.dirname(store), 'hub')
  renameSync(hub, `${hub}-away`)
  writeFileSync(hub, '')
  const recall = open()
  const session = await recall.find(`claude:${KEPT}`)
  await expect(recall.decide(session, 'we go on')).rejects.toMatchObject({ code: 'STORE_IO' })
  expect(query(store, "SELECT 1 FROM event WHERE kind = 'decision'")).toEqual([])
  rmSync(hub)
  renameSync(`${hub}-away`, hub)
  const seq = await recall.decide(session, 'we go on')
  const told = readFileSync(path.join(hub, 'decisions.jsonl'), 'utf8').trim().split('\n')
  expect(told.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ seq, text: 'we go on' }])
  await recall.close()
})

test('an index that was interrupted when all was read is finished by the next one', async () => {
  const { store, open } = await laid()
  const db = new DatabaseSync(store)
  db.exec("DELETE FROM meta WHERE key = 'last_index'; INSERT INTO meta VALUES ('unfinished', '1')")
  db.close()
  const recall = open()
  expect((await recall.index()).files.parsed).toBe(0)
  await recall.close()
  expect(query(store, "SELECT key FROM meta WHERE key IN ('last_index', 'unfinished')")).toEqual([
    { key: 'last_index' },
  ])
})
