import { FLAG, type EventRow, type UnitBatch } from '../../src/store/store.ts'

/** What a person said; the same at the same place is the same record. */
export function row(pos: number, text: string): EventRow {
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
  }
}

export function batch(
  events: EventRow[],
  more: { path?: string; session?: string; usage?: UnitBatch['usage'] } = {},
): UnitBatch {
  const { path = '/t', session = 's1', usage = [] } = more
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
    lanes: [{ ...laneOf(session, path), events }],
    usage,
    titles: [],
    superseded: [],
    problems: [],
    chunks: [],
    checkpoint: { offset: 10, line: 1, state: '{}', head: '', tail: '', provisional: false },
  }
}

function laneOf(session: string, mainPath: string) {
  const named = { session, lane: '', flavor: 'test', longName: 'test' }
  return { ...named, originality: 0, mainPath, yieldsTo: null, facts: {}, side: null }
}
