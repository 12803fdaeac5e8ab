import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openRecall, type RecallLibrary } from '../src/library.ts'
import { Database } from '../src/store/sqlite/database.ts'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli } from './kit/cli.ts'
import { demoHome } from './kit/home.ts'

const long = `claude:${uuid('long outline')}`
const TURNS = 300
let library: RecallLibrary

beforeAll(async () => {
  const home = demoHome()
  const log = new ClaudeLog(uuid('long outline'))
  for (let turn = 0; turn < TURNS; turn++) {
    log.user(`step ${turn}`)
    for (let call = 0; call < 4; call++)
      log.call(`c${turn}.${call}`, 'Bash', { command: `make ${call}` }).result(`c${turn}.${call}`, 'done')
    log.say('Done.')
  }
  write(transcriptPath(home, log.session), log.text())
  const agent = new ClaudeLog(log.session, { agentId: 'a1', isSidechain: true }).user('look').say('Seen.')
  write(subagentPath(home, log.session, 'a1'), agent.text())
  const env = cleanEnv(home)
  expect(recallCli(env, 'index').code).toBe(0)
  library = await openRecall({ env, threads: 0 })
})
afterAll(() => library.close())

/** How many rows of the store are read for something, and what comes of it. */
async function counted<T>(work: () => Promise<T>): Promise<{ readonly made: T; readonly rows: number }> {
  let rows = 0
  const spies = (['all', 'lists'] as const).map((name) => {
    const read = Database.prototype[name] as (...given: unknown[]) => unknown[]
    return vi.spyOn(Database.prototype, name).mockImplementation(function (this: Database, ...given: unknown[]) {
      const found = read.apply(this, given)
      rows += found.length
      return found as never
    })
  })
  const made = await work()
  for (const spy of spies) spy.mockRestore()
  return { made, rows }
}

describe('a part of an outline', () => {
  test('begins as the whole does, in every session', async () => {
    const { sessions } = await library.list({ all: true, limit: 0 })
    expect(sessions.length).toBeGreaterThan(30)
    for (const { session_uid: id } of sessions) {
      const whole = await library.outline({ id })
      const talk = whole.events.seq.filter((_, i) => whole.events.thread[i] === null)
      for (const part of [1, 5, 40]) {
        const some = await library.outline({ id, part })
        if (some.whole) expect(some).toEqual(whole)
        else expect(some.events.seq, id).toEqual(talk.slice(0, part))
      }
    }
  })

  test('or is what stands around an event, or at the end', async () => {
    const { events } = await library.outline({ id: long })
    const talk = events.seq.filter((_, i) => events.thread[i] === null)
    const own = talk.filter((seq) => seq > 0 && seq < 2 ** 31)
    const at = own.indexOf(1000)
    expect((await library.outline({ id: long, part: 20, at: '1000' })).events.seq).toEqual(own.slice(at - 9, at + 11))
    expect((await library.outline({ id: long, part: 20, at: 'end' })).events.seq).toEqual(own.slice(-20))
    const inner = events.seq.filter((_, i) => events.thread[i] !== null)
    expect((await library.outline({ id: long, part: 20, at: String(inner[0]) })).events.seq).toEqual(inner)
    expect((await library.outline({ id: long, part: 20, at: '999999' })).events.seq).toEqual([])
    await expect(library.outline({ id: long, part: 20, at: 'there' })).rejects.toMatchObject({ code: 'USAGE' })
  })

  test('reads no more than it gives, however long the session is', async () => {
    const { made, rows: all } = await counted(() => library.outline({ id: long }))
    expect([made.whole, all > made.total]).toEqual([true, true])
    for (const at of [undefined, '1500', 'end']) {
      const { made: part, rows } = await counted(() => library.outline({ id: long, part: 50, ...(at && { at }) }))
      expect([part.whole, part.total], at).toEqual([false, 50])
      expect(rows, at).toBeLessThan(80)
    }
  })

  test('and a few events are read without adding up what the session has cost', async () => {
    const { made, rows } = await counted(() => library.read({ id: long, seqs: [10, 11, 12], payloads: true }))
    expect(made.events).toHaveLength(3)
    expect(rows).toBeLessThan(30)
    const { events } = await library.events({ id: long })
    const tokens = new Map(events.map((event) => [event.seq, event.tokens]))
    expect(made.events.map((event) => event.tokens)).toEqual([10, 11, 12].map((seq) => tokens.get(seq)))
  })
})
