import { packChunk } from '../../src/store/blobs/packs.ts'
import { FLAG, type EventRow, type LaneBatch, type Store, type UnitBatch } from '../../src/store/store.ts'

/** What a person said; the same at the same place is the same record. */
export function row(pos: number, text: string, more: Partial<EventRow> = {}): EventRow {
  return {
    pos,
    parent: null,
    at: 1_000 + pos,
    kind: 'user_msg',
    role: 'user',
    tool: null,
    summary: null,
    text,
    input: null,
    body: null,
    flags: FLAG.human | FLAG.messageStart,
    native: Buffer.from(`native${String(pos).padStart(2, '0')}`),
    block: 0,
    call: null,
    message: pos,
    callIdx: null,
    line: 1,
    exchange: pos + 1,
    eventClass: 'user',
    base: null,
    sub: null,
    runs: null,
    thread: null,
    files: [],
    made: [],
    marks: null,
    ...more,
  }
}

const DAY = Date.parse('2026-10-01T09:00:00Z')

/** When something happened in `workday`. */
export function workTime(pos: number): number {
  return DAY + pos * 60_000
}

const CALL = Buffer.from('call0001')
const COMMIT = Buffer.from('call0002')
export const OUTPUT = 'FAIL cart.test.ts: expected 3, got 2'
export const ERROR = 'cart.test.ts failed'

/** A session in which something of everything happens: asked, thought, run, failed, edited, committed, answered. */
export function workday(more: Parameters<typeof batch>[1] = {}): UnitBatch {
  const bySystem = { flags: FLAG.messageStart, role: 'assistant', exchange: 1, eventClass: 'assistant' } as const
  const events = [
    row(0, 'why is the zebra cart wrong', { exchange: 1 }),
    row(1, 'perhaps a rounding error', { ...bySystem, kind: 'thinking' }),
    row(2, 'npm test && git status', {
      ...bySystem,
      kind: 'test_run',
      tool: 'Bash',
      input: '{"command":"npm test && git status","description":"Run the tests"}',
      call: CALL,
      callIdx: 0,
      base: 'npm',
      sub: 'test',
      runs: '["git status"]',
      flags: FLAG.messageStart | FLAG.compound,
    }),
    row(3, ERROR, {
      ...bySystem,
      kind: 'error',
      role: 'tool',
      call: CALL,
      body: [0, 0, Buffer.byteLength(OUTPUT)],
      message: null,
      flags: 0,
    }),
    row(4, '', {
      ...bySystem,
      kind: 'edit',
      tool: 'Edit',
      text: null,
      callIdx: 1,
      files: [{ path: '/shop/src/cart.ts', edit: true }],
    }),
    row(5, 'git commit -m fix', {
      ...bySystem,
      kind: 'tool_call',
      tool: 'Bash',
      call: COMMIT,
      callIdx: 2,
      base: 'git',
      sub: 'commit',
      input: '{}',
    }),
    row(6, 'done', {
      ...bySystem,
      kind: 'tool_result',
      role: 'tool',
      call: COMMIT,
      message: null,
      flags: 0,
      made: [{ kind: 'commit', value: '1a2b3c4' }],
    }),
    row(7, 'the discount was applied twice', { ...bySystem, kind: 'assistant_msg' }),
    row(8, 'thanks, and the zebra stripes?', { exchange: 2 }),
  ]
  const session = more.session ?? 's1'
  const usage = {
    key: `${session} r1`,
    session,
    lane: '',
    message: 1,
    line: 1,
    model: 'm1',
    at: workTime(1),
    costUsd: 0.5,
  }
  const tokens = { input: 10, output: 5, cacheRead: 100, cacheWrite5m: 7, cacheWrite1h: 0, reasoning: 0 }
  const chunk = { session, rawBytes: Buffer.byteLength(OUTPUT), data: packChunk(Buffer.from(OUTPUT)) }
  const timed = events.map((event) => ({
    ...event,
    at: workTime(event.pos),
    line: event.pos + 1,
    native: Buffer.from(`${session}${event.pos}`.padEnd(8)),
  }))
  const facts = { cwd: '/shop', branch: 'main', ...more.facts }
  return { ...batch(timed, { ...more, facts, usage: more.usage ?? [{ ...usage, ...tokens }] }), chunks: [chunk] }
}

export function batch(
  events: EventRow[],
  more: { path?: string; session?: string; usage?: UnitBatch['usage']; facts?: LaneBatch['facts'] } = {},
): UnitBatch {
  const { path = '/t', session = 's1', usage = [], facts = {} } = more
  const lane = { session, lane: '', flavor: 'test', longName: 'test', originality: 0, mainPath: path, yieldsTo: null }
  return {
    source: 'test',
    path,
    stamp: 'x',
    size: 10,
    mtimeMs: 1,
    restart: true,
    disown: false,
    foreign: false,
    done: true,
    lanes: [{ ...lane, facts, side: null, events }],
    usage,
    titles: [],
    superseded: [],
    problems: [],
    chunks: [],
    checkpoint: { offset: 10, line: 1, state: '{}', head: '', tail: '', provisional: false },
  }
}

/** The number of a session's row. */
export async function idOf(store: Store, uid: string): Promise<number> {
  const found = await store.resolve(uid)
  return found.found === 'one' ? found.id : -1
}
