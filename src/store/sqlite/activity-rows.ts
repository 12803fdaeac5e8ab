import type { DigestEvent } from '../../model/digest.ts'
import { DECISIONS_LANE, type EventKind, type Role } from '../../model/event.ts'
import { NO_MARKS } from '../../model/marks.ts'
import type { Moments } from '../activity.ts'
import { FLAG } from '../store.ts'
import { numberOf, type Database, type Row, type Value } from './database.ts'
import { rollUpMeanwhile } from './rollup.ts'
import { HAPPENED } from './event-conditions.ts'

/** For a session `s`: what is kept of who was at work when is all there is to know of it. */
export const IS_KEPT = `EXISTS (SELECT 1 FROM course c WHERE c.session = s.id) AND (s.evicted_at IS NOT NULL
  OR NOT EXISTS (SELECT 1 FROM uncharted u WHERE u.session = s.id)
    AND NOT EXISTS (SELECT 1 FROM stale_rollup r WHERE r.session = s.id))`

export const PROJECT = 'coalesce(s.git_repo, s.cwd) AS project'
const HUMAN_OR_SIDECHAIN = FLAG.human | FLAG.sidechain
const NONE: readonly never[] = []

/** Without, whatever has moments at all has spans that tell them. */
export function hasUncharted(db: Database): boolean {
  return db.get('SELECT 1 FROM uncharted UNION ALL SELECT 1 FROM stale_rollup LIMIT 1') !== undefined
}

const KEEP = 'INSERT INTO course (session, spans) VALUES (?1, ?2) ON CONFLICT (session) DO UPDATE SET spans = ?2'

export function keepSpans(db: Database, session: number, spans: string): void {
  db.run(KEEP, session, spans)
  db.run('DELETE FROM uncharted WHERE session = ?', session)
}

/** Keeps who was at work when in sessions that have changed since. */
export function keepActivity(db: Database, tell: (moments: Moments) => string): void {
  db.transaction(() => {
    rollUpMeanwhile(db)
    if (!db.get('SELECT 1 FROM uncharted LIMIT 1')) return
    const insert = db.hot(KEEP)
    const changed = eachMoments(db, 's.id IN (SELECT session FROM uncharted)', [])
    for (const [row, moments] of changed) insert.run(row['id'] ?? 0, tell(moments))
    db.run('DELETE FROM uncharted')
  })
}

/** The moments of sessions `s` that fit a condition. One row a session: a row an event would take ten times as long. */
export function* eachMoments(db: Database, condition: string, values: readonly Value[]): Generator<[Row, Moments]> {
  const rows = db.each(
    `SELECT s.id, s.uid, ${PROJECT}, s.started_at, s.ended_at, (SELECT c.part FROM course c WHERE c.session = s.id) AS before,
       group_concat((l.base + e.pos) || ' ' || e.at || ' ' || e.kind || ' ' || e.role || ' ' || (e.flags & ${HUMAN_OR_SIDECHAIN}), ';') AS events
     FROM session s JOIN lane l ON l.session = s.id JOIN event e ON e.lane = l.id
     WHERE ${condition} AND s.evicted_at IS NULL AND l.name <> ?
       AND e.at IS NOT NULL AND ${HAPPENED}
     GROUP BY s.id`,
    ...values,
    DECISIONS_LANE,
  )
  for (const row of rows) {
    const events = String(row['events']).split(';').map(toMoment)
    events.sort((a, b) => a.seq - b.seq)
    const before = String(row['before'] ?? '')
    yield [row, { events, before, startedAt: numberOf(row['started_at']), endedAt: numberOf(row['ended_at']) }]
  }
}

function toMoment(packed: string): DigestEvent {
  const [seq, at, kind, role, flags] = packed.split(' ')
  return {
    seq: Number(seq),
    at: Number(at),
    kind: kind as EventKind,
    role: role as Role,
    tool: null,
    summary: '',
    text: null,
    base: null,
    sub: null,
    call: null,
    eventClass: 'other',
    human: (Number(flags) & FLAG.human) !== 0,
    sidechain: (Number(flags) & FLAG.sidechain) !== 0,
    superseded: false,
    thread: null,
    exchange: 0,
    tests: null,
    files: NONE,
    made: NONE,
    marks: NO_MARKS,
  }
}
