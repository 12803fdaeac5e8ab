import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Recall } from '../src/recall.ts'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write, type LogRecord } from './kit/claude-log.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-10-01T09:00:00Z')
const [A = '', B = '', C = ''] = ['a', 'b', 'c'].map((name) => uuid(`fork ${name}`)).sort()

const lines = (records: readonly LogRecord[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const own = (session: string, hours: number, words: string) =>
  new ClaudeLog(session, {}, START + hours * HOUR).user(words).say(`${words}: done`).records
const copied = (records: readonly LogRecord[], session: string) =>
  records.map((record) => ({ ...record, sessionId: session }))
const bill = (session: string, input: number): LogRecord => ({
  type: 'cost-state',
  sessionId: session,
  startTime: START,
  modelUsage: {
    'claude-test-1': { inputTokens: input, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
  },
})

/** A session, its fork and the fork of that, whichever id is the smallest. */
function family(ids: readonly [string, string, string]) {
  const [first, second, third] = ids
  const one = own(first, 0, 'plan the bridge')
  const two = [...copied(one, second), ...own(second, 1, 'of stone')]
  const three = [...copied(two, third), ...own(third, 2, 'with lamps')]
  return { one, two, three }
}

async function told(recall: Recall, ids: readonly string[]) {
  const sessions = await Promise.all(ids.map((id) => recall.find(`claude:${id}`)))
  const { hits } = await recall.search({ text: 'plan the bridge', filter: { limit: 9 }, now: NOW })
  return {
    sessions: sessions.map(({ uid, promptCount, parentUid, tokens }) => ({
      uid,
      promptCount,
      parentUid,
      input: tokens?.input ?? 0,
    })),
    found: hits.map(({ session }) => session.uid),
  }
}

const ORDERS = [
  [A, B, C],
  [C, B, A],
  [B, C, A],
] as const

describe.each(ORDERS)('forks of forks with ids %s, %s, %s', (...ids) => {
  const [first, second, third] = ids
  const expected = (rest = 0) => ({
    sessions: [
      { uid: `claude:${first}`, promptCount: 1, parentUid: null, input: 10 + rest },
      { uid: `claude:${second}`, promptCount: 1, parentUid: `claude:${first}`, input: 10 + rest },
      { uid: `claude:${third}`, promptCount: 1, parentUid: `claude:${second}`, input: 10 + rest },
    ],
    found: [`claude:${first}`],
  })

  test.each([
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [1, 2, 0],
  ])('each owns its own part, in every order of arrival: %i %i %i', async (...order) => {
    const home = tempDir()
    const { recall } = productOn(home)
    const { one, two, three } = family(ids)
    for (const i of order) {
      write(transcriptPath(home, ids[i]!), lines([one, two, three][i]!))
      await recall.index()
    }
    expect(await told(recall, ids)).toEqual(expected())
  })

  test('also if a fork was read when it held nothing but copies, and after it is rewritten', async () => {
    const home = tempDir()
    const { recall } = productOn(home)
    const { one, two, three } = family(ids)
    write(transcriptPath(home, first), lines(one))
    await recall.index()
    for (const [id, records] of [
      [second, two],
      [third, three],
    ] as const) {
      const file = write(transcriptPath(home, id), '')
      for (const record of records) {
        appendFileSync(file, lines([record]))
        await recall.index()
      }
    }
    expect(await told(recall, ids)).toEqual(expected())
    const file = transcriptPath(home, second)
    writeFileSync(file, `\n${readFileSync(file, 'utf8')}`)
    await recall.index()
    expect(await told(recall, ids)).toEqual(expected())
  })

  test.each([
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ])('what was billed beside the responses counts once: %i %i %i', async (...order) => {
    const home = tempDir()
    const { recall } = productOn(home)
    const { one, two, three } = family(ids)
    const texts = [
      lines([...one, bill(first, 17)]),
      lines([...two, bill(second, 34)]),
      lines([...three, bill(third, 51)]),
    ]
    for (const i of order) {
      write(transcriptPath(home, ids[i]!), texts[i]!)
      await recall.index()
    }
    expect(await told(recall, ids)).toEqual(expected(7))
  })
})

describe.each([
  [A, B],
  [B, A],
])('a fork of %s with the id %s', (first, second) => {
  const queued = (session: string) => ({
    type: 'queue-operation',
    operation: 'enqueue',
    timestamp: new Date(START + HOUR).toISOString(),
    sessionId: session,
    content: 'of stone',
  })
  const input = async (recall: Recall, id: string) => (await recall.find(`claude:${id}`)).tokens?.input
  const both = [
    [0, 1],
    [1, 0],
  ] as const

  test.each(both)('does not pay for what its parent said before a compaction: %i %i', async (...order) => {
    const home = tempDir()
    const { recall } = productOn(home)
    const log = new ClaudeLog(first, {}, START).user('plan the bridge').say('Of what?')
    log.record({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' })
    const boundary = log.records.slice(-1)
    const texts = [
      lines([...log.records, bill(first, 17)]),
      lines([queued(second), ...copied(boundary, second), ...own(second, 1, 'of stone'), bill(second, 27)]),
    ]
    for (const i of order) {
      write(transcriptPath(home, [first, second][i]!), texts[i]!)
      await recall.index()
    }
    expect([await input(recall, first), await input(recall, second)]).toEqual([17, 10])
  })

  test.each(both)('does not pay for its parent’s subagents: %i %i', async (...order) => {
    const home = tempDir()
    const { recall } = productOn(home)
    const one = own(first, 0, 'plan the bridge')
    const side = new ClaudeLog(first, { isSidechain: true, agentId: 'a1' }, START + 60_000)
    side.user('count').say('Four.', { requestId: 'req_side', message: { id: 'msg_side' } })
    const writers = [
      () => {
        write(subagentPath(home, first, 'a1'), lines(side.records))
        write(transcriptPath(home, first), lines([...one, bill(first, 20)]))
      },
      () =>
        write(
          transcriptPath(home, second),
          lines([queued(second), ...copied(one, second), ...own(second, 1, 'of stone'), bill(second, 30)]),
        ),
    ]
    for (const i of order) {
      writers[i]!()
      await recall.index()
    }
    expect([await input(recall, first), await input(recall, second)]).toEqual([20, 10])
  })
})

test('what a fork inherits stays its parent’s when the parent’s raw text has gone', async () => {
  const home = tempDir()
  const [first, second] = [B, A]
  const one = own(first, 0, 'plan the bridge')
  const two = [...copied(one, second), ...own(second, 1, 'of stone')]
  write(transcriptPath(home, first), lines([...one, bill(first, 17)]))
  const fork = write(transcriptPath(home, second), lines([...two, bill(second, 34)]))
  let now = NOW
  const open = (settings = {}) => productOn(home, `${home}/store/recall.db`, settings, () => (now += 1000)).recall
  const tight = open({ rawSoftCapBytes: 0, rawHardCapBytes: 10 })
  expect((await tight.sweep()).evicted).toHaveLength(2)
  await tight.close()
  appendFileSync(fork, lines([...own(second, 3, 'and a railing'), bill(second, 51)]))
  const recall = open()
  await recall.index()
  const inputs = await Promise.all([first, second].map(async (id) => (await recall.find(`claude:${id}`)).tokens?.input))
  expect(inputs).toEqual([17, 34])
})

test('what only a fork still holds is the fork’s when its parent is forgotten', async () => {
  const home = tempDir()
  const { one, two } = family([A, B, C])
  write(transcriptPath(home, A), lines(one))
  write(transcriptPath(home, B), lines(two))
  const { recall } = productOn(home)
  await recall.index()
  await recall.forget([await recall.find(`claude:${A}`)])
  await recall.close()
  await recall.index()
  const { promptCount, tokens, parentUid } = await recall.find(`claude:${B}`)
  expect({ promptCount, input: tokens?.input, parentUid }).toEqual({ promptCount: 2, input: 20, parentUid: null })
})
