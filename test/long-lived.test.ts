import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

test('a process that stays open answers as a new one would, whatever others write meanwhile', async () => {
  const home = tempDir()
  const lay = (name: string) =>
    write(transcriptPath(home, uuid(name)), new ClaudeLog(uuid(name)).user(`about ${name}`).say('ok').text())
  lay('badgers')
  const first = productOn(home)
  await first.recall.index()
  const ask = (text: string) => first.recall.search({ text, filter: { limit: 5 }, now: NOW })
  expect((await ask('badgers')).hits).toHaveLength(1)
  for (let n = 0; n < 40; n++) lay(`otter${n}`)
  const other = productOn(home, first.store).recall
  await other.index()
  expect((await first.recall.list({ limit: 0 })).total).toBe(41)
  expect((await ask('otter7')).hits).toHaveLength(1)
  await other.forget([await other.find(`claude:${uuid('badgers')}`)])
  await other.close()
  expect((await ask('badgers')).hits).toEqual([])
  expect((await first.recall.list({ limit: 0 })).total).toBe(40)
  expect((await first.recall.status()).sources.find(({ source }) => source === 'claude')?.totals.sessions).toBe(40)
})
