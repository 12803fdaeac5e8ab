import type { Digest } from '../../model/digest.ts'
import { COMPLETION_POS, INFERRED_LANE } from '../../model/event.ts'
import type { Database, Row, Value } from './database.ts'
import { dropDigestLane } from './digest-text.ts'
import { CALLED, RAN, TOUCHED, type Rollup } from './rollup.ts'

/** Sums that come from events: those of an evicted part are kept apart and added. */
export const EVENT_ROLLUPS: readonly Rollup[] = [CALLED, RAN, TOUCHED]
const COUNTS = ['message_count', 'prompt_count', 'tool_count', 'event_count', 'retry_count', 'thread_count'] as const

/**
 * Before the events of a session go: notes how far its lanes have been read, and whether an inferred start or end goes
 * with them. What was kept of an earlier part is in the whole by now.
 */
export function markEvicted(db: Database, session: number): void {
  db.run(
    `UPDATE lane SET
       evicted_until = coalesce(max(evicted_until, at), evicted_until, at), evicted_line = max(coalesce(evicted_line, 0), line)
     FROM (SELECT e.lane, max(e.at) AS at, max(e.line) AS line FROM lane l JOIN event e ON e.lane = l.id
           WHERE l.session = ?1 GROUP BY e.lane) x
     WHERE lane.id = x.lane`,
    session,
  )
  db.run(
    `UPDATE session SET evicted_start = coalesce(part ->> 'begun', 0) OR ${inferredAt('0')},
       evicted_end = coalesce(part ->> 'ended', 0) OR ${inferredAt(String(COMPLETION_POS))} WHERE id = ?`,
    session,
  )
  forgetPart(db, session)
}

function inferredAt(pos: string): string {
  return `EXISTS (SELECT 1 FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = session.id AND l.name = '${INFERRED_LANE}' AND e.pos = ${pos})`
}

function forgetPart(db: Database, session: number): void {
  db.run('UPDATE session SET part_evicted_at = NULL, part = NULL WHERE id = ?', session)
  db.run('UPDATE digests SET part = NULL WHERE session_uid = (SELECT uid FROM session WHERE id = ?)', session)
  db.run('UPDATE signal SET part_count = 0 WHERE session = ?', session)
  db.run('UPDATE course SET part = NULL WHERE session = ?', session)
  for (const { table } of EVENT_ROLLUPS) db.run(`DELETE FROM part_${table} WHERE session = ?`, session)
}

/** How far a lane had been read when its events went; null if they never did. */
export interface EvictedMark {
  readonly until: number | null
  readonly line: number
}

export function evictedMark(row: Row | undefined): EvictedMark | null {
  if (row === undefined || row['evicted_line'] === null || row['evicted_line'] === undefined) return null
  return {
    until: row['evicted_until'] === null ? null : Number(row['evicted_until']),
    line: Number(row['evicted_line']),
  }
}

/**
 * Of events in the order of a transcript that is read from its first byte, those that came after the eviction. By time,
 * which holds however the transcript was rewritten; by line where there is none, or it is the very time.
 */
export function newWords<E extends { readonly at: number | null; readonly line: number }>(
  events: readonly E[],
  { until, line }: EvictedMark,
): readonly E[] {
  let latest: number | null = null
  return events.filter((event) => {
    if (event.at !== null) latest = Math.max(latest ?? event.at, event.at)
    return latest === null || until === null || latest === until ? event.line > line : latest > until
  })
}

/** New words of an evicted session: what went stays gone, and all that is known of it is kept to be added to. */
export function returnPart(db: Database, session: number): void {
  db.run(
    `UPDATE session SET part_evicted_at = evicted_at, evicted_at = NULL, evict_reason = NULL, part = json_object(
       ${COUNTS.map((name) => `'${name}', ${name}`).join(', ')}, 'started_at', started_at, 'ended_at', ended_at, 'begun', evicted_start, 'ended', evicted_end, 'title', title, 'redactions', json(redactions))
     WHERE id = ?`,
    session,
  )
  db.run('UPDATE digests SET part = json WHERE session_uid = (SELECT uid FROM session WHERE id = ?)', session)
  db.run('UPDATE signal SET part_count = count WHERE session = ?', session)
  db.run('UPDATE course SET part = spans WHERE session = ?', session)
  for (const { table } of EVENT_ROLLUPS) {
    db.run(`DELETE FROM part_${table} WHERE session = ?`, session)
    db.run(`INSERT INTO part_${table} SELECT * FROM ${table} WHERE session = ?`, session)
  }
}

/** As a session stood before its new words came: for a store that is made anew and reads those again. */
export function evictAgain(db: Database, session: number): void {
  db.run(
    `UPDATE session SET part = json_set(part, '$.event_count', (part ->> 'event_count') + evicted_end - (part ->> 'ended')) WHERE id = ?`,
    session,
  )
  db.run(
    `UPDATE session SET evicted_at = part_evicted_at, evict_reason = 'budget', row_bytes = 0, part_evicted_at = NULL, part = NULL,
       ${COUNTS.map((name) => `${name} = part ->> '${name}'`).join(', ')} WHERE id = ?`,
    session,
  )
  db.run(
    'UPDATE digests SET json = part, part = NULL WHERE session_uid = (SELECT uid FROM session WHERE id = ?)',
    session,
  )
  db.run('DELETE FROM signal WHERE session = ? AND part_count = 0', session)
  db.run('UPDATE signal SET count = part_count, part_count = 0 WHERE session = ?', session)
  db.run('UPDATE course SET spans = part, part = NULL WHERE session = ? AND part IS NOT NULL', session)
}

/** A session is read again from its first word: its own words take the digest's place. */
export function returnWhole(db: Database, session: number): void {
  db.run('UPDATE session SET evicted_at = NULL, evict_reason = NULL WHERE id = ?', session)
  db.run('UPDATE lane SET evicted_until = NULL, evicted_line = NULL WHERE session = ?', session)
  forgetPart(db, session)
  dropDigestLane(db, session)
}

/** Adds to a session's row what its evicted part counted. The end that was inferred there is none if words follow it. */
export function addPart(db: Database, session: number, wordsFollow: boolean): void {
  if (wordsFollow) {
    db.run(
      `UPDATE session SET part = json_set(part, '$.event_count', (part ->> 'event_count') - (part ->> 'ended'), '$.ended', 0)
       WHERE id = ? AND part ->> 'ended' = 1`,
      session,
    )
  }
  const sums = COUNTS.map((name) => `${name} = ${name} + coalesce(part ->> '${name}', 0)`).join(', ')
  const first = "min(coalesce(started_at, part ->> 'started_at'), coalesce(part ->> 'started_at', started_at))"
  const last = "max(coalesce(ended_at, part ->> 'ended_at'), coalesce(part ->> 'ended_at', ended_at))"
  db.run(
    `UPDATE session SET ${sums}, started_at = ${first}, ended_at = ${last} WHERE id = ? AND part IS NOT NULL`,
    session,
  )
}

/** In a query over sessions s: the end that was inferred for the evicted part is none any more. */
export const END_IS_OVER = "s.evicted_end > (s.part ->> 'ended')"

/** The digest of an evicted part. */
export function readPart(json: string, endIsOver: boolean): Digest {
  const digest = JSON.parse(json) as Digest
  if (!endIsOver) return digest
  const { completion = 1, ...kinds } = digest.kind_counts
  const kind_counts = completion > 1 ? { ...kinds, completion: completion - 1 } : kinds
  return { ...digest, event_count: digest.event_count - 1, kind_counts }
}

/** What was taken out of the evicted part, by rule. */
export function partRedactions(part: Value | undefined): Record<string, number> {
  if (typeof part !== 'string') return {}
  return ((JSON.parse(part) as { redactions?: Record<string, number> }).redactions ?? {}) as Record<string, number>
}
