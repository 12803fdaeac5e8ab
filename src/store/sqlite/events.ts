import { MAIN_LANE, type EventKind, type Role } from '../../model/event.ts'
import { oneLine } from '../../model/text.ts'
import { FLAG, type EventRecord, type EventWindow } from '../store.ts'
import type { Database, Row, Value } from './database.ts'

const COLUMNS = `e.pos, e.parent, e.at, e.kind, e.role, e.tool, e.summary, e.text, e.input, e.chunk, e.flags, e.call, e.message,
  e.message_id, e.call_idx, e.call_id, e.exchange, e.event_class, e.bash_base, e.bash_sub, e.thread, l.name AS lane, l.base AS base`

/** Events of a session in `seq` order. */
export function readEvents(db: Database, session: number, window: EventWindow): EventRecord[] {
  const values: Value[] = [session]
  let where = `l.session = ? AND e.flags & ${FLAG.shelved | FLAG.twin} = 0`
  if (!window.sidechains) where += ` AND e.flags & ${FLAG.sidechain} = 0`
  if (window.fromSeq !== undefined) {
    where += ' AND l.base + e.pos >= ?'
    values.push(window.fromSeq)
  }
  if (window.toSeq !== undefined) {
    where += ' AND l.base + e.pos <= ?'
    values.push(window.toSeq)
  }
  const rows = db.all(
    `SELECT ${COLUMNS} FROM lane l JOIN event e ON e.lane = l.id WHERE ${where} ORDER BY l.base, e.pos`,
    ...values,
  )
  const tokens = responseTokens(db, session)
  const spawns = spawningCalls(db, session)
  return rows.map((row) => toEvent(row, tokens, spawns)).sort((a, b) => a.seq - b.seq)
}

export function readExchange(db: Database, session: number, lane: string, exchange: number): EventRecord[] {
  const rows = db.all(
    `SELECT ${COLUMNS} FROM lane l JOIN exchange x ON x.lane = l.id JOIN event e ON e.lane = l.id AND e.pos BETWEEN x.first_pos AND x.last_pos
     WHERE l.session = ? AND l.name = ? AND x.ord = ? AND e.exchange = x.ord ORDER BY e.pos`,
    session,
    lane,
    exchange,
  )
  return rows.map((row) => toEvent(row, new Map(), new Map()))
}

/** Output tokens of a response stand on the first event of its message. */
function responseTokens(db: Database, session: number): Map<string, number> {
  const rows = db.all(
    `SELECT l.name, g.message, sum(g.output) AS output FROM ledger g JOIN lane l ON l.id = g.lane
     WHERE g.session = ? AND g.message IS NOT NULL GROUP BY l.name, g.message`,
    session,
  )
  return new Map(rows.map((row) => [`${row['name']}\n${row['message']}`, Number(row['output'])]))
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

function toEvent(row: Row, tokens: ReadonlyMap<string, number>, spawns: ReadonlyMap<string, number>): EventRecord {
  const text = (name: string) => (row[name] === null ? null : String(row[name]))
  const number = (name: string) => (row[name] === null ? null : Number(row[name]))
  const hex = (name: string) => (row[name] instanceof Uint8Array ? Buffer.from(row[name]).toString('hex') : null)
  const lane = String(row['lane'])
  const pos = Number(row['pos'])
  const base = Number(row['base'])
  const flags = Number(row['flags'])
  const thread = text('thread')
  const spawn = pos === 0 && lane !== MAIN_LANE && thread !== null ? spawns.get(thread) : undefined
  const isStart = (flags & FLAG.messageStart) !== 0
  return {
    seq: base + pos,
    parentSeq: row['parent'] === null ? (spawn ?? null) : base + Number(row['parent']),
    at: number('at'),
    kind: String(row['kind']) as EventKind,
    role: String(row['role']) as Role,
    tool: text('tool'),
    summary: (text('summary') ?? oneLine(text('text') ?? '', 120)) || '(empty)',
    text: text('text'),
    input: text('input'),
    hasBody: row['chunk'] !== null,
    flags,
    call: hex('call'),
    message: number('message'),
    messageId: hex('message_id'),
    callId: hex('call_id'),
    callIdx: number('call_idx'),
    exchange: Number(row['exchange']),
    eventClass: text('event_class'),
    base: text('bash_base'),
    sub: text('bash_sub'),
    thread,
    lane,
    tokens: isStart ? (tokens.get(`${lane}\n${row['message']}`) ?? null) : null,
  }
}
