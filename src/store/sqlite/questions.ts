import { QUARTER_MS } from '../insight.ts'
import type { Judge, QuestionSum } from '../permissions.ts'
import type { UsageFilter } from '../store.ts'
import type { Database, Row, Value } from './database.ts'
import { readMeta } from './meta.ts'
import { placesOf } from './session-groups.ts'
import { ASKED, CALLS, COUNTED } from './event-conditions.ts'

/** Nobody thinks longer about a question: they were away. */
const LONGEST_MS = 3_600_000
/** A result is not farther from its call. */
const NEAR = 4096

/** A question whether a call may happen, as a log tells of it. */
export interface Asked {
  readonly session: number
  readonly quarter: number
  readonly tool: string
  /** Of a shell: the command line. */
  readonly command: string | null
  readonly isCompound: boolean
  readonly input: string | null
  readonly isCommented: boolean
  readonly waitedMs: number
  readonly at: number | null
  readonly event: number
}

/**
 * The questions in these lanes. Where a log does not tell how long one waited, and a person said no, it is the time
 * between the call and the answer: nothing else took place.
 */
export function readAsked(db: Database, lanes: string): Asked[] {
  const rows = db.all(
    `SELECT l.session, coalesce(CAST(e.at AS INTEGER) / ${QUARTER_MS}, -1) AS quarter, e.tool, e.text, e.flags & 32 AS compound,
       e.input, e.at, e.id, x.marks ->> 'waitedMs' AS waited,
       CASE WHEN x.marks ->> 'denied' = 'person' THEN x.at - e.at END AS gap,
       EXISTS (SELECT 1 FROM event c WHERE c.lane = x.lane AND c.pos > x.pos AND c.pos < x.pos + 16
         AND c.parent = e.pos AND c.marks ->> 'onDenial' = 1) AS commented
     FROM lane l JOIN event x ON x.lane = l.id JOIN event e ON e.id = (
       SELECT y.id FROM event y WHERE y.lane = x.lane AND y.pos < x.pos AND y.pos > x.pos - ${NEAR} AND y.call = x.call
         AND y.kind IN (${CALLS}) ORDER BY y.pos DESC LIMIT 1)
     WHERE l.id IN ${lanes} AND x.kind IN ('tool_result', 'error') AND x.call IS NOT NULL AND ${ASKED} AND ${COUNTED}`,
  )
  return rows.map((row) => ({
    session: Number(row['session']),
    quarter: Number(row['quarter']),
    tool: String(row['tool'] ?? ''),
    command: text(row, 'text'),
    isCompound: Number(row['compound']) > 0,
    input: text(row, 'input'),
    isCommented: row['commented'] === 1,
    waitedMs: Math.min(LONGEST_MS, Math.max(0, Number(row['waited'] ?? row['gap'] ?? 0))),
    at: row['at'] === null ? null : Number(row['at']),
    event: Number(row['id']),
  }))
}

/** Keeps what was asked about in sessions of which nothing is kept. */
export function keepQuestions(db: Database, asked: readonly Asked[], judge: Judge): void {
  const insert = db.hot(
    `INSERT INTO question VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7, ?8, ?9) ON CONFLICT DO UPDATE SET asked = asked + 1,
       commented = commented + ?6, waited_ms = waited_ms + ?7, last_at = max(coalesce(last_at, ?8), coalesce(?8, last_at)),
       event = max(event, ?9)`,
  )
  for (const one of asked) {
    const { tool, subject, obstacles } = judge.topic(one.tool, one.command, one.input)
    const commented = one.isCommented ? 1 : 0
    insert.run(one.session, one.quarter, tool, subject, obstacles, commented, one.waitedMs, one.at, one.event)
  }
}

/** Null if it is not kept. `since` and `before` count by whole quarters of an hour. */
export function readQuestions(db: Database, filter: UsageFilter): QuestionSum[] | null {
  const places = placesOf(filter)
  if (places === null || readMeta(db, 'form_revision') === null) return null
  const { since, before } = filter
  const from = since === undefined ? -1 : Math.floor(since / QUARTER_MS)
  const to = before === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(before / QUARTER_MS) - 1
  const rows = db.all(
    `SELECT t.*, coalesce(e.text, e.input) AS sample FROM (
       SELECT q.tool, q.subject, q.obstacles, s.flavor, coalesce(s.git_repo, s.cwd) AS project, sum(q.asked) AS asked,
         sum(q.commented) AS commented, sum(q.waited_ms) AS waited, count(DISTINCT q.session) AS sessions,
         max(q.last_at) AS last, max(q.event) AS event
       FROM question q JOIN session_place h ON h.session = q.session JOIN place s ON s.id = h.place
       WHERE q.quarter BETWEEN ${from} AND ${to} AND ${places.sql} GROUP BY 1, 2, 3, 4, 5
     ) t LEFT JOIN event e ON e.id = t.event ORDER BY 1, 2, 3, 4, 5`,
    ...places.values,
  )
  return rows.map((row) => ({
    tool: String(row['tool']),
    subject: String(row['subject']),
    obstacles: String(row['obstacles']),
    agent: String(row['flavor']),
    project: text(row, 'project'),
    asked: Number(row['asked']),
    commented: Number(row['commented']),
    waitedMs: Number(row['waited']),
    sessions: Number(row['sessions']),
    lastAsked: row['last'] === null ? null : Number(row['last']),
    sample: text(row, 'sample') ?? '',
  }))
}

export function readVersions(db: Database): { agent: string; version: string }[] {
  const rows = db.all(
    `SELECT DISTINCT s.flavor AS agent, l.facts ->> 'version' AS version FROM lane l JOIN session s ON s.id = l.session
     WHERE version IS NOT NULL`,
  )
  return rows.map((row) => ({ agent: String(row['agent']), version: String(row['version']) }))
}

function text(row: Row, name: string): string | null {
  const value: Value | undefined = row[name]
  return value === null || value === undefined ? null : String(value)
}
