import { COMPLETION_POS, DECISIONS_LANE, INFERRED_LANE, MAIN_LANE, laneBase } from '../../model/event.ts'
import { nativeKey, shortSessionId } from '../../model/ids.ts'
import type { SessionBill } from '../../model/facts.ts'
import { oneLine } from '../../model/text.ts'
import { FLAG } from '../store.ts'
import { boundedSum } from './amounts.ts'
import { noteChange } from './changes.ts'
import type { Database, Row, Value } from './database.ts'
import { indexTitle } from './documents.ts'
import { markStale } from './rollup.ts'
import { sessionTitle } from './session-title.ts'
import { inWrittenOrder, isTranscript, placeMessages, PROMPT_LOG, renameMessages } from './transcripts.ts'
import { addPart } from './evicted-part.ts'
import { saveRest } from './ledger-rest.ts'
import { CALLS, HAPPENED } from './event-conditions.ts'
import { LOST } from './lane-names.ts'

const SEARCHED = `(e.kind IN (${CALLS}, 'assistant_msg', 'decision', 'thinking', 'error') OR e.flags & ${FLAG.human})`
/** What the rows and the index of a session take on disk, estimated: fixed cost of an event, words kept, words indexed. */
const ROW_BYTES = `CAST(count(*) * 150
  + (total(octet_length(e.text)) + total(octet_length(e.input)) + total(octet_length(e.summary))) * 1.15
  + total(octet_length(e.text)) FILTER (WHERE ${SEARCHED}) * 0.9 AS INTEGER)`
/** Calls that were seen in passing, in the transcript of another thread, are told but not counted. */
const PASSING = 3
const RECORDED = "FILTER (WHERE e.kind <> 'decision')"

/**
 * Computes a session's row anew from its lanes, events and ledger: a function of what is kept, not of
 * the order it came in. Returns the lanes whose events turned into copies by it.
 */
export function settleSession(db: Database, id: number, now: number): number[] {
  const rows = db.all(
    `SELECT id, name, originality, yields_to, file, main_path, facts, side, message_base, fork_of FROM lane
     WHERE session = ? AND name NOT IN ('${INFERRED_LANE}', '${DECISIONS_LANE}')
     ORDER BY originality, name`,
    id,
  )
  const lanes = inWrittenOrder(db, rows)
  const yielded = yieldLanes(db, lanes)
  const speaking = lanes.filter((lane) => !yielded.has(Number(lane['id'])))
  const facts = mergeFacts(speaking)
  const old = db.get(
    `SELECT short_id, source, told_title, indexed_title, evicted_at, coalesce(part ->> 'begun', 0) AS begun,
       iif(evicted_at IS NULL, part ->> 'title', title) AS kept_title FROM session WHERE id = ?`,
    id,
  )
  const spokenLast = inferEnds(db, id, speaking, old?.['begun'] !== 1)
  const place = findPlace(db, speaking)
  const told = text(facts['customTitle'] ?? facts['agentTitle'] ?? old?.['told_title'])
  const title = sessionTitle(db, {
    told,
    kept: text(old?.['kept_title']),
    firstPrompt: text(facts['firstPrompt']),
    lanes: speaking.map((lane) => Number(lane['id'])),
  })
  if (told !== old?.['indexed_title']) indexTitle(db, id, told === null ? null : String(told))
  markStale(db, id)
  const isComplete = facts['complete'] === false ? 0 : 1
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
  const path = place.path ?? ''
  const shortId = shortSessionId(String(old?.['source']), path)
  placeMessages(db, lanes, shortId)
  if (shortId !== old?.['short_id']) renameMessages(db, id, shortId)
  db.run(
    `UPDATE session SET short_id = ?, source_path = ?, title = ?, cwd = ?, git_repo = ?, repo_identity = ?, git_branch = ?, branches = ?, parent_uid = ?, inherits = ?,
       is_complete = ?, hidden = ?, automated = ?, redactions = ?, file_mtime = ?, file_size = ?, source_bytes = ?, ingested_at = max(?, coalesce(analyzed_at + 1, 0)) WHERE id = ?`,
    shortId,
    path,
    title,
    text(facts['cwd']),
    repoPath(db, text(facts['gitRepo'])),
    text(facts['repoIdentity']),
    text(facts['branch']),
    branchesOf(speaking),
    text(facts['parent']) ?? forkOf(speaking),
    facts['inherits'] === undefined ? null : JSON.stringify(facts['inherits']),
    isComplete,
    facts['hidden'] === true ? 1 : 0,
    facts['automated'] === true ? 1 : 0,
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

/** What the transcript that was written last says of a session holds. */
const LATEST_HOLDS: ReadonlySet<string> = new Set(['customTitle', 'agentTitle', 'model', 'version', 'endedAt'])

/**
 * Facts of the most original lane first, of several transcripts those of the first but for what the last knows better,
 * and of a lane what the files beside it say; a session is complete only if all its transcripts are.
 */
function mergeFacts(lanes: readonly Row[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const lane of lanes) {
    const facts = factsOf(lane)
    if (facts['complete'] === false) merged['complete'] = false
    for (const [name, value] of Object.entries(facts)) {
      if (LATEST_HOLDS.has(name) && isTranscript(lane)) merged[name] = value
      else merged[name] ??= value
    }
  }
  return merged
}

function factsOf(lane: Row): Record<string, unknown> {
  const side = JSON.parse(String(lane['side'])) as Record<string, unknown>
  return { ...(JSON.parse(String(lane['facts'])) as Record<string, unknown>), ...side }
}

/** Every branch that a session's transcripts name, or of its subagents' where those are all that is left. */
function branchesOf(lanes: readonly Row[]): Value {
  const named = (of: readonly Row[]) => new Set(of.flatMap((lane) => (factsOf(lane)['branches'] as string[]) ?? []))
  const own = named(lanes.filter(isTranscript))
  const all = [...(own.size > 0 ? own : named(lanes))]
  return all.length === 0 ? null : JSON.stringify(all)
}

/** Whose fork a session is by the records that it shares. */
function forkOf(lanes: readonly Row[]): Value {
  return text(lanes.find((lane) => isTranscript(lane) && lane['fork_of'] !== null)?.['fork_of'])
}

/** What the agent itself says was billed, and the lane of the transcript that says so. */
function billedBy(lanes: readonly Row[]): { lane: number; bill: SessionBill } | null {
  const lane = lanes.findLast((one) => isTranscript(one) && factsOf(one)['billed'] !== undefined)
  return lane === undefined ? null : { lane: Number(lane['id']), bill: factsOf(lane)['billed'] as SessionBill }
}

function sumRedactions(lanes: readonly Row[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const lane of lanes) {
    const { redactions = {} } = JSON.parse(String(lane['facts'])) as { redactions?: Record<string, number> }
    for (const [rule, count] of Object.entries(redactions)) sums.set(rule, (sums.get(rule) ?? 0) + count)
  }
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
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
    // A log of all prompts grows with every session: its size is none's.
    if (lane['file'] === null || lane['originality'] === PROMPT_LOG) continue
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
       spoken, row_bytes) = (
       SELECT coalesce(?2, min(e.at) ${RECORDED}), coalesce(?3, max(e.at) ${RECORDED}),
         count(*) FILTER (WHERE e.flags & ${FLAG.messageStart} AND e.flags & ${FLAG.sidechain} = 0 AND e.role IN ('user', 'assistant')),
         count(*) FILTER (WHERE e.flags & ${FLAG.human | FLAG.remark} = ${FLAG.human}),
         count(*) FILTER (WHERE e.kind IN (${CALLS}) AND l.originality <> ${PASSING}),
         count(*),
         count(*) FILTER (WHERE e.kind = 'retry'),
         count(DISTINCT e.thread) FILTER (WHERE e.flags & ${FLAG.sidechain}),
         count(*) FILTER (WHERE e.kind IN ('assistant_msg', 'thinking') AND e.text <> ''),
         ${ROW_BYTES}
       FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = ?1 AND ${HAPPENED})
     WHERE id = ?1`,
    id,
    time(facts['startedAt']),
    time(facts['endedAt']),
  )
}

function countTokens(db: Database, id: number, told: Value): void {
  db.run(
    `UPDATE session SET (responses, input_tokens, output_tokens, cache_read, cache_write_5m, cache_write_1h, reasoning) = (
       SELECT count(*), ${boundedSum('input')}, ${boundedSum('output')}, ${boundedSum('cache_read')}, ${boundedSum('cache_write_5m')}, ${boundedSum('cache_write_1h')}, ${boundedSum('reasoning')}
       FROM ledger WHERE session = ?1),
       model = coalesce((SELECT model FROM ledger WHERE session = ?1 AND model IS NOT NULL
         GROUP BY model ORDER BY count(*) DESC, model LIMIT 1), ?2)
     WHERE id = ?1`,
    id,
    told,
  )
}

/**
 * The start and the end of a session are told by no record of their own; they stand outside the numbers records take.
 * The start goes with the words at the start. Says whether there are any words to end with.
 */
function inferEnds(db: Database, id: number, lanes: readonly Row[], fromStart: boolean): boolean {
  const transcripts = lanes.filter(isTranscript)
  const start = transcripts[0] ?? mostOriginal(lanes)
  const main = transcripts.at(-1) ?? start
  const lane = inferredLane(db, id)
  db.run('DELETE FROM event WHERE lane = ?', lane)
  if (!start || !main) return false
  const first = endWord(db, id, start, 'ORDER BY e.pos')
  const last = endWord(db, id, main, "AND e.kind <> 'lifecycle' ORDER BY e.pos DESC")
  if (!first) return false
  if (fromStart) insertInferred(db, lane, 0, 'lifecycle', first['at'] ?? null, 'session started')
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
  return last !== undefined
}

/** The first that is there of a lane's events; where it has lost all it had, of those. */
function endWord(db: Database, session: number, lane: Row, which: string): Row | undefined {
  const word = (name: string) =>
    db.get(
      `SELECT e.at, e.kind, e.text FROM lane l JOIN event e ON e.lane = l.id
       WHERE l.session = ? AND l.name = ? AND e.flags & ${FLAG.sidechain | FLAG.shelved} = 0 ${which} LIMIT 1`,
      session,
      name,
    )
  return word(String(lane['name'])) ?? word(`${lane['name']}${LOST}`)
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
