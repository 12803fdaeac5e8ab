import { shortNames } from '../model/short-names.ts'
import { plural } from '../model/text.ts'
import { dayName, daysOf, dayStart } from './local-days.ts'
import { counted, heading, text, type Block, type Counted } from './page.ts'
import { PRICES_DATED } from './prices/prices.ts'
import { uidsOf, type PeriodFacts } from './retro-facts.ts'
import { NO_TIME, type TimeSum } from './timeline.ts'
import { dollars, spell } from './format.ts'

const KINDS = [
  ['you', 'active_s'],
  ['agents at work', 'agent_s'],
  ['waiting for you', 'waiting_s'],
  ['idle', 'idle_s'],
] as const

/** Time by day; every number with the sessions that it is made of. */
export function timeBlocks({ time, period }: PeriodFacts): Block[] {
  const { sessions, total, overlap_s: overlap, unplaced } = time
  const days = daysOf(period)
  const byDay = new Map(time.byDay.map((one) => [one.day, one.time]))
  const cells = (sum: TimeSum, within: typeof sessions): [Counted][] => [
    ...KINDS.map(([, key]): [Counted] => [
      counted(spell(sum[key]), sum[key] === 0 ? [] : uidsOf(within.filter((one) => one.time[key] > 0))),
    ]),
    [counted(spell(sum.wall_s), sum.wall_s === 0 ? [] : uidsOf(within))],
  ]
  const blocks: Block[] = [
    heading(2, 'Time'),
    {
      block: 'chart',
      title: 'time by day',
      legend: KINDS.map(([name]) => name),
      bars: charted(days, byDay).map((start) => {
        const sum = byDay.get(dayName(start)) ?? NO_TIME
        return { label: dayName(start), parts: KINDS.map(([, key]) => sum[key]), shown: spell(sum.wall_s) }
      }),
    },
    {
      block: 'table',
      columns: ['day', ...KINDS.map(([name]) => name), 'in all'],
      rows: [
        ...days
          .filter((start) => byDay.has(dayName(start)))
          .map((start) => {
            const next = dayStart(start, 1)
            const within = sessions.filter(({ from, to }) => from < next && to > start)
            return [[dayName(start)], ...cells(byDay.get(dayName(start)) ?? NO_TIME, within)]
          }),
        [['all'], ...cells(total, sessions)],
      ],
    },
  ]
  if (overlap > 0)
    blocks.push(
      text(counted(spell(overlap), uidsOf(sessions)), ' ran side by side with other sessions and is counted once.'),
    )
  if (unplaced.sessions.length > 0) {
    const gone = counted(plural(unplaced.sessions.length, 'session'), unplaced.sessions)
    blocks.push(
      text(
        'Not in these sums: ',
        counted(spell(unplaced.time.wall_s), unplaced.sessions),
        ' of ',
        gone,
        ' whose raw text has gone.',
      ),
    )
  }
  return blocks
}

const MOST_EMPTY_DAYS = 31

/** The days of a chart: also empty ones, unless they are so many that nobody would find the others. */
function charted(days: readonly number[], busy: ReadonlyMap<string | null, unknown>): readonly number[] {
  return days.length <= MOST_EMPTY_DAYS ? days : days.filter((start) => busy.has(dayName(start)))
}

/** Cost by day and project, tokens, and what has no price. */
export function costBlocks({ cost, period, sessions, time }: PeriodFacts): Block[] {
  if (cost.total.responses === 0) return [heading(2, 'Cost'), text('The logs of these days tell of no tokens.')]
  const { total: tokens } = cost
  const billed = uidsOf(cost.bySession)
  const number = (value: number) => counted(value, value === 0 ? [] : billed)
  const projectOfUid = new Map([
    ...time.sessions.map(({ uid, project }) => [uid, project] as const),
    ...sessions.map(({ uid, gitRepo, cwd }) => [uid, gitRepo ?? cwd] as const),
  ])
  const names = shortNames([...cost.byProject.keys()].flatMap((project) => project ?? []))
  const projects = [...cost.byProject].sort(([a, own], [b, other]) => other - own || ((a ?? '') < (b ?? '') ? -1 : 1))
  const blocks: Block[] = [
    heading(2, 'Cost'),
    text(
      counted(dollars(cost.total.usd), billed),
      ` by the prices of ${PRICES_DATED}, for `,
      number(cost.total.responses),
      ' responses.',
    ),
    {
      block: 'chart',
      title: 'cost by day, USD',
      legend: [],
      bars: charted(daysOf(period), cost.byDay).map((start) => {
        const usd = cost.byDay.get(dayName(start)) ?? 0
        return { label: dayName(start), parts: [usd], shown: dollars(usd) }
      }),
    },
    {
      block: 'table',
      columns: ['day', 'cost'],
      rows: daysOf(period)
        .filter((start) => cost.byDay.has(dayName(start)))
        .map((start) => [
          [dayName(start)],
          [counted(dollars(cost.byDay.get(dayName(start)) ?? 0), billed.filter(workedOn(start, sessions)))],
        ]),
    },
    {
      block: 'table',
      columns: ['project', 'cost'],
      rows: projects.map(([project, usd]) => [
        [project === null ? 'not known' : (names.get(project) ?? project)],
        [
          counted(
            dollars(usd),
            billed.filter((uid) => (projectOfUid.get(uid) ?? null) === project),
          ),
        ],
      ]),
    },
    {
      block: 'table',
      columns: ['tokens', ''],
      rows: [
        [['input'], [number(tokens.input)]],
        [['output'], [number(tokens.output)]],
        [['read from cache'], [number(tokens.cacheRead)]],
        [['written to cache'], [number(tokens.cacheWrite5m + tokens.cacheWrite1h)]],
      ],
    },
  ]
  for (const { model, responses, uids } of cost.unpriced) {
    const named = model ?? 'a model that the log does not name'
    blocks.push(
      text(
        'Not in the cost: ',
        counted(plural(responses, 'response'), uids),
        ` of ${named}, whose price is not known.`,
      ),
    )
  }
  return blocks
}

/** Whether the session of a uid had begun and not ended on the local day. */
function workedOn(start: number, sessions: PeriodFacts['sessions']): (uid: string) => boolean {
  const next = dayStart(start, 1)
  const worked = sessions.filter(({ startedAt, endedAt }) => (startedAt ?? next) < next && (endedAt ?? start) >= start)
  const uids = new Set(uidsOf(worked))
  return (uid) => uids.has(uid)
}
