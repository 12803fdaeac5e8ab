import type { TimeSpent } from '../../model/digest.ts'
import type {
  Activity,
  ActivityFilter,
  ActivityQueries,
  Made,
  PastSession,
  SessionSignal,
  SignalFilter,
  Unplaced,
} from '../activity.ts'
import { FLAG } from '../store.ts'
import { eachMoments, hasUncharted, IS_KEPT, PROJECT } from './activity-rows.ts'
import { textOf, numberOf, type Database, type Value } from './database.ts'
import { allOf, type Condition } from './conditions.ts'
import { between, sessionWhere, touchingWhere, wheneverWhere } from './session-conditions.ts'
import { HAPPENED } from './event-conditions.ts'

export function activityQueries(db: Database): ActivityQueries {
  return {
    activities: async (filter) => readActivities(db, filter),
    unplaced: async (filter) => readUnplaced(db, filter),
    untimed: async (filter) => countUntimed(db, filter),
    sessionsWithin: async (filter) => readSessions(db, filter),
    promptAt: async (uid, at) => findPrompt(db, uid, at),
    made: async (filter) => readMade(db, filter),
    signals: async (filter) => readSignals(db, filter),
  }
}

/** A condition on sessions that touch the time. */
function touching(filter: ActivityFilter, hidden = true): Condition {
  const { since: _, before: __, ...sessions } = filter.sessions
  return allOf(touchingWhere(filter), sessionWhere({ ...sessions, ...(hidden ? { hidden } : {}) }))
}

function* readActivities(db: Database, filter: ActivityFilter): Generator<Activity> {
  const { sql, values } = touching(filter)
  const rows = db.lists(
    `SELECT s.uid, ${PROJECT}, k.spans FROM session s JOIN course k ON k.session = s.id WHERE ${sql} AND ${IS_KEPT}`,
    ...values,
  )
  for (const [uid, project, spans] of rows) yield { uid: String(uid), project: textOf(project), spans: String(spans) }
  if (!hasUncharted(db)) return
  for (const [row, spans] of eachMoments(db, `${sql} AND NOT (${IS_KEPT})`, values))
    yield { uid: String(row['uid']), project: textOf(row['project']), spans }
}

/** Sorted at the end (`+`): few have gone, and to go through all in order takes longer. */
function readUnplaced(db: Database, filter: ActivityFilter): Unplaced[] {
  const { sql, values } = touching(filter)
  const rows = db.all(
    `SELECT s.uid, ${PROJECT}, json_extract(d.json, '$.time') AS time FROM session s LEFT JOIN digests d ON d.session_uid = s.uid
     WHERE s.evicted_at IS NOT NULL AND ${sql} AND NOT (${IS_KEPT}) ORDER BY +s.uid`,
    ...values,
  )
  return rows.map((row) => ({
    uid: String(row['uid']),
    project: textOf(row['project']),
    time: row['time'] === null ? null : (JSON.parse(String(row['time'])) as TimeSpent),
  }))
}

function countUntimed(db: Database, filter: ActivityFilter): number {
  const { sql, values } = touching(filter)
  const row = db.get(
    `SELECT count(*) AS n FROM session s WHERE ${sql} AND (s.started_at IS NULL OR s.ended_at IS NULL)`,
    ...values,
  )
  return Number(row?.['n'] ?? 0)
}

function readSessions(db: Database, filter: ActivityFilter): PastSession[] {
  const { since = Number.MIN_SAFE_INTEGER, before = Number.MAX_SAFE_INTEGER } = filter
  const { sql, values } = touching(filter, false)
  const rows = db.lists(
    `SELECT s.id, s.uid, s.title, s.cwd, s.git_repo, s.started_at, s.ended_at, s.outcome, s.analyzed_at, s.evicted_at
     FROM session s WHERE ${sql}`,
    ...values,
  )
  const happened = (session: PastSession) =>
    db.get(
      `SELECT 1 FROM lane l JOIN event e ON e.lane = l.id
       WHERE l.session = ? AND e.at >= ? AND e.at < ? AND ${HAPPENED} LIMIT 1`,
      session.rowId,
      since,
      before,
    ) !== undefined
  const spansBoth = ({ startedAt, endedAt }: PastSession) => (startedAt ?? since) < since && (endedAt ?? 0) >= before
  return rows
    .map(toPast)
    .filter((session) => session.evictedAt !== null || !spansBoth(session) || happened(session))
    .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (a.uid < b.uid ? -1 : 1))
}

function toPast([id, uid, title, cwd, repo, started, ended, outcome, analyzed, evicted]: Value[]): PastSession {
  return {
    rowId: Number(id),
    uid: String(uid),
    title: textOf(title),
    cwd: textOf(cwd),
    gitRepo: textOf(repo),
    startedAt: numberOf(started),
    endedAt: numberOf(ended),
    outcome: String(outcome),
    analyzedAt: numberOf(analyzed),
    evictedAt: numberOf(evicted),
  }
}

function findPrompt(db: Database, uid: string, at: number): number | null {
  const row = db.get(
    `SELECT l.base + e.pos AS seq FROM session s JOIN lane l ON l.session = s.id JOIN event e ON e.lane = l.id
     WHERE s.uid = ? AND e.at = ? AND e.flags & ${FLAG.human} AND ${HAPPENED} ORDER BY seq LIMIT 1`,
    uid,
    at,
  )
  return row === undefined ? null : Number(row['seq'])
}

function readMade(db: Database, filter: ActivityFilter): Made[] {
  const { sql, values } = allOf(wheneverWhere(filter.sessions), between('e.at', filter), ['e.at IS NOT NULL'])
  // In this order: few events make something, and the planner would rather look at all events of all sessions.
  const rows = db.all(
    `SELECT s.uid, l.base + e.pos AS seq, m.kind, m.value
     FROM made m CROSS JOIN event e ON e.id = m.event CROSS JOIN lane l ON l.id = e.lane CROSS JOIN session s ON s.id = l.session
     WHERE ${sql} AND ${HAPPENED} ORDER BY s.uid, seq, m.kind, m.value`,
    ...values,
  )
  return rows.map((row) => ({
    uid: String(row['uid']),
    seq: Number(row['seq']),
    kind: row['kind'] === 'pr' ? 'pr' : 'commit',
    value: String(row['value']),
  }))
}

function readSignals(db: Database, { sessions, since, kinds }: SignalFilter): SessionSignal[] {
  const time = touchingWhere(since === undefined ? {} : { since })
  const named = sessions === undefined ? 'TRUE' : 's.id IN (SELECT value FROM json_each(?))'
  // Not by the index (`+`): a session has few signals, and to look for each kind takes longer than to pass over some.
  const wanted = kinds === undefined ? 'TRUE' : `+g.kind IN (${kinds.map(() => '?').join(', ')})`
  const rows = db.lists(
    `SELECT s.uid, coalesce(s.ended_at, s.started_at) AS at, g.kind, g.fingerprint, g.summary, g.count, g.tool, g.seqs,
       g.denied_by
     FROM session s CROSS JOIN signal g ON g.session = s.id
     WHERE ${time.sql} AND ${named} AND ${wanted} ORDER BY at, s.uid, g.kind, g.count DESC, g.fingerprint`,
    ...time.values,
    ...(sessions === undefined ? [] : [JSON.stringify(sessions)]),
    ...(kinds ?? []),
  )
  return rows.map(toSignal)
}

function toSignal([uid, at, kind, fingerprint, summary, count, tool, seqs, by]: Value[]): SessionSignal {
  return {
    sessionUid: String(uid),
    at: at === null ? null : Number(at),
    kind: String(kind) as SessionSignal['kind'],
    fingerprint: String(fingerprint),
    summary: String(summary),
    count: Number(count),
    tool: textOf(tool),
    seqs: JSON.parse(String(seqs)) as number[],
    by: textOf(by) as SessionSignal['by'] & string,
  }
}
