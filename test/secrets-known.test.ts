import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'
import { maker } from './kit/secrets.ts'
import { createKnownSecrets } from '../src/ingest/known-secrets.ts'
import { knownSecretsKey } from '../src/ingest/known-secrets-key.ts'
import { foundIn } from './kit/stored-bytes.ts'

const { alnum, password } = maker(909)
const ID = uuid('once known')
const secret = alnum(20)
const other = `${password()}${alnum(4)}`
/** All that gives the values away. */
const tells = `DB_PASSWORD=${secret}\nADMIN_PASSWORD="${other}"\n`
/** Where nothing gives them away. */
const silent = (log: ClaudeLog): ClaudeLog =>
  log
    .user(`try ${secret} first, then ${other} please`)
    .think(`maybe ${secret} is meant`)
    .say(`I will use ${secret} and ${other}.`)
    .call('q1', 'Write', { file_path: `/tmp/${secret}/x.txt`, content: `first line\n${other}\n` })
    .result('q1', `wrote ${'some words '.repeat(300)} ${secret}`)
    .call('q2', 'Bash', { command: `login-tool sam ${secret}` })
    .result('q2', `Exit code 1\nno such user ${secret}`, { is_error: true })
const telling = (log: ClaudeLog): ClaudeLog => log.call('t1', 'Bash', { command: 'cat .env' }).result('t1', tells)

/** A home and a store, and time that moves on. */
function bench() {
  const home = tempDir()
  const store = path.join(tempDir(), 'recall.db')
  let now = NOW
  const run = async (work: 'index' | 'sweep' = 'index', settings = {}) => {
    const { recall } = productOn(home, store, settings, () => (now += 1000))
    await (work === 'index' ? recall.index() : recall.sweep())
    await recall.close()
  }
  return { home, store, run, file: transcriptPath(home, ID) }
}

async function expectGone(store: string, secrets = [secret, other]): Promise<void> {
  expect(foundIn(store, secrets)).toEqual([])
  for (const { summary } of query(store, 'SELECT summary FROM event WHERE summary IS NOT NULL')) {
    expect(summary).not.toContain(secret)
  }
  const { recall } = productOn(tempDir(), store)
  for (const value of secrets) {
    const { hits } = await recall.search({ text: `"${value}"`, filter: { limit: 5 }, now: NOW })
    expect(hits).toEqual([])
  }
  expect((await recall.doctor({ secrets: true })).filter(({ id }) => id === 'secret')).toEqual([])
  await recall.close()
}

describe('a value recognised once is gone from all of its session', () => {
  test('before and after it, in words, thoughts, arguments, payloads and names', async () => {
    const { store, run, file } = bench()
    const log = telling(silent(new ClaudeLog(ID)))
    write(
      file,
      silent(log)
        .bare({ type: 'summary', summary: `about ${secret}`, leafUuid: uuid(`${ID}::0`) })
        .text(),
    )
    await run()
    await expectGone(store)
    const [{ text } = { text: '' }] = query(store, "SELECT text FROM event WHERE text LIKE 'try %' LIMIT 1")
    expect(text).toBe('try [REDACTED:known-secret] first, then [REDACTED:known-secret] please')
  })

  test('if it is recognised only when the transcript has grown', async () => {
    const { store, run, file } = bench()
    const log = silent(new ClaudeLog(ID))
    write(file, log.text())
    await run()
    expect(foundIn(store, [secret])).not.toEqual([])
    const before = log.text().length
    appendFileSync(file, telling(log).text().slice(before))
    await run()
    await expectGone(store)
  })

  test('if it was recognised in an earlier run', async () => {
    const { store, run, file } = bench()
    const log = telling(new ClaudeLog(ID).user('go'))
    write(file, log.text())
    await run()
    const before = log.text().length
    appendFileSync(file, silent(log).text().slice(before))
    await run()
    await expectGone(store)
  })

  test('in what a subagent said, whichever of the two files tells, and in whichever run', async () => {
    for (const order of ['main tells', 'agent tells', 'agent tells later']) {
      const { home, store, run, file } = bench()
      const agent = new ClaudeLog(ID, { agentId: 'a1', isSidechain: true })
      const main = new ClaudeLog(ID).user('go').call('k1', 'Task', { prompt: 'look' })
      const place = subagentPath(home, ID, 'a1')
      write(file, (order === 'main tells' ? telling(main) : silent(main)).text())
      if (order === 'agent tells later') await run()
      write(place, (order === 'main tells' ? silent(agent.user('look')) : telling(agent.user('look'))).text())
      await run()
      await expectGone(store)
    }
  })

  test('in its digest, its signals and its title', async () => {
    const { store, run, file } = bench()
    const log = silent(new ClaudeLog(ID))
    write(file, log.text())
    await run('sweep')
    const before = log.text().length
    appendFileSync(file, telling(log).text().slice(before))
    await run('sweep')
    await expectGone(store)
  })

  test('in what is left of an evicted session', async () => {
    const { store, run, file } = bench()
    const log = silent(new ClaudeLog(ID))
    write(file, log.text())
    await run('sweep', { rawSoftCapBytes: 0, rawHardCapBytes: 10 })
    expect(query(store, 'SELECT count(*) AS n FROM session WHERE evicted_at IS NOT NULL')).toEqual([{ n: 1 }])
    const before = log.text().length
    appendFileSync(file, telling(log).text().slice(before))
    await run('index')
    await expectGone(store)
  })

  test('in its fork, and in what it was forked from', async () => {
    for (const tellsFirst of [true, false]) {
      const { home, store, run, file } = bench()
      const fork = uuid('once known, forked')
      const main = silent(new ClaudeLog(ID))
      const copied = main.records.map((record) => ({ ...record, sessionId: fork }))
      const more = new ClaudeLog(fork, {}, Date.parse('2026-10-02T09:00:00Z')).user('go on')
      if (!tellsFirst) telling(more)
      write(transcriptPath(home, fork), [...copied, ...more.records].map((one) => `${JSON.stringify(one)}\n`).join(''))
      write(file, main.text())
      await run()
      if (tellsFirst) {
        appendFileSync(file, telling(main).text().slice(readFileSync(file, 'utf8').length))
        await run()
      }
      await expectGone(store)
    }
  })

  test('and from no other session', async () => {
    const { home, store, run, file } = bench()
    write(file, telling(new ClaudeLog(ID).user('go')).text())
    const stranger = uuid('another')
    write(transcriptPath(home, stranger), new ClaudeLog(stranger).user(`the word is ${secret} here`).text())
    await run()
    expect(foundIn(store, [secret])).not.toEqual([])
    expect(foundIn(store, [other])).toEqual([])
  })
})

test('no value is kept in the clear, and forgetting a session forgets what was known of it', async () => {
  const { store, home, run, file } = bench()
  write(file, telling(new ClaudeLog(ID).user('go')).text())
  await run()
  const kept = () => query(store, "SELECT key, value FROM meta WHERE key LIKE 'known-secrets%'")
  expect(kept()).toHaveLength(1)
  expect(JSON.stringify(kept())).not.toContain(secret)
  const { recall } = productOn(home, store)
  await recall.forget([await recall.find(`claude:${ID}`)])
  await recall.close()
  expect(kept()).toEqual([])
})

test('what an interrupted run owes is paid by the next one', async () => {
  const { store, run, file } = bench()
  write(file, silent(new ClaudeLog(ID)).text())
  await run()
  const known = createKnownSecrets(knownSecretsKey(store))
  for (const value of [secret, other]) known.learn('any', value)
  const db = new DatabaseSync(store)
  db.prepare('INSERT INTO meta VALUES (?, ?)').run(
    `known-secrets:claude:${ID}`,
    JSON.stringify({ owed: true, state: known.state() }),
  )
  db.close()
  const { recall } = productOn(tempDir(), store)
  expect((await recall.doctor({ secrets: true })).map(({ message }) => message).join()).toContain('known-secret')
  await recall.close()
  await run()
  await expectGone(store)
})

test('what is known outlives a store made anew', async () => {
  const { home, store, run, file } = bench()
  const log = telling(new ClaudeLog(ID).user('go'))
  write(file, log.text())
  await run()
  const { recall } = productOn(home, store)
  await recall.index({ recreate: true })
  await recall.close()
  const before = log.text().length
  appendFileSync(file, silent(log).text().slice(before))
  await run()
  await expectGone(store)
})
