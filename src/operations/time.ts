import { dayStart } from '../insight/local-days.ts'
import type { TimeReport } from '../insight/time.ts'
import { UserError } from '../model/errors.ts'
import { isoTime } from '../model/time.ts'
import { project, sessionFilter, since, source } from './filters.ts'
import { operation } from './operation.ts'
import { count, flag, instant, integer, list, nullable, object, text } from './schema.ts'

/** Seconds by who was at work. */
const timeFields = {
  active_s: integer(),
  agent_s: integer(),
  waiting_s: integer(),
  idle_s: integer(),
  wall_s: integer(),
}

export interface TimeFound {
  readonly report: TimeReport
  readonly since: number | null
}

export const time = operation({
  name: 'time',
  summary: 'who was at work when: you, agents, waiting for you, idle',
  details: 'Sessions side by side count once.',
  effect: 'reads',
  isSlow: true,
  input: object({}, { week: flag('only the last 7 days, today included'), since, project, source }),
  output: object({
    ...timeFields,
    overlap_s: integer(),
    sessions: count(),
    since: instant,
    by_project: list(object({ project: nullable(text()), sessions: count(), ...timeFields })),
    by_day: list(object({ day: text(), ...timeFields })),
    untimed: count(),
    unplaced_s: integer(),
    unplaced: object({ sessions: count(), unknown: count(), ...timeFields }),
  }),
  async run(context, asked): Promise<TimeFound> {
    const { since: from, ...sessions } = sessionFilter(context, asked, 0)
    if (from !== undefined && asked.week === true)
      throw new UserError('USAGE', '--week and --since exclude each other', 'give one of them')
    const start = asked.week === true ? dayStart(context.now(), -6) : from
    const report = await context.recall.chronicle.time({ sessions, ...(start === undefined ? {} : { since: start }) })
    return { report, since: start ?? null }
  },
  document: ({ report, since: start }: TimeFound) => ({
    ...report.total,
    overlap_s: report.overlap_s,
    sessions: report.sessions.length,
    since: isoTime(start),
    by_project: report.byProject.map((row) => ({ project: row.project, sessions: row.sessions, ...row.time })),
    by_day: report.byDay.map((row) => ({ day: row.day, ...row.time })),
    untimed: report.untimed,
    unplaced_s: report.unplaced.time.wall_s,
    unplaced: {
      sessions: report.unplaced.sessions.length,
      unknown: report.unplaced.unknown,
      ...report.unplaced.time,
    },
  }),
})
