import { expect, test } from 'vitest'
import type { Store } from '../src/store/store.ts'
import { OPERATIONS } from '../src/operations/index.ts'
import type { OperationContext } from '../src/operations/operation.ts'
import { perform } from '../src/operations/perform.ts'
import { createRecall, type Recall } from '../src/recall.ts'
import { sources } from '../src/sources/index.ts'
import { files, openForReading, openForWriting } from '../src/store/open.ts'
import { resolveSettings } from '../src/settings/settings.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { demoHome, NOW, productOn, tempDir } from './kit/home.ts'

interface Page {
  readonly events: readonly { readonly seq: number; readonly pointer: string; readonly payload?: string | null }[]
  readonly next: string | null
  readonly before: number
  readonly after: number
}

async function read(recall: Recall, input: object): Promise<Page> {
  const context = { recall, now: () => NOW, sources, watching: {} } as unknown as OperationContext
  return (await perform(context, (await OPERATIONS.read()) as never, input)) as unknown as Page
}

test('pages of a session make the whole of it, in the order in which it is read', async () => {
  const { recall } = productOn(demoHome())
  await recall.index()
  for (const session of (await recall.list({ limit: 0, hidden: true })).sessions) {
    const whole = (await recall.events(session, { sidechains: true })).map(({ seq }) => seq)
    const seqs: number[] = []
    for (let from: string | null = null, pages = 0; pages < 99; pages++) {
      const page: Page = await read(recall, {
        id: session.uid,
        limit: 7,
        sidechains: true,
        ...(from === null ? {} : { from }),
      })
      seqs.push(...page.events.map(({ seq }) => seq))
      expect([page.before + page.events.length + page.after, page.events.length <= 7]).toEqual([
        expect.any(Number),
        true,
      ])
      from = page.next
      if (from === null) break
    }
    // From within a thread of a subagent, it is that thread that is read on.
    expect(whole.slice(0, seqs.length)).toEqual(seqs)
    const all = await read(recall, { id: session.uid, limit: 0, sidechains: true })
    expect(all.events.map(({ seq }) => seq)).toEqual(whole)
    const tail = await read(recall, { id: session.uid, tail: 3, sidechains: true })
    expect(tail.events.map(({ seq }) => seq)).toEqual(whole.slice(-3))
  }
})

test('one message of a long session is read without the others', async () => {
  const home = tempDir()
  const log = new ClaudeLog(uuid('long'))
  for (let n = 0; n < 400; n++)
    log
      .user(`prompt ${n}`)
      .call(`c${n}`, 'Bash', { command: `cat ${n}` })
      .result(`c${n}`, `${n} ${'x'.repeat(5000)}`)
  write(transcriptPath(home, uuid('long')), log.text())
  const settings = resolveSettings({
    env: {},
    config: null,
    configPath: '',
    sourceNames: [],
    flags: { '--store': `${tempDir()}/recall.db` },
  })
  const given = { events: 0, bytes: 0 }
  const recall = createRecall({
    settings,
    sources,
    env: { HOME: home },
    now: () => NOW,
    openForReading: (...place) => counting(openForReading(...place), given),
    openForWriting,
    files,
  })
  await recall.index()
  const { events } = await read(recall, { id: `claude:${uuid('long')}`, from: '#600', limit: 1, payloads: true })
  expect(events).toHaveLength(1)
  expect(events[0]?.payload?.length).toBeGreaterThan(5000)
  expect(given.events).toBe(1)
  expect(given.bytes).toBe(events[0]?.payload?.length)
})

/** A store that counts what it gives. */
function counting(store: Store, given: { events: number; bytes: number }): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return async (...input: unknown[]) => {
        const result: unknown = await value.apply(target, input)
        if (name === 'events') given.events += (result as unknown[]).length
        if (name === 'bodies') for (const body of (result as Map<number, string>).values()) given.bytes += body.length
        return result
      }
    },
  })
}
