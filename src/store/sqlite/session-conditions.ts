import type { SessionFilter } from '../../model/session.ts'
import { FLAG, type UsageFilter } from '../store.ts'
import { allOf, given, type Condition } from './conditions.ts'
import { CALLS } from './event-conditions.ts'

/** For a session `s`: something is known of it. */
export const VISIBLE = 's.event_count > 0 OR s.evicted_at IS NOT NULL OR s.source_bytes > 0'

/** Somebody or something spoke in it, or did before its raw text went. */
const SPOKEN = 's.prompt_count > 0 OR s.tool_count > 0 OR s.responses > 0 OR s.spoken > 0 OR s.evicted_at IS NOT NULL'

const ENDED = 'coalesce(s.ended_at, s.started_at)'
const STARTED = 'coalesce(s.started_at, s.ended_at)'
const OF_SOURCE = 'SELECT 1 FROM lane l JOIN file f ON f.id = l.file WHERE l.session = s.id AND f.source = ?'
const OF_FILE = `SELECT l.session FROM path p JOIN touch t ON t.path = p.id JOIN event e ON e.id = t.event
  JOIN lane l ON l.id = e.lane WHERE instr(lower(p.name), ?) > 0`

/** Of a session or a group of them: part of where they worked. */
export const OF_PROJECT = "instr(lower(coalesce(s.git_repo, '') || char(10) || coalesce(s.cwd, '')), ?) > 0"

/** A time lies within; the end not. */
export function between(time: string, { since, before }: Pick<UsageFilter, 'since' | 'before'>): Condition {
  return allOf(
    given(since, (from) => [`${time} >= ?`, from]),
    given(before, (to) => [`${time} < ?`, to]),
  )
}

/** A session touches a stretch of time. */
export function touchingWhere({ since, before }: Pick<SessionFilter, 'since' | 'before'>): Condition {
  return allOf(
    given(since, (from) => [`${ENDED} >= ?`, from]),
    given(before, (to) => [`${STARTED} < ?`, to]),
  )
}

/** A session fits a filter. A list is read by when sessions began: `+` keeps to that. */
export function sessionWhere(filter: SessionFilter): Condition {
  const containing = (column: string) => (part: string) =>
    [`instr(lower(coalesce(${column}, '')), ?) > 0`, part.toLowerCase()] as const
  const held = filter.holding === undefined ? null : holdingWhere(filter.holding)
  return allOf(
    [VISIBLE],
    given(filter.source, (name) => [`s.flavor = ? OR s.source = ? OR EXISTS (${OF_SOURCE})`, name, name, name]),
    filter.hidden === true ? null : ['s.hidden = 0'],
    given(filter.automated, (wanted) => ['s.automated = ?', wanted ? 1 : 0]),
    filter.empty === false ? [SPOKEN] : null,
    held && [
      `EXISTS (SELECT 1 FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = s.id AND ${held.sql})`,
      ...held.values,
    ],
    given(filter.since, (from) => [`+${ENDED} >= ?`, from]),
    given(filter.before, (to) => [`${STARTED} < ?`, to]),
    given(filter.branch, containing('coalesce(s.branches, s.git_branch)')),
    given(filter.model, containing('s.model')),
    given(filter.outcome, (outcome) => ['s.outcome = ?', outcome.toLowerCase()]),
    given(filter.tag, (tag) => [
      'EXISTS (SELECT 1 FROM tag t WHERE t.session_uid = s.uid AND t.tag = ? COLLATE NOCASE)',
      tag,
    ]),
    given(filter.file, (part) => [`s.id IN (${OF_FILE})`, part.toLowerCase()]),
    given(filter.project, (part) => [OF_PROJECT, part.toLowerCase()]),
  )
}

/** An event `e` fits a filter on what is held. */
export function holdingWhere({ tool, kind, sidechain }: NonNullable<SessionFilter['holding']>): Condition {
  return allOf(
    given(tool, (name) => [`e.kind IN (${CALLS}) AND lower(e.tool) = ?`, name.toLowerCase()]),
    given(kind, (name) => ['e.kind = ?', name]),
    sidechain ? [`e.flags & ${FLAG.sidechain}`] : null,
  )
}

/** A session fits a filter, whenever it was. */
export function wheneverWhere(filter: SessionFilter): Condition {
  const { since: _, before: __, ...whenever } = filter
  return sessionWhere({ ...whenever, hidden: true })
}

/** A session fits a filter of sums; its times are about when a session ended. */
export function ofSessions(filter: UsageFilter): Condition {
  return allOf(
    wheneverWhere(filter.sessions ?? { limit: 0 }),
    between(ENDED, filter),
    given(filter.session, (id) => ['s.id = ?', id]),
  )
}
