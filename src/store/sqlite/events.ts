import { INFERRED_LANE, MAIN_LANE, type EventKind, type Role } from '../../model/event.ts'
import { inTime } from '../../model/in-time.ts'
import { readMarks } from '../../model/marks.ts'
import { oneLine } from '../../model/text.ts'
import { FLAG, type EventPlace, type EventRecord, type EventWindow } from '../store.ts'
import { boundedSum } from './amounts.ts'
import type { Database, Row, Value } from './database.ts'
import { inheritedEvents } from './inherited.ts'
import { MESSAGE_BASE } from './message-positions.ts'

const COLUMNS = `e.pos, e.parent, e.at, e.kind, e.role, e.tool, e.summary, e.text, e.input, e.chunk, e.flags, e.line, e.call, e.message,
  e.message_id, e.call_idx, e.call_id, e.exchange, e.event_class, e.bash_base, e.bash_sub, e.thread, e.marks, e.parent_key, l.name AS lane, l.base AS base,
  ${MESSAGE_BASE} AS message_base`

/** Events of a session as they are read: what it inherits, then the conversation as it happened, then its subagents. */
export function readEvents(db: Database, session: number, window: EventWindow): EventRecord[] {
  return [...inheritedEvents(db, session, window, readOwn), ...readOwn(db, session, window)]
}

function readOwn(db: Database, session: number, window: EventWindow): EventRecord[] {
  const rows = window.seqs === undefined ? rowsWithin(db, session, window) : rowsAt(db, session, window.seqs)
  const links: Links = {
    tokens: responseTokens(db, session, window.seqs === undefined ? null : rows),
    spawns: rows.some(isFirstOfThread) ? spawningCalls(db, session) : UNLINKED.spawns,
    parents: parentsElsewhere(db, session, rows),
  }
  const events = rows.map((row) => toEvent(row, links)).sort((a, b) => a.seq - b.seq)
  return asRead(events)
}

const SHOWN = `e.flags & ${FLAG.aside | FLAG.twin} = 0`

/** What is shown of a session, as a condition. */
export function within(sidechains: boolean): string {
  return sidechains ? SHOWN : `${SHOWN} AND e.flags & ${FLAG.sidechain} = 0`
}

function rowsWithin(db: Database, session: number, { sidechains, fromSeq, toSeq }: EventWindow): Row[] {
  const values: Value[] = [session]
  let where = `l.session = ? AND ${within(sidechains)}`
  if (fromSeq !== undefined) {
    where += ' AND e.pos >= ? - l.base'
    values.push(fromSeq)
  }
  if (toSeq !== undefined) {
    where += ' AND e.pos <= ? - l.base'
    values.push(toSeq)
  }
  return db.all(
    `SELECT ${COLUMNS} FROM lane l JOIN event e ON e.lane = l.id WHERE ${where} ORDER BY l.base, e.pos`,
    ...values,
  )
}

function rowsAt(db: Database, session: number, seqs: readonly number[]): Row[] {
  const find = `SELECT ${COLUMNS} FROM lane l JOIN event e ON e.lane = l.id AND e.pos = ? - l.base WHERE l.session = ? AND ${SHOWN}`
  return seqs.flatMap((seq) => db.all(find, seq, session))
}

interface Links {
  readonly tokens: ReadonlyMap<string, number>
  readonly spawns: ReadonlyMap<string, number>
  readonly parents: ReadonlyMap<string, number>
}

const UNLINKED: Links = { tokens: new Map(), spawns: new Map(), parents: new Map() }

/** The conversation by time, between the inferred start and end; then what subagents said, thread by thread. */
export function asRead<E extends Omit<EventPlace, 'record'>>(events: readonly E[]): E[] {
  const ends = events.filter(({ lane }) => lane === INFERRED_LANE)
  const spoken = events.filter(({ lane }) => lane !== INFERRED_LANE)
  const main = spoken.filter(({ flags }) => (flags & FLAG.sidechain) === 0)
  const threads = spoken.filter(({ flags }) => (flags & FLAG.sidechain) !== 0)
  return [...ends.filter(({ seq }) => seq === 0), ...inTime(main), ...threads, ...ends.filter(({ seq }) => seq !== 0)]
}

/** Numbers of parents that stand in other transcripts of the session, by the key they are named with. */
function parentsElsewhere(db: Database, session: number, rows: readonly Row[]): Map<string, number> {
  const parents = new Map<string, number>()
  const find = db.hot(
    `SELECT l.base + e.pos AS seq FROM event e JOIN lane l ON l.id = e.lane
     WHERE e.native = ? AND l.session = ? AND e.flags & ${FLAG.aside | FLAG.twin} = 0 ORDER BY e.pos DESC LIMIT 1`,
  )
  for (const { parent_key: key } of rows) {
    if (!(key instanceof Uint8Array)) continue
    const seq = find.get(key, session)?.['seq']
    if (seq !== undefined && seq !== null) parents.set(hexOf(key), Number(seq))
  }
  return parents
}

export function hexOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

/** The events of one document of the full-text index. */
export function readDocument(db: Database, doc: number): EventRecord[] {
  const rows = db.all(
    `SELECT ${COLUMNS} FROM exchange x JOIN lane l ON l.id = x.lane JOIN event e ON e.lane = l.id AND e.pos BETWEEN x.first_pos AND x.last_pos
     WHERE x.id = ? ORDER BY e.pos`,
    doc,
  )
  return rows.map((row) => toEvent(row, UNLINKED))
}

/** Output tokens of a response stand on the first event of its message or, where that is part of none, on its first. */
function responseTokens(db: Database, session: number, rows: readonly Row[] | null): Map<string, number> {
  const some = rows === null ? [] : [numbersIn(rows, 'message'), numbersIn(rows, 'pos')]
  const tokens = db.lists(
    `SELECT l.name, coalesce(g.message, '@' || g.pos) AS what, ${boundedSum('g.output')} AS output FROM ledger g JOIN lane l ON l.id = g.lane
     WHERE g.session = ? AND ${rows === null ? 'coalesce(g.message, g.pos) IS NOT NULL' : OF_ROWS} GROUP BY l.name, what`,
    session,
    ...some,
  )
  return new Map(tokens.map(([name, what, output]) => [`${name}\n${what}`, Number(output)]))
}

const OF_ROWS =
  '(g.message IN (SELECT value FROM json_each(?)) OR g.message IS NULL AND g.pos IN (SELECT value FROM json_each(?)))'

function numbersIn(rows: readonly Row[], name: string): string {
  return JSON.stringify([...new Set(rows.map((row) => row[name]))].filter((value) => typeof value === 'number'))
}

/** Which call started a subagent, by the subagent's id: the parent of what the subagent says first. */
function spawningCalls(db: Database, session: number): Map<string, number> {
  const rows = db.all(
    `SELECT r.thread, l.base + c.pos AS seq FROM lane l JOIN event r ON r.lane = l.id
       JOIN event c ON c.lane = r.lane AND c.call = r.call AND c.call_idx IS NOT NULL
     WHERE l.session = ? AND r.thread IS NOT NULL AND r.flags & ${FLAG.sidechain} = 0 AND r.call IS NOT NULL`,
    session,
  )
  return new Map(rows.map((row) => [String(row['thread']), Number(row['seq'])]))
}

function isFirstOfThread(row: Row): boolean {
  return Number(row['pos']) === 0 && row['lane'] !== MAIN_LANE && row['thread'] !== null
}

function toEvent(row: Row, { tokens, spawns, parents }: Links): EventRecord {
  const text = (name: string) => (row[name] === null ? null : String(row[name]))
  const number = (name: string) => (row[name] === null ? null : Number(row[name]))
  const hex = (name: string) => (row[name] instanceof Uint8Array ? hexOf(row[name]) : null)
  const lane = String(row['lane'])
  const pos = Number(row['pos'])
  const base = Number(row['base'])
  const flags = Number(row['flags'])
  const thread = text('thread')
  const spawn = thread !== null && isFirstOfThread(row) ? spawns.get(thread) : undefined
  const isStart = (flags & FLAG.messageStart) !== 0
  return {
    seq: base + pos,
    parentSeq:
      row['parent'] === null ? (spawn ?? parents.get(hex('parent_key') ?? '') ?? null) : base + Number(row['parent']),
    at: number('at'),
    kind: String(row['kind']) as EventKind,
    role: String(row['role']) as Role,
    tool: text('tool'),
    summary: (text('summary') ?? oneLine(text('text') ?? '', 120)) || '(empty)',
    text: text('text'),
    input: text('input'),
    hasBody: row['chunk'] !== null,
    flags,
    line: Number(row['line']),
    call: hex('call'),
    message: number('message'),
    messageIdx: row['message'] === null ? null : Number(row['message_base']) + Number(row['message']),
    messageId: hex('message_id'),
    callId: hex('call_id'),
    callIdx: number('call_idx'),
    exchange: Number(row['exchange']),
    eventClass: text('event_class'),
    base: text('bash_base'),
    sub: text('bash_sub'),
    thread,
    lane,
    marks: readMarks(text('marks')),
    tokens: tokens.get(`${lane}\n@${pos}`) ?? (isStart ? (tokens.get(`${lane}\n${row['message']}`) ?? null) : null),
  }
}
