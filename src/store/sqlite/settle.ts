import { CALL_KINDS, COMPLETION_POS, DECISIONS_LANE, INFERRED_LANE, MAIN_LANE, laneBase } from '../../model/event.ts'
import { nativeKey, shortSessionId } from '../../model/ids.ts'
import { oneLine } from '../../model/text.ts'
import { FLAG } from '../store.ts'
import type { Database, Row, Value } from './database.ts'
import { indexTitle } from './documents.ts'
import { renameMessages } from './rename.ts'
import { markStale } from './rollup.ts'
import { LOST } from './shelf.ts'

const CALLS = CALL_KINDS.map((kind) => `'${kind}'`).join(', ')
const SEARCHED = `(e.kind IN (${CALLS}, 'assistant_msg', 'decision', 'thinking', 'error') OR e.flags & ${FLAG.human})`
/** What the rows and the index of a session take on disk, estimated: fixed cost of an event, words kept, words indexed. */
const ROW_BYTES = `CAST(count(*) * 150
  + (total(octet_length(e.text)) + total(octet_length(e.input)) + total(octet_length(e.summary))) * 1.15
  + total(octet_length(e.text)) FILTER (WHERE ${SEARCHED}) * 0.9 AS INTEGER)`
/** What a transcript has lost still counts; what the conversation itself took back, and what is another's, does not. */
const COUNTED = `e.flags & ${FLAG.copy | FLAG.shelved} = 0 AND (e.flags & ${FLAG.superseded} = 0 OR l.name LIKE '%${LOST}')`
const RECORDED = "FILTER (WHERE e.kind <> 'decision')"

/**
 * Computes a session's row anew from its lanes, events and ledger: a function of what is kept, not of
 * the order it came in. Returns the lanes whose events turned into copies by it.
 */
export function settleSession(db: Database, id: number, now: number): number[] {
  const lanes = db.all(
    `SELECT id, name, originality, yields_to, file, main_path, facts, side FROM lane
     WHERE session = ? AND name NOT IN ('${INFERRED_LANE}', '${DECISIONS_LANE}')
     ORDER BY originality, name`,
    id,
  )
  const yielded = yieldLanes(db, lanes)
  const speaking = lanes.filter((lane) => !yielded.has(Number(lane['id'])))
  const facts = mergeFacts(speaking)
  inferEnds(db, id, speaking)
  const place = findPlace(db, speaking)
  const old = db.get('SELECT short_id, source, told_title, indexed_title, evicted_at FROM session WHERE id = ?', id)
  const told = text(facts['customTitle'] ?? facts['agentTitle'] ?? old?.['told_title'])
  const title = told ?? facts['firstPrompt'] ?? null
  if (told !== old?.['indexed_title']) indexTitle(db, id, told === null ? null : String(told))
  markStale(db, id)
  if (old?.['evicted_at'] !== null) {
    db.run('UPDATE session SET title = ? WHERE id = ?', text(title), id)
    return []
  }
  const path = place.path ?? ''
  const shortId = shortSessionId(String(old?.['source']), path)
  if (shortId !== old?.['short_id']) renameMessages(db, id, shortId)
  db.run(
    `UPDATE session SET short_id = ?, source_path = ?, title = ?, cwd = ?, git_repo = ?, repo_identity = ?, git_branch = ?, parent_uid = ?,
       is_complete = ?, hidden = ?, redactions = ?, file_mtime = ?, file_size = ?, source_bytes = ?, ingested_at = max(?, coalesce(analyzed_at + 1, 0)) WHERE id = ?`,
    shortId,
    path,
    text(title),
    text(facts['cwd']),
    repoPath(db, text(facts['gitRepo'])),
    text(facts['repoIdentity']),
    text(facts['branch']),
    text(facts['parent']),
    facts['complete'] === false ? 0 : 1,
    facts['hidden'] === true ? 1 : 0,
    JSON.stringify(sumRedactions(speaking)),
    place.mtime,
    place.size,
    place.bytes,
    now,
    id,
  )
  countEvents(db, id, facts)
  countTokens(db, id, text(facts['model']))
  return [...yielded.values()].filter((lane) => lane.changed).map((lane) => lane.id)
}

function repoPath(db: Database, root: Value): Value {
  return root === null ? null : (db.get('SELECT now_at FROM moved_repo WHERE root = ?', root)?.['now_at'] ?? root)
}

function time(value: unknown): Value {
  return typeof value === 'number' ? value : null
}

function text(value: unknown): Value {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Lanes that another lane says better become copies; with the only exception that a lane alone never yields. */
function yieldLanes(db: Database, lanes: readonly Row[]): Map<number, { id: number; changed: boolean }> {
  const yielded = new Map<number, { id: number; changed: boolean }>()
  for (const lane of lanes) {
    const to = lane['yields_to']
    if (to === null || to === undefined) continue
    const better = lanes.some((other) =>
      to === '*' ? other['yields_to'] !== '*' && !isLost(other) : other['name'] === to,
    )
    if (!better) continue
    const id = Number(lane['id'])
    const { changes } = db.run(
      `UPDATE event SET flags = flags | ${FLAG.copy | FLAG.twin} WHERE lane = ? AND flags & ${FLAG.copy} = 0`,
      id,
    )
    yielded.set(id, { id, changed: changes > 0 })
  }
  return yielded
}

function isLost(lane: Row): boolean {
  return String(lane['name']).endsWith(LOST)
}

/** Facts of the most original lane first, and of a lane what the files beside it say; a session is complete only if all its transcripts are. */
function mergeFacts(lanes: readonly Row[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const lane of lanes) {
    const side = JSON.parse(String(lane['side'])) as Record<string, unknown>
    const facts = { ...(JSON.parse(String(lane['facts'])) as Record<string, unknown>), ...side }
    if (facts['complete'] === false) merged['complete'] = false
    for (const [name, value] of Object.entries(facts)) merged[name] ??= value
  }
  return merged
}

function sumRedactions(lanes: readonly Row[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const lane of lanes) {
    const { redactions = {} } = JSON.parse(String(lane['facts'])) as { redactions?: Record<string, number> }
    for (const [rule, count] of Object.entries(redactions)) sums[rule] = (sums[rule] ?? 0) + count
  }
  return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)))
}

interface Place {
  readonly path: string | null
  readonly mtime: number | null
  readonly size: number | null
  readonly bytes: number
}

/** The main transcript: the main lane's file, else the first other, else where it would be. */
function findPlace(db: Database, lanes: readonly Row[]): Place {
  const files = new Map<number, Row>()
  for (const lane of lanes) {
    if (lane['file'] === null) continue
    const row = db.get('SELECT id, path, size, mtime_ms FROM file WHERE id = ?', Number(lane['file']))
    if (row) files.set(Number(row['id']), row)
  }
  const main = lanes.find((lane) => lane['name'] === MAIN_LANE) ?? lanes[0]
  const file = main?.['file'] == null ? undefined : files.get(Number(main['file']))
  const path = text(main?.['main_path'])
  const isOwn = file && (file['path'] === path || String(file['path']).startsWith(`${path}/`))
  const own = isOwn ? file : undefined
  return {
    path: typeof path === 'string' ? path : null,
    mtime: own ? Number(own['mtime_ms']) / 1000 : null,
    size: own ? Number(own['size']) : null,
    bytes: [...files.values()].reduce((sum, row) => sum + Number(row['size']), 0),
  }
}

/** Times that the agent itself tells hold; else the first and the last event's. */
function countEvents(db: Database, id: number, facts: Record<string, unknown>): void {
  db.run(
    `UPDATE session SET (started_at, ended_at, message_count, prompt_count, tool_count, event_count, retry_count, thread_count,
       row_bytes) = (
       SELECT coalesce(?2, min(e.at) ${RECORDED}), coalesce(?3, max(e.at) ${RECORDED}),
         count(*) FILTER (WHERE e.flags & ${FLAG.messageStart} AND e.flags & ${FLAG.sidechain} = 0 AND e.role IN ('user', 'assistant')),
         count(*) FILTER (WHERE e.flags & ${FLAG.human}),
         count(*) FILTER (WHERE e.kind IN (${CALLS})),
         count(*),
         count(*) FILTER (WHERE e.kind = 'retry'),
         count(DISTINCT e.thread) FILTER (WHERE e.flags & ${FLAG.sidechain}),
         ${ROW_BYTES}
       FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = ?1 AND ${COUNTED})
     WHERE id = ?1`,
    id,
    time(facts['startedAt']),
    time(facts['endedAt']),
  )
}

function countTokens(db: Database, id: number, told: Value): void {
  db.run(
    `UPDATE session SET (responses, input_tokens, output_tokens, cache_read, cache_write_5m, cache_write_1h, reasoning) = (
       SELECT count(*), sum(input), sum(output), sum(cache_read), sum(cache_write_5m), sum(cache_write_1h), sum(reasoning)
       FROM ledger WHERE session = ?1),
       model = coalesce((SELECT model FROM ledger WHERE session = ?1 AND model IS NOT NULL
         GROUP BY model ORDER BY count(*) DESC, model LIMIT 1), ?2)
     WHERE id = ?1`,
    id,
    told,
  )
}

/** The start and the end of a session are told by no record of their own; they stand outside the numbers records take. */
function inferEnds(db: Database, id: number, lanes: readonly Row[]): void {
  const main = lanes.find((lane) => lane['name'] === MAIN_LANE) ?? mostOriginal(lanes)
  const lane = inferredLane(db, id)
  db.run('DELETE FROM event WHERE lane = ?', lane)
  if (!main) return
  const visible = `flags & ${FLAG.sidechain | FLAG.shelved} = 0`
  const first = db.get(`SELECT at FROM event WHERE lane = ? AND ${visible} ORDER BY pos LIMIT 1`, Number(main['id']))
  const last = db.get(
    `SELECT at, kind, text FROM event WHERE lane = ? AND ${visible} AND kind <> 'lifecycle' ORDER BY pos DESC LIMIT 1`,
    Number(main['id']),
  )
  if (!first) return
  insertInferred(db, lane, 0, 'lifecycle', first['at'] ?? null, 'session started')
  if (last?.['kind'] === 'assistant_msg') {
    insertInferred(
      db,
      lane,
      COMPLETION_POS,
      'completion',
      last['at'] ?? null,
      `ended: ${oneLine(String(last['text']), 100)}`,
    )
  }
}

/** The lane that stands in for a missing main transcript: another main one, or a copy of it. */
function mostOriginal(lanes: readonly Row[]): Row | undefined {
  return lanes.find((lane) => lane['originality'] === 0) ?? lanes.find((lane) => lane['originality'] === 2)
}

function inferredLane(db: Database, session: number): number {
  const old = db.get('SELECT id FROM lane WHERE session = ? AND name = ?', session, INFERRED_LANE)
  if (old) return Number(old['id'])
  return db.run(
    'INSERT INTO lane (session, name, base, originality) VALUES (?, ?, ?, 9)',
    session,
    INFERRED_LANE,
    laneBase(INFERRED_LANE),
  ).lastId
}

function insertInferred(db: Database, lane: number, pos: number, kind: string, at: Value, summary: string): void {
  db.run(
    `INSERT INTO event (lane, pos, at, kind, role, summary, flags, native, block, line, exchange, event_class)
     VALUES (?, ?, ?, ?, 'system', ?, ${FLAG.inferred}, ?, 0, 0, 0, 'system')`,
    lane,
    pos,
    at,
    kind,
    summary,
    nativeKey(`${lane}:${pos}`),
  )
}
