import type { TimeSum } from '../store/insight.ts'
import type { UsageKey } from '../store/store.ts'
import { usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { by, key, limitedBy, reportFields } from './report.ts'
import { count, integer, list, nullable, object, text } from './schema.ts'

/** Seconds of sessions as documents have them. */
export const timeFields = {
  active_s: nullable(integer()),
  agent_s: nullable(integer()),
  waiting_s: nullable(integer()),
  idle_s: nullable(integer()),
  sessions: count(),
  unknown: count(),
}

export interface SummedTime {
  readonly by: UsageKey
  /** The longest first, days in order. */
  readonly rows: readonly TimeSum[]
  /** Sessions whose time is in none of the sums. */
  readonly unknown: number
}

export const statsTime = operation({
  name: 'stats.time',
  summary: 'who was at work how long, session by session; of analysed sessions',
  effect: 'reads',
  isSlow: true,
  input: object({}, reportFields),
  output: object({ by, rows: list(object({ key, ...timeFields })), unknown: count(), overlaps: text() }),
  async run(context, asked): Promise<SummedTime> {
    const sumBy = asked.by ?? 'project'
    const sums = await context.recall.insight.time(sumBy, usageFilter(context, asked))
    const rows = sumBy === 'day' ? sums : sums.toSorted((a, b) => b.activeS + b.agentS - a.activeS - a.agentS)
    return { by: sumBy, rows, unknown: rows.reduce((sum, row) => sum + row.unknown, 0) }
  },
  document: (found: SummedTime, asked) => ({
    by: found.by,
    rows: limitedBy(found.by, found.rows, asked.limit ?? 0).map((row) => ({ key: row.key, ...timeDocument(row) })),
    unknown: found.unknown,
    overlaps: 'counted in each session',
  }),
})

/** None of these sessions was analysed, or tells times: nobody knows how long they took. */
export function isUnknown({ sessions, unknown }: TimeSum): boolean {
  return sessions > 0 && unknown === sessions
}

export function timeDocument(row: TimeSum) {
  const known = (seconds: number) => (isUnknown(row) ? null : seconds)
  return {
    active_s: known(row.activeS),
    agent_s: known(row.agentS),
    waiting_s: known(row.waitingS),
    idle_s: known(row.idleS),
    sessions: row.sessions,
    unknown: row.unknown,
  }
}
