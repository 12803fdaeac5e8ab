import type { SessionFilter, SessionRecord } from '../../model/session.ts'
import { parseSince } from '../../model/time.ts'

export const OUTCOMES = [null, 'success', 'fail', 'abandoned', 'unknown'] as const
export const TIMES = [null, '24h', '7d', '30d'] as const

/** What the list is narrowed to by keys. */
export interface Filters {
  readonly source: string | null
  readonly since: (typeof TIMES)[number]
  readonly outcome: (typeof OUTCOMES)[number]
  /** A repository or a directory. */
  readonly project: string | null
  /** With runs of programs and scripts. */
  readonly automated: boolean
}

/** Runs of programs are told apart at sight, without a filter. */
export function isNarrowed({ source, since, outcome, project }: Filters): boolean {
  return [source, since, outcome, project].some((filter) => filter !== null)
}

export function filterOf({ source, since, outcome, project }: Filters, now: number): Omit<SessionFilter, 'limit'> {
  const from = since === null ? null : parseSince(since, now)
  return {
    ...(source === null ? {} : { source }),
    ...(from === null ? {} : { since: from }),
    ...(outcome === null ? {} : { outcome }),
    ...(project === null ? {} : { project }),
  }
}

/** The same for one session. */
export function isWithin(session: SessionRecord, filters: Filters, now: number): boolean {
  const { source, since, outcome, project } = filterOf(filters, now)
  if (session.automated && !filters.automated) return false
  if (source !== undefined && source !== session.flavor && source !== session.longSource) return false
  if (since !== undefined && (session.endedAt ?? session.startedAt ?? 0) < since) return false
  if (outcome !== undefined && outcome !== session.outcome) return false
  const place = `${session.gitRepo ?? ''}\n${session.cwd ?? ''}`.toLowerCase()
  return project === undefined || place.includes(project.toLowerCase())
}
