import { rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openForReading } from '../src/store/open.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { query } from './kit/dump.ts'
import { tempDir } from './kit/home.ts'
import { writeConfig } from './kit/config.ts'

interface Listed {
  readonly session_uid: string
  readonly title: string | null
  readonly tags: readonly string[]
}

function openHome() {
  const home = tempDir()
  const env = cleanEnv(home)
  const store = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')
  const uid = `claude:${uuid('badger')}`
  const file = transcriptPath(home, uuid('badger'))
  const log = new ClaudeLog(uuid('badger')).user('why do badgers dig').say('they like it')
  write(file, log.text())
  write(transcriptPath(home, uuid('otter')), new ClaudeLog(uuid('otter')).user('otters swim').say('yes').text())
  const run = (...args: string[]) => {
    const done = recallCli(env, ...args)
    if (done.code !== 0) throw new Error(`recall ${args.join(' ')}: exit ${done.code}: ${done.err}`)
    return done.out
  }
  run('index')
  const list = (...args: string[]) => recallJson(env, 'list', '--all', ...args)['sessions'] as Listed[]
  const badger = () => list().find(({ session_uid }) => session_uid === uid)
  return { home, env, store, uid, file, run, list, badger }
}

test('tags are listed, filtered by in list and in search, and taken off', () => {
  const { uid, run, list, env, badger } = openHome()
  expect(recallJson(env, 'tag', uid, 'zoo', 'auth', 'zoo')).toMatchObject({ session_uid: uid, tags: ['auth', 'zoo'] })
  expect(list('--tag', 'ZOO').map(({ session_uid }) => session_uid)).toEqual([uid])
  expect(recallJson(env, 'search', 'badgers tag:zoo')['hits']).toHaveLength(1)
  expect(recallJson(env, 'search', 'otters tag:zoo')['hits']).toHaveLength(0)
  run('untag', uid, 'zoo', 'never-there')
  expect(badger()?.tags).toEqual(['auth'])
  expect(list('--tag', 'zoo')).toEqual([])
})

test('a bookmark is a tag that also keeps the raw text', () => {
  const { uid, run, list, store } = openHome()
  run('bookmark', uid)
  expect(list('--tag', 'bookmark').map(({ session_uid }) => session_uid)).toEqual([uid])
  const reading = openForReading(store, Date.now)
  return reading.keeping.holdings().then(async (holdings) => {
    expect(holdings.filter(({ pinned }) => pinned).map((held) => held.uid)).toEqual([uid])
    await reading.close()
    run('bookmark', uid, '--remove')
    expect(list('--tag', 'bookmark')).toEqual([])
  })
})

test('a title of a person stands before any other, is found, and can be taken back', () => {
  const { uid, env, run, badger } = openHome()
  const before = badger()?.title
  run('title', uid, 'setts', 'and', 'stripes')
  expect(badger()?.title).toBe('setts and stripes')
  const hits = recallJson(env, 'search', 'stripes')['hits'] as { session: Listed }[]
  expect(hits.map(({ session }) => session.session_uid)).toEqual([uid])
  run('title', uid, '--remove')
  expect(badger()?.title).toBe(before)
  expect(recallJson(env, 'search', 'stripes')['hits']).toEqual([])
})

describe('what a person said stays', () => {
  const said = (home: ReturnType<typeof openHome>) => {
    home.run('tag', home.uid, 'zoo')
    home.run('title', home.uid, 'setts and stripes')
  }
  const stands = { title: 'setts and stripes', tags: ['zoo'] }

  test('when the session grows, is read again whole, and the store is made anew', () => {
    const home = openHome()
    said(home)
    write(home.file, new ClaudeLog(uuid('badger')).user('why do badgers dig').say('they do').user('still?').text())
    home.run('index')
    expect(home.badger()).toMatchObject(stands)
    home.run('index', '--full')
    expect(home.badger()).toMatchObject(stands)
    home.run('index', '--recreate')
    expect(home.badger()).toMatchObject(stands)
    rmSync(home.file)
    home.run('index', '--recreate')
    expect(home.badger()).toMatchObject(stands)
  })

  test('when its raw text goes; then the title can still be given and taken back', () => {
    const home = openHome()
    said(home)
    const before = 'why do badgers dig'
    writeConfig(home.env, '[session_memory.retention]\nraw_soft_cap_bytes = 1\nraw_hard_cap_bytes = 2\n')
    home.run('analyze', '--all')
    home.run('sweep')
    expect(query(home.store, 'SELECT uid FROM session WHERE evicted_at IS NULL')).toEqual([])
    expect(home.badger()).toMatchObject(stands)
    home.run('title', home.uid, '--remove')
    expect(home.badger()?.title).toBe(before)
    home.run('title', home.uid, 'stripes')
    home.run('index', '--recreate')
    expect(home.badger()).toMatchObject({ title: 'stripes', tags: ['zoo'] })
    home.run('title', home.uid, '--remove')
    expect(home.badger()?.title).toBe(before)
  })

  test('until it is forgotten', () => {
    const home = openHome()
    said(home)
    home.run('untag', home.uid, 'zoo')
    home.run('forget', home.uid, '--yes')
    for (const table of ['tag', 'untagged', 'own_title'])
      expect(query(home.store, `SELECT * FROM ${table}`), table).toEqual([])
  })
})

test('each change is one of the feed, and saying the same again is none', async () => {
  const { uid, run, store } = openHome()
  const reading = openForReading(store, Date.now)
  let seq = (await reading.changesSince(0, 100)).last
  const news = async () => {
    const { changes, last } = await reading.changesSince(seq, 100)
    seq = last
    return changes.filter((change) => change.uid === uid).map(({ kind }) => kind)
  }
  for (const [args, told] of [
    [['tag', uid, 'zoo'], ['tagged']],
    [['tag', uid, 'zoo'], []],
    [['title', uid, 'stripes'], ['tagged']],
    [['title', uid, 'stripes'], []],
    [['untag', uid, 'zoo'], ['tagged']],
    [['title', uid, '--remove'], ['tagged']],
  ] as const) {
    run(...args)
    expect(await news(), args.join(' ')).toEqual(told)
  }
  await reading.close()
})

test('a secret in a tag or a title is not stored', () => {
  const { uid, run, store } = openHome()
  const secret = `ghp_${'a1B2'.repeat(9)}`
  run('title', uid, `deploy with ${secret}`)
  run('tag', uid, secret)
  expect(JSON.stringify(query(store, 'SELECT title FROM own_title'))).not.toContain(secret)
  expect(JSON.stringify(query(store, 'SELECT tag FROM tag'))).not.toContain(secret)
})

test.each([
  [['tag', 'last', 'a'.repeat(65)], 'at most 64'],
  [['tag', 'last', 'a\u0007b'], 'one word'],
  [['tag', 'last', '  '], 'recall tag'],
  [['title', 'last'], '--remove'],
  [['title', 'last', 'x', '--remove'], '--remove'],
  [['tag', 'last'], 'tag'],
])('what cannot be said is a usage error: %j', (args, hint) => {
  const { env } = openHome()
  const { code, err } = recallCli(env, ...args)
  expect([code, err]).toEqual([2, expect.stringContaining(hint)])
})
