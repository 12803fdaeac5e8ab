import { DECISIONS_LANE, INFERRED_LANE, type EventKind, type Role } from '../../model/event.ts'
import type { Facts } from '../../model/facts.ts'
import {
  RECORD_VERSION,
  type DecisionLine,
  type EventLine,
  type PortableRecord,
  type SessionHere,
  type SessionLine,
  type WordLine,
} from '../../model/records.ts'
import { isoTime } from '../../model/time.ts'
import { readChunk } from '../blobs/packs.ts'
import { FLAG } from '../store.ts'
import { chunkPlace } from './compact.ts'
import { numberOf, textOf, type Database, type Row } from './database.ts'
import { DIGEST_LANE } from './lane-names.ts'

/** Lanes that are made anew from the others, or whose words are records of their own. */
const NOT_TOLD = `('${INFERRED_LANE}', '${DIGEST_LANE}', '${DECISIONS_LANE}')`
/** What says how events of several sessions relate: found out again wherever they are. */
const RELATIVE = FLAG.copy | FLAG.twin | FLAG.aside
const UNPACKED = 4

/** Called with an event whose payload cannot be read. */
type OnLost = (session: number, pack: number) => void

export function* sessionRecords(db: Database, blobDir: string, id: number, onLost: OnLost): Generator<PortableRecord> {
  const session = sessionLine(db, id)
  yield session
  yield* eventLines(db, blobDir, id, session.session_uid, onLost)
  yield* ledgerLines(db, id, session.session_uid)
  yield* distilledLines(db, id, session.session_uid)
}

/** As they stand in this store. */
export function* recordsHere(db: Database, id: number): Generator<SessionLine | EventLine> {
  const session = sessionLine(db, id)
  const row = db.get('SELECT * FROM session WHERE id = ?', id) ?? {}
  const here: SessionHere = {
    is_complete: row['is_complete'] === 1,
    file_mtime: numberOf(row['file_mtime']),
    file_size: numberOf(row['file_size']),
    indexed_at: isoTime(numberOf(row['ingested_at'])),
    input_tokens: numberOf(row['input_tokens']),
    output_tokens: numberOf(row['output_tokens']),
  }
  const numbered = new Map(db.all(NUMBERED, id).map((lane) => [String(lane['name']), lane]))
  const lanes = session.lanes.map((lane) => {
    const { ids, positions } = numbered.get(lane.name) ?? {}
    return { ...lane, here: { messages_from: Number(ids ?? 0), positions_from: Number(positions ?? 0) } }
  })
  yield { ...session, lanes, here }
  for (const event of db.each(EVENTS, id)) {
    const line = eventLine(event, session.session_uid, null)
    yield (Number(event['flags']) & FLAG.copy) === 0
      ? line
      : { ...line, place: { ...line.place, flags: line.place.flags | FLAG.copy } }
  }
}

/** As the view of messages numbers them. */
const NUMBERED = `SELECT l.name, coalesce(l.message_base, l.base) AS ids,
    CASE WHEN coalesce(l.message_base, l.base) < 1000000000 THEN coalesce(l.message_base, l.base)
    ELSE 1000000 * (SELECT count(DISTINCT coalesce(o.message_base, o.base)) FROM lane o
      WHERE o.session = l.session AND coalesce(o.message_base, o.base) < coalesce(l.message_base, l.base)) END AS positions
  FROM lane l WHERE l.session = ?`

function head<Name extends string>(record: Name, uid: string) {
  return { v: RECORD_VERSION, record, session_uid: uid } as const
}

function sessionLine(db: Database, id: number): SessionLine {
  const row = db.get('SELECT * FROM session WHERE id = ?', id) ?? {}
  const text = (name: string) => textOf(row[name])
  const count = (name: string) => Number(row[name] ?? 0)
  const agentTitle = text('told_title')
  const lanes = db.all(`SELECT * FROM lane WHERE session = ? AND name NOT IN ${NOT_TOLD} ORDER BY base, name`, id)
  return {
    ...head('session', String(row['uid'])),
    id: String(row['short_id']),
    flavor: String(row['flavor']),
    source: String(row['source']),
    native_id: String(row['native_id']),
    source_path: String(row['source_path']),
    title: text('title'),
    cwd: text('cwd'),
    git_repo: text('git_repo'),
    git_branch: text('git_branch'),
    model: text('model'),
    parent_uid: text('parent_uid'),
    started_at: isoTime(numberOf(row['started_at'])),
    ended_at: isoTime(numberOf(row['ended_at'])),
    message_count: count('message_count'),
    prompt_count: count('prompt_count'),
    tool_count: count('tool_count'),
    event_count: count('event_count'),
    retry_count: count('retry_count'),
    thread_count: count('thread_count'),
    outcome: String(row['outcome']),
    task_ref: text('task_ref'),
    evicted_at: isoTime(numberOf(row['evicted_at'])),
    evict_reason: text('evict_reason'),
    lanes: lanes.map((lane) => ({
      name: String(lane['name']),
      originality: Number(lane['originality']),
      main_path: textOf(lane['main_path']) ?? '',
      yields_to: textOf(lane['yields_to']),
      facts: withTitle(JSON.parse(String(lane['facts'])) as Partial<Facts>, agentTitle),
      side: JSON.parse(String(lane['side'])) as Partial<Facts>,
    })),
  }
}

/** A title that another transcript tells comes along with the words it is about. */
function withTitle(facts: Partial<Facts>, agentTitle: string | null): Partial<Facts> {
  if (agentTitle === null || facts.customTitle !== undefined || facts.agentTitle !== undefined) return facts
  return { ...facts, agentTitle }
}

const EVENTS = `SELECT l.name AS lane, l.base, e.id, e.pos, e.parent, e.parent_key, e.at, e.kind, e.role, e.tool, e.summary, e.text, e.input,
    e.flags, hex(e.native) AS native, e.block, hex(e.call) AS call, e.message, e.call_idx, e.line, e.exchange, e.event_class,
    e.bash_base, e.bash_sub, e.runs, e.thread, e.marks, e.chunk, e.body_offset AS start, e.body_length AS size,
    c.pack, c.offset, c.length, c.crc,
    (SELECT json_group_array(json_array(p.name, t.edit) ORDER BY p.name) FROM touch t JOIN path p ON p.id = t.path WHERE t.event = e.id) AS files,
    (SELECT json_group_array(json_array(m.kind, m.value) ORDER BY m.kind, m.value) FROM made m WHERE m.event = e.id) AS made
  FROM lane l JOIN event e ON e.lane = l.id LEFT JOIN chunk c ON c.id = e.chunk
  WHERE l.session = ? AND l.name NOT IN ${NOT_TOLD} AND e.flags & ${FLAG.aside | FLAG.twin} = 0 ORDER BY l.base, e.pos`

function* eventLines(db: Database, blobDir: string, id: number, uid: string, onLost: OnLost): Generator<EventLine> {
  const chunks = new Map<number, Buffer | null>()
  const bodyOf = (row: Row): string | null => {
    if (row['chunk'] === null) return null
    const key = Number(row['chunk'])
    if (!chunks.has(key)) {
      if (chunks.size === UNPACKED) chunks.delete(chunks.keys().next().value ?? 0)
      chunks.set(key, row['pack'] === null ? null : readChunk(blobDir, chunkPlace(row)))
    }
    const chunk = chunks.get(key) ?? null
    if (chunk === null) onLost(id, Number(row['pack'] ?? 0))
    return chunk?.toString('utf8', Number(row['start']), Number(row['start']) + Number(row['size'])) ?? null
  }
  for (const row of db.each(EVENTS, id)) yield eventLine(row, uid, bodyOf(row))
}

function eventLine(row: Row, uid: string, body: string | null): EventLine {
  const text = (name: string) => textOf(row[name])
  const number = (name: string) => numberOf(row[name])
  const kind = String(row['kind']) as EventKind
  const input = text('input')
  const key = row['parent_key']
  return {
    ...head('event', uid),
    seq: Number(row['base']) + Number(row['pos']),
    ts: isoTime(number('at')),
    kind,
    role: String(row['role']) as Role,
    tool: text('tool'),
    text: text('text'),
    input: input === null ? null : JSON.parse(input),
    output: body,
    event_class: text('event_class') ?? 'other',
    is_error: kind === 'error',
    thread: text('thread'),
    marks: row['marks'] === null ? null : JSON.parse(String(row['marks'])),
    files: JSON.parse(String(row['files'])) as EventLine['files'],
    made: JSON.parse(String(row['made'])) as EventLine['made'],
    place: {
      lane: String(row['lane']),
      pos: Number(row['pos']),
      parent:
        row['parent'] !== null
          ? Number(row['parent'])
          : key instanceof Uint8Array
            ? Buffer.from(key).toString('hex')
            : null,
      native: String(row['native']).toLowerCase(),
      block: Number(row['block']),
      call: text('call')?.toLowerCase() || null,
      message: number('message'),
      call_idx: number('call_idx'),
      line: Number(row['line']),
      exchange: Number(row['exchange']),
      flags: Number(row['flags']) & ~RELATIVE,
      summary: text('summary'),
      base: text('bash_base'),
      sub: text('bash_sub'),
      runs: text('runs'),
    },
  }
}

function* ledgerLines(db: Database, id: number, uid: string): Generator<PortableRecord> {
  const rows = db.each(
    `SELECT g.*, l.name AS lane_name, (SELECT e.thread FROM event e WHERE e.lane = g.lane AND e.thread IS NOT NULL LIMIT 1) AS thread
     FROM ledger g JOIN lane l ON l.id = g.lane WHERE g.session = ? ORDER BY l.base, g.line, g.key`,
    id,
  )
  for (const row of rows) {
    yield {
      ...head('ledger', uid),
      key: String(row['key']).slice(String(row['flavor']).length + 1),
      thread: textOf(row['thread']),
      model: textOf(row['model']),
      ts: isoTime(numberOf(row['at'])),
      input: Number(row['input']),
      output: Number(row['output']),
      cache_read: Number(row['cache_read']),
      cache_write_5m: Number(row['cache_write_5m']),
      cache_write_1h: Number(row['cache_write_1h']),
      reasoning: Number(row['reasoning']),
      cost_usd: numberOf(row['cost_usd']),
      place: {
        lane: String(row['lane_name']),
        message: numberOf(row['message']),
        pos: numberOf(row['pos']),
        line: Number(row['line']),
      },
    }
  }
}

function* distilledLines(db: Database, id: number, uid: string): Generator<PortableRecord> {
  const digest = db.get(
    `SELECT d.json, d.schema_version, d.analyzed_at, coalesce(c.spans, '') AS spans FROM digests d
     LEFT JOIN course c ON c.session = ?1 WHERE d.session_uid = ?2`,
    id,
    uid,
  )
  if (digest !== undefined) {
    yield {
      ...head('digest', uid),
      analyzed_at: textOf(digest['analyzed_at']),
      schema_version: Number(digest['schema_version']),
      spans: String(digest['spans']),
      digest: JSON.parse(String(digest['json'])) as Readonly<Record<string, unknown>>,
    }
  }
  for (const row of db.all('SELECT * FROM signal WHERE session = ? ORDER BY kind, fingerprint', id)) {
    yield {
      ...head('signal', uid),
      kind: String(row['kind']),
      fingerprint: String(row['fingerprint']),
      summary: String(row['summary']),
      count: Number(row['count']),
      tool: textOf(row['tool']),
      seqs: JSON.parse(String(row['seqs'])) as number[],
      denied_by: textOf(row['denied_by']),
    }
  }
  for (const row of db.all(`${DECIDED} AND l.session = ? ORDER BY e.pos`, id)) yield decisionLine(row)
}

const DECIDED = `SELECT s.uid, l.base + e.pos AS seq, e.at, e.text FROM lane l JOIN event e ON e.lane = l.id
  JOIN session s ON s.id = l.session WHERE l.name = '${DECISIONS_LANE}'`

function decisionLine(row: Row): DecisionLine {
  return {
    ...head('decision', String(row['uid'])),
    seq: Number(row['seq']),
    ts: isoTime(numberOf(row['at'])),
    text: String(row['text'] ?? ''),
  }
}

/** What people say of sessions, in an order that depends on nothing else. */
export function* wordLines(db: Database): Generator<WordLine> {
  const rows = db.each(
    `SELECT session_uid AS uid, 'tag' AS record, tag AS said, 1 AS is_on, at FROM tag
     UNION ALL SELECT session_uid, 'tag', tag, 0, at FROM untagged
     UNION ALL SELECT session_uid, 'title', title, 1, at FROM own_title
     UNION ALL SELECT uid, 'tombstone', NULL, 1, forgotten_at FROM tombstone ORDER BY 1, 2, 3`,
  )
  for (const row of rows) {
    const uid = String(row['uid'])
    const at = Number(row['at'])
    const said = textOf(row['said'])
    if (row['record'] === 'tombstone') yield { ...head('tombstone', uid), at }
    else if (row['record'] === 'title') yield { ...head('title', uid), title: said, at }
    else yield { ...head('tag', uid), tag: said ?? '', on: row['is_on'] === 1, at }
  }
  for (const row of db.each(`${DECIDED} ORDER BY s.uid, e.at, e.text`)) yield decisionLine(row)
}
