import type { Outcome } from '../model/digest.ts'
import { projectOf, type SessionFilter } from '../model/session.ts'
import { shortNames } from '../model/short-names.ts'
import { oneLine, plural } from '../model/text.ts'
import type { PastSession } from '../store/activity.ts'
import type { Store } from '../store/store.ts'
import { dayName, dayStart, daysOf, periodBefore, type Period } from './local-days.ts'
import { counted, heading, text, type Block, type Line, type Page } from './page.ts'
import type { Price } from './prices/prices.ts'
import { costBlocks, timeBlocks } from './retro-sums.ts'
import { compare } from './retro-compare.ts'
import { notAnalysed, readFacts, uidsOf, withOutcome, type PeriodFacts } from './retro-facts.ts'
import { suggest } from './retro-suggest.ts'
import { troubleBlocks } from './retro-trouble.ts'
import { dollars, percent, spell } from './format.ts'

const MAX_TITLES = 12
const LINE_LENGTH = 160

export interface RetroRequest {
  /** Whole local days. */
  readonly period: Period
  readonly sessions: SessionFilter
  readonly prices: ReadonlyMap<string, Price>
}

/** What a retro is made of: the days that are looked back on, and as many before. */
export interface Retro {
  /** Which sessions were looked at. */
  readonly sessions: SessionFilter
  readonly now: PeriodFacts
  readonly before: PeriodFacts
}

/** Made of the store alone: the same store and days give the same. */
export async function readRetro(store: Store, request: RetroRequest): Promise<Retro> {
  const now = await readFacts(store, request)
  const before = await readFacts(store, { ...request, period: periodBefore(request.period), toCompare: true })
  return { sessions: request.sessions, now, before }
}

/**
 * What was done, what came of it, what it took, what went wrong more than once, how that compares with as many days
 * before, and what to do about it.
 */
export function retroPage({ sessions, now, before }: Retro): Page {
  const title = `Retro ${daysName(now.period)}`
  const head = heading(1, title)
  if (now.sessions.length === 0 && now.cost.total.responses === 0) {
    return { title, blocks: [head, text('No data: nothing happened on these days, or it is not indexed yet.')] }
  }
  const blocks = [
    head,
    ...narrowed(sessions),
    summary(now),
    ...doneBlocks(now),
    ...outcomeBlocks(now),
    ...timeBlocks(now),
    ...costBlocks(now),
    ...troubleBlocks(now),
    ...comparisonBlocks(before, now),
    ...suggestionBlocks(now),
  ]
  return { title, blocks }
}

function narrowed({ project, source }: SessionFilter): Block[] {
  const parts = [
    ...(project === undefined ? [] : [`whose repository or directory contains ${project}`]),
    ...(source === undefined ? [] : [`of ${source}`]),
  ]
  return parts.length === 0 ? [] : [text(`Only sessions ${parts.join(', ')}.`)]
}

function daysName(period: Period): string {
  const days = daysOf(period)
  const last = dayName(dayStart(period.before, -1))
  return `${dayName(period.since)} to ${last} (${plural(days.length, 'day')})`
}

function summary({ sessions, time, cost }: PeriodFacts): Block {
  const projects = new Set(sessions.map(projectOf)).size
  return text(
    counted(plural(sessions.length, 'session'), uidsOf(sessions)),
    ' in ',
    counted(plural(projects, 'project'), uidsOf(sessions)),
    ', ',
    counted(spell(time.total.active_s), uidsOf(time.sessions.filter((one) => one.time.active_s > 0))),
    ' of your own time, ',
    counted(spell(time.total.agent_s), uidsOf(time.sessions.filter((one) => one.time.agent_s > 0))),
    ' of agents at work, ',
    counted(dollars(cost.total.usd), uidsOf(cost.bySession)),
    cost.unpriced.length === 0 ? '.' : ' and what has no known price.',
  )
}

function doneBlocks(facts: PeriodFacts): Block[] {
  const projects = new Map<string | null, PastSession[]>()
  for (const session of facts.sessions) {
    const project = projectOf(session)
    const own = projects.get(project)
    if (own) own.push(session)
    else projects.set(project, [session])
  }
  const sorted = [...projects].sort(
    ([a, own], [b, other]) => other.length - own.length || ((a ?? '') < (b ?? '') ? -1 : 1),
  )
  const names = shortNames(facts.sessions.flatMap((session) => projectOf(session) ?? []))
  const blocks: Block[] = [heading(2, 'What was done')]
  for (const [project, sessions] of sorted) {
    blocks.push(heading(3, project === null ? 'project not known' : (names.get(project) ?? project)))
    const spent = facts.time.byProject.find((one) => one.project === project)?.time.wall_s ?? 0
    const timed = facts.time.sessions.filter((one) => one.project === project)
    blocks.push(
      text(
        counted(plural(sessions.length, 'session'), uidsOf(sessions)),
        ', ',
        counted(spell(spent), uidsOf(timed)),
        ' from first to last, idle time and all.',
      ),
    )
    const rest = sessions.slice(MAX_TITLES)
    const items = sessions.slice(0, MAX_TITLES).map(sessionLine)
    const more: Line[] = rest.length === 0 ? [] : [['and ', counted(`${rest.length} more`, uidsOf(rest))]]
    blocks.push({ block: 'list', items: [...items, ...more] })
  }
  return [...blocks, ...madeBlocks(facts)]
}

function sessionLine(session: PastSession): Line {
  const at = session.startedAt === null ? '' : `${dayName(session.startedAt)} `
  const outcome = session.analyzedAt === null ? 'not analysed' : session.outcome
  return [at, { strong: oneLine(session.title ?? 'no title', LINE_LENGTH) }, ` (${outcome}) `, { session: session.uid }]
}

function madeBlocks({ made }: PeriodFacts): Block[] {
  const pointers = (kind: 'commit' | 'pr') =>
    made.filter((one) => one.kind === kind).map(({ uid, seq }) => `${uid}#${seq}`)
  const [commits, prs] = [pointers('commit'), pointers('pr')]
  if (commits.length + prs.length === 0) return []
  return [
    text(
      'Made: ',
      counted(plural(commits.length, 'commit'), commits),
      ' and ',
      counted(plural(prs.length, 'pull request'), prs),
      ' that the logs prove.',
    ),
  ]
}

const OUTCOMES: readonly Outcome[] = ['success', 'fail', 'abandoned', 'unknown']

function outcomeBlocks(facts: PeriodFacts): Block[] {
  const groups = [
    ...OUTCOMES.map((outcome) => ({ name: outcome as string, sessions: withOutcome(facts, outcome) })),
    { name: 'not analysed yet', sessions: notAnalysed(facts) },
  ].filter(({ sessions }) => sessions.length > 0)
  if (groups.length === 0) return []
  const all = facts.sessions.length
  return [
    heading(2, 'Outcomes'),
    {
      block: 'chart',
      title: 'sessions by outcome',
      legend: [],
      bars: groups.map(({ name, sessions }) => ({
        label: name,
        parts: [sessions.length],
        shown: String(sessions.length),
      })),
    },
    {
      block: 'table',
      columns: ['outcome', 'sessions', 'share'],
      rows: groups.map(({ name, sessions }) => [
        [name],
        [counted(sessions.length, uidsOf(sessions))],
        [counted(percent(sessions.length, all), uidsOf(sessions))],
      ]),
    },
  ]
}

function comparisonBlocks(before: PeriodFacts, now: PeriodFacts): Block[] {
  const title = heading(2, 'Better or worse')
  const days = daysName(before.period)
  if (before.sessions.length === 0) return [title, text(`There is nothing to compare with: no session on ${days}.`)]
  return [
    title,
    text(`Compared with ${days}.`),
    {
      block: 'table',
      columns: ['', 'before', 'now', ''],
      rows: compare(before, now).map((one) => [[one.what], [one.before], [one.now], [one.verdict]]),
    },
  ]
}

function suggestionBlocks(facts: PeriodFacts): Block[] {
  const suggestions = suggest(facts)
  if (suggestions.length === 0) return [heading(2, 'Suggestions'), text('None: nothing on these days speaks for one.')]
  const few = suggestions.length < 3 ? [text('No more have evidence on these days.')] : []
  const items = suggestions.map(({ line }) => line)
  return [heading(2, 'Suggestions'), { block: 'list', items, numbered: true }, ...few]
}
