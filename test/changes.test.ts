import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openForReading } from '../src/store/open.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, startCli } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

function openHome() {
  const home = tempDir()
  const env = cleanEnv(home)
  const file = path.join(env['XDG_DATA_HOME'] ?? '', 'recall', 'recall.db')
  const log = (name: string) => new ClaudeLog(uuid(name)).user(`about ${name}`).say('ok')
  const lay = (name: string) => write(transcriptPath(home, uuid(name)), log(name).text())
  const run = (...args: string[]) => {
    const { code, err } = recallCli(env, ...args)
    if (code !== 0) throw new Error(`recall ${args.join(' ')}: exit ${code}: ${err}`)
  }
  return { home, env, file, lay, run }
}

/** What is new to somebody who asks again and again, by the names of sessions. */
function follow(file: string, names: readonly string[]) {
  const byUid = new Map(names.map((name) => [`claude:${uuid(name)}`, name]))
  let store = openForReading(file, Date.now)
  let seq = 0
  return {
    async news(): Promise<string[]> {
      const { changes, last } = await store.changesSince(seq, 1000)
      seq = last
      return changes.map(({ uid, kind }) => `${byUid.get(uid) ?? uid} ${kind}`)
    },
    async reopen() {
      await store.close()
      store = openForReading(file, Date.now)
    },
  }
}

test('a process that stays open hears what others do, and of nothing when they do nothing', async () => {
  const { env, file, lay, run } = openHome()
  const badgers = lay('badgers')
  run('index')
  const feed = follow(file, ['badgers', 'otters'])
  expect(await feed.news()).toEqual(['badgers grown'])
  run('index')
  expect(await feed.news()).toEqual([])
  lay('otters')
  appendFileSync(badgers, new ClaudeLog(uuid('badgers')).user('and setts?').text())
  run('index')
  expect((await feed.news()).sort()).toEqual(['badgers grown', 'otters grown'])
  run('analyze', '--all')
  expect((await feed.news()).sort()).toEqual(['badgers analysed', 'otters analysed'])
  run('pin', `claude:${uuid('badgers')}`)
  expect(await feed.news()).toEqual(['badgers tagged'])
  const config = path.join(env['XDG_CONFIG_HOME'] ?? '', 'recall')
  mkdirSync(config, { recursive: true })
  writeFileSync(
    path.join(config, 'config.toml'),
    '[session_memory.retention]\nraw_soft_cap_bytes = 1\nraw_hard_cap_bytes = 2\n',
  )
  run('sweep')
  expect((await feed.news()).filter((news) => news.startsWith('otters'))).toEqual(['otters evicted'])
  run('sweep')
  run('index')
  expect(await feed.news()).toEqual([])
  run('forget', `claude:${uuid('otters')}`, '--yes')
  expect(await feed.news()).toEqual(['otters forgotten'])
})

test('a store that is made anew goes on counting, and still knows what was evicted and forgotten', async () => {
  const { file, lay, run } = openHome()
  for (const name of ['badgers', 'otters', 'stoats']) lay(name)
  run('index')
  run('forget', `claude:${uuid('otters')}`, '--yes')
  run('pin', `claude:${uuid('badgers')}`)
  rmSync(lay('stoats'))
  const feed = follow(file, ['badgers', 'otters', 'stoats'])
  expect((await feed.news()).sort()).toEqual(['badgers grown', 'badgers tagged', 'otters forgotten', 'stoats grown'])
  run('index', '--recreate')
  await feed.reopen()
  expect((await feed.news()).sort()).toEqual(['badgers grown', 'stoats grown'])
  const anew = follow(file, ['badgers', 'otters', 'stoats'])
  expect((await anew.news()).sort()).toEqual(['badgers grown', 'badgers tagged', 'otters forgotten', 'stoats grown'])
})

test('while another process writes, no change is missed and none comes before its words', async () => {
  const { env, file, lay, run } = openHome()
  lay('first')
  run('index')
  const names = Array.from({ length: 60 }, (_, n) => `session${n}`)
  names.forEach(lay)
  const store = openForReading(file, Date.now)
  const seen = new Set<string>()
  let seq = 0
  const look = async () => {
    const { changes, last } = await store.changesSince(seq, 7)
    seq = last
    for (const { uid } of changes) {
      const found = await store.resolve(uid)
      expect(found.found).toBe('one')
      if (found.found === 'one') expect((await store.events(found.id, { sidechains: true })).length).toBeGreaterThan(1)
      seen.add(uid)
    }
    return changes.length
  }
  const child = startCli(env, 'index')
  while (child.exitCode === null) if ((await look()) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  while ((await look()) > 0);
  expect(seen.size).toBe(names.length + 1)
  await store.close()
})
