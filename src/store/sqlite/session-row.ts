import { COMPLETION_POS, INFERRED_LANE } from '../../model/event.ts'
import type { Facts } from '../../model/facts.ts'
import { nativeKey, shortSessionId } from '../../model/ids.ts'
import { oneLine } from '../../model/text.ts'
import { FLAG } from '../store.ts'
import { boundedSum } from './amounts.ts'
import { noteChange } from './changes.ts'
import { textOf, type Database, type Row, type Value } from './database.ts'
import { indexTitle } from './documents.ts'
import { CALLS, HAPPENED } from './event-conditions.ts'
import { addPart } from './evicted-part.ts'
import { LOST } from './lane-names.ts'
import { saveRest } from './ledger-rest.ts'
import { placeMessages, renameMessages } from './message-ids.ts'
import { markStale } from './rollup.ts'
import {
  billedBy,
  branchesOf,
  endLanes,
  forkOf,
  mainLane,
  mergeFacts,
  sumRedactions,
  yieldingLanes,
} from './session-facts.ts'
import { ORIGINALITY, ownLane, readLanes, type SessionLane } from './session-lanes.ts'
import { sessionTitle } from './session-title.ts'

const SEARCHED = `(e.kind IN (${CALLS}, 'assistant_msg', 'decision', 'thinking', 'error') OR e.flags & ${FLAG.human})`
/** What the rows and the index of a session take on disk, estimated: fixed cost of an event, words kept, words indexed. */
const ROW_BYTES = `CAST(count(*) * 150
  + (total(octet_length(e.text)) + total(octet_length(e.input)) + total(octet_length(e.summary))) * 1.15
  + total(octet_length(e.text)) FILTER (WHERE ${SEARCHED}) * 0.9 AS INTEGER)`
const RECORDED = "FILTER (WHERE e.kind <> 'decision')"

/**
 * Computes a session's row anew from its lanes, events and ledger: a function of what is kept, not of
 * the order it came in. Returns the lanes whose events turned into copies by it.
 */
export function writeSessionRow(db: Database, id: number, now: number): number[] {
  const lanes = readLanes(db, id)
  const yielding = yieldingLanes(lanes)
  const yielded = yielding.filter(({ id: lane }) => copyWhole(db, lane)).map((lane) => lane.id)
  const speaking = lanes.filter((lane) => !yielding.includes(lane))
  const facts = mergeFacts(speaking)
  const old = db.get(
    `SELECT short_id, source, told_title, indexed_title, evicted_at, coalesce(part ->> 'begun', 0) AS begun,
       iif(evicted_at IS NULL, part ->> 'title', coalesce(o.was, session.title)) AS kept_title, o.title AS own_title
     FROM session LEFT JOIN own_title o ON o.session_uid = uid WHERE id = ?`,
    id,
  )
  const spokenLast = inferEnds(db, id, speaking, old?.['begun'] !== 1)
  const own = textOf(old?.['own_title'])
  const given = (own ?? facts.customTitle ?? facts.agentTitle ?? textOf(old?.['told_title'])) || null
  const derived = sessionTitle(db, {
    given,
    kept: textOf(old?.['kept_title']) || null,
    firstPrompt: facts.firstPrompt || null,
    lanes: speaking.map((lane) => lane.id),
  })
  const title = own ?? derived
  if (given !== old?.['indexed_title']) indexTitle(db, id, given)
  markStale(db, id)
  const isComplete = facts.complete === false ? 0 : 1
  if (old?.['evicted_at'] !== null) {
    const { changes } = db.run(
      'UPDATE session SET title = ?1, is_complete = ?2 WHERE id = ?3 AND (title IS NOT ?1 OR is_complete <> ?2)',
      title,
      isComplete,
      id,
    )
    if (changes > 0) noteChange(db, id, 'tagged', now)
    return []
  }
  const place = findPlace(db, speaking)
  const shortId = shortSessionId(String(old?.['source']), place.path)
  placeMessages(db, lanes, shortId)
  if (shortId !== old?.['short_id']) renameMessages(db, id, shortId)
  const branches = branchesOf(speaking)
  db.run(
    `UPDATE session SET short_id = ?, source_path = ?, title = ?, cwd = ?, git_repo = ?, repo_identity = ?, git_branch = ?, branches = ?, parent_uid = ?, inherits = ?,
       is_complete = ?, hidden = ?, automated = ?, redactions = ?, file_mtime = ?, file_size = ?, source_bytes = ?, ingested_at = max(?, coalesce(analyzed_at + 1, 0)) WHERE id = ?`,
    shortId,
    place.path,
    title,
    facts.cwd || null,
    repoPath(db, facts.gitRepo || null),
    facts.repoIdentity || null,
    facts.branch || null,
    branches.length === 0 ? null : JSON.stringify(branches),
    facts.parent || forkOf(speaking),
    facts.inherits === undefined ? null : JSON.stringify(facts.inherits),
    isComplete,
    facts.hidden === true ? 1 : 0,
    facts.automated === true ? 1 : 0,
    JSON.stringify(sumRedactions(speaking)),
    place.mtime,
    place.size,
    place.bytes,
    now,
    id,
  )
  countEvents(db, id, facts)
  addPart(db, id, spokenLast)
  saveRest(db, id, billedBy(speaking))
  countTokens(db, id, facts.model || null)
  return yielded
}

function repoPath(db: Database, root: string | null): Value {
  return root === null ? null : (db.get('SELECT now_at FROM moved_repo WHERE root = ?', root)?.['now_at'] ?? root)
}

/** Another lane says all of it better; true if that is new. */
function copyWhole(db: Database, lane: number): boolean {
  const copy = `UPDATE event SET flags = flags | ${FLAG.copy | FLAG.twin} WHERE lane = ? AND flags & ${FLAG.copy} = 0`
  return db.run(copy, lane).changes > 0
}

interface Place {
  readonly path: string
  readonly mtime: number | null
  readonly size: number | null
  readonly bytes: number
}

/** The main transcript: the main lane's file, else the first other, else where it would be. */
function findPlace(db: Database, lanes: readonly SessionLane[]): Place {
  const files = new Map<number, Row>()
  for (const { file, originality } of lanes) {
    // A log of all prompts grows with every session: its size is none's.
    if (file === null || originality === ORIGINALITY.promptLog) continue
    const row = db.get('SELECT path, size, mtime_ms FROM file WHERE id = ?', file)
    if (row) files.set(file, row)
  }
  const main = mainLane(lanes)
  const path = main?.mainPath ?? ''
  const file = files.get(main?.file ?? -1)
  const isOwn = path !== '' && (file?.['path'] === path || String(file?.['path']).startsWith(`${path}/`))
  const own = isOwn ? file : undefined
  return {
    path,
    mtime: own ? Number(own['mtime_ms']) / 1000 : null,
    size: own ? Number(own['size']) : null,
    bytes: [...files.values()].reduce((sum, row) => sum + Number(row['size']), 0),
  }
}

/** Times that the agent itself tells hold; else the first and the last event's. */
function countEvents(db: Database, id: number, facts: Partial<Facts>): void {
  db.run(
    `UPDATE session SET (started_at, ended_at, message_count, prompt_count, tool_count, event_count, retry_count, thread_count,
       spoken, row_bytes) = (
       SELECT coalesce(?2, min(e.at) ${RECORDED}), coalesce(?3, max(e.at) ${RECORDED}),
         count(*) FILTER (WHERE e.flags & ${FLAG.messageStart} AND e.flags & ${FLAG.sidechain} = 0 AND e.role IN ('user', 'assistant')),
         count(*) FILTER (WHERE e.flags & ${FLAG.human | FLAG.remark} = ${FLAG.human}),
         count(*) FILTER (WHERE e.kind IN (${CALLS}) AND l.originality <> ${ORIGINALITY.passing}),
         count(*),
         count(*) FILTER (WHERE e.kind = 'retry'),
         count(DISTINCT e.thread) FILTER (WHERE e.flags & ${FLAG.sidechain}),
         count(*) FILTER (WHERE e.kind IN ('assistant_msg', 'thinking') AND e.text <> ''),
         ${ROW_BYTES}
       FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = ?1 AND ${HAPPENED})
     WHERE id = ?1`,
    id,
    facts.startedAt ?? null,
    facts.endedAt ?? null,
  )
}

function countTokens(db: Database, id: number, model: Value): void {
  db.run(
    `UPDATE session SET (responses, input_tokens, output_tokens, cache_read, cache_write_5m, cache_write_1h, reasoning) = (
       SELECT count(*), ${boundedSum('input')}, ${boundedSum('output')}, ${boundedSum('cache_read')}, ${boundedSum('cache_write_5m')}, ${boundedSum('cache_write_1h')}, ${boundedSum('reasoning')}
       FROM ledger WHERE session = ?1),
       model = coalesce((SELECT model FROM ledger WHERE session = ?1 AND model IS NOT NULL
         GROUP BY model ORDER BY count(*) DESC, model LIMIT 1), ?2)
     WHERE id = ?1`,
    id,
    model,
  )
}

/**
 * The start and the end of a session are told by no record of their own; they stand outside the numbers records take.
 * The start goes with the words at the start. Says whether there are any words to end with.
 */
function inferEnds(db: Database, id: number, lanes: readonly SessionLane[], fromStart: boolean): boolean {
  const lane = ownLane(db, id, INFERRED_LANE, ORIGINALITY.inferred)
  db.run('DELETE FROM event WHERE lane = ?', lane)
  const [start, end] = endLanes(lanes)
  if (!start || !end) return false
  const first = endWord(db, id, start.name, 'ORDER BY e.pos')
  const last = endWord(db, id, end.name, "AND e.kind <> 'lifecycle' ORDER BY e.pos DESC")
  if (!first) return false
  if (fromStart) insertInferred(db, lane, 0, 'lifecycle', first['at'] ?? null, 'session started')
  if (last?.['kind'] === 'assistant_msg') {
    const summary = `ended: ${oneLine(String(last['text']), 100)}`
    insertInferred(db, lane, COMPLETION_POS, 'completion', last['at'] ?? null, summary)
  }
  return last !== undefined
}

/** The first that is there of a lane's events; where it has lost all it had, of those. */
function endWord(db: Database, session: number, lane: string, which: string): Row | undefined {
  const word = (name: string) =>
    db.get(
      `SELECT e.at, e.kind, e.text FROM lane l JOIN event e ON e.lane = l.id
       WHERE l.session = ? AND l.name = ? AND e.flags & ${FLAG.sidechain | FLAG.aside} = 0 ${which} LIMIT 1`,
      session,
      name,
    )
  return word(lane) ?? word(`${lane}${LOST}`)
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
