import { dayName, daysOf, dayStart, lastFullDays, type Period } from '../insight/local-days.ts'
import type { Counted, Inline, Line } from '../insight/page.ts'
import { PRICES_DATED } from '../insight/prices/prices.ts'
import type { Retro } from '../insight/retro.ts'
import { compare } from '../insight/retro-compare.ts'
import { notAnalysed, patternsOf, uidsOf, withOutcome, type PeriodFacts } from '../insight/retro-facts.ts'
import { suggest } from '../insight/retro-suggest.ts'
import type { TimeSum } from '../insight/timeline.ts'
import { UserError } from '../model/errors.ts'
import { baseName, projectOf } from '../model/session.ts'
import { dayRange, isoTime } from '../model/time.ts'
import { project, sessionFilter, since, source, timeOf } from './filters.ts'
import { operation } from './operation.ts'
import { choice, count, flag, instant, list, nullable, number, object, text, type Schema } from './schema.ts'

const WEEK = 7

const sinceDay: Schema<string> = {
  ...since,
  description: `${String(since['description'])}; from the beginning of that day to the end of today`,
}

const evidence = list(text())
const period = { since: instant, before: instant, days: list(text()) }
const spent = { active_s: count(), agent_s: count(), waiting_s: count(), idle_s: count(), wall_s: count() }
const counted = object({ shown: text(), evidence, evidence_total: count() })
const TROUBLES = ['error', 'retry_loop', 'denial', 'correction'] as const

const output = object({
  ...period,
  sessions: list(
    object({
      session_uid: text(),
      title: nullable(text()),
      project: nullable(text()),
      started_at: instant,
      outcome: nullable(text()),
    }),
  ),
  projects: list(
    object({
      project: nullable(text()),
      name: nullable(text()),
      sessions: count(),
      wall_s: count(),
      usd: number(),
    }),
  ),
  outcomes: object({
    success: evidence,
    fail: evidence,
    abandoned: evidence,
    unknown: evidence,
    not_analysed: evidence,
  }),
  time: object({ ...spent, by_day: list(object({ day: text(), ...spent })), waits: evidence }),
  cost: object({
    usd: number(),
    responses: count(),
    by_day: list(object({ day: nullable(text()), usd: number() })),
    by_session: list(object({ session_uid: text(), usd: number() })),
    unpriced: list(object({ model: nullable(text()), responses: count() })),
    prices_dated: text(),
  }),
  made: list(object({ kind: choice(['commit', 'pr']), value: text(), evidence })),
  trouble: list(
    object({
      kind: choice(TROUBLES),
      fingerprint: text(),
      tool: nullable(text()),
      summary: text(),
      count: count(),
      sessions: count(),
      evidence,
    }),
  ),
  compared_with: object({
    ...period,
    sessions: count(),
    measures: list(
      object({
        what: text(),
        before: counted,
        now: counted,
        verdict: choice(['better', 'worse', 'about the same', 'more', 'less', 'not known']),
      }),
    ),
  }),
  suggestions: list(object({ text: text(), evidence })),
})

/** The same facts from the same store, every number with its evidence. */
export const retro = operation({
  name: 'retro',
  summary: 'look back: what was done, what came of it, what it took, what to do better',
  details:
    'The last 7 full days, in local time, compared with as many days before. `--evidence`, `--html` and `--json` tell what every number was counted from: `uid` or `uid#seq`. The same store and days give the same bytes.',
  effect: 'reads',
  isSlow: true,
  input: object(
    {},
    {
      week: flag('the last 7 full days, today not among them (the default)'),
      since: sinceDay,
      project,
      source,
    },
  ),
  output,
  async run(context, asked): Promise<Retro> {
    const { since: _, ...sessions } = sessionFilter(context, asked, 0)
    return context.recall.activity.retro(periodOf(asked, context.now()), sessions)
  },
  document: retroDocument,
})

interface Days {
  readonly week?: boolean | undefined
  readonly since?: string | undefined
}

function periodOf({ week, since: when }: Days, now: number): Period {
  if (when === undefined) return lastFullDays(now, WEEK)
  if (week) throw new UserError('USAGE', '--week and --since exclude each other', 'give one of them')
  const from = dayRange(when)?.since ?? dayStart(timeOf(when, now))
  if (from <= now) return { since: from, before: dayStart(now, 1) }
  throw new UserError('USAGE', `--since ${when} is yet to come`, 'give a time in the past')
}

function retroDocument({ now, before }: Retro) {
  return {
    ...periodDocument(now.period),
    sessions: now.sessions.map((session) => ({
      session_uid: session.uid,
      title: session.title,
      project: projectOf(session),
      started_at: isoTime(session.startedAt),
      outcome: session.analyzedAt === null ? null : session.outcome,
    })),
    projects: projectsDocument(now),
    outcomes: {
      success: uidsOf(withOutcome(now, 'success')),
      fail: uidsOf(withOutcome(now, 'fail')),
      abandoned: uidsOf(withOutcome(now, 'abandoned')),
      unknown: uidsOf(withOutcome(now, 'unknown')),
      not_analysed: uidsOf(notAnalysed(now)),
    },
    time: {
      ...spentDocument(now.time.total),
      by_day: now.time.byDay.map(({ day, time }) => ({ day, ...spentDocument(time) })),
      waits: now.waits,
    },
    cost: costDocument(now),
    made: now.made.map(({ kind, value, uid, seq }) => ({ kind, value, evidence: [`${uid}#${seq}`] })),
    trouble: troubleDocument(now),
    compared_with: {
      ...periodDocument(before.period),
      sessions: before.sessions.length,
      measures: before.sessions.length === 0 ? [] : measuresDocument(before, now),
    },
    suggestions: suggest(now).map(({ line }) => lineDocument(line)),
  }
}

function periodDocument(days: Period) {
  return { since: isoTime(days.since), before: isoTime(days.before), days: daysOf(days).map(dayName) }
}

function spentDocument({ active_s, agent_s, waiting_s, idle_s, wall_s }: TimeSum) {
  return { active_s, agent_s, waiting_s, idle_s, wall_s }
}

function projectsDocument({ sessions, time, cost }: PeriodFacts) {
  const projects = new Map<string | null, number>()
  for (const session of sessions) projects.set(projectOf(session), (projects.get(projectOf(session)) ?? 0) + 1)
  return [...projects]
    .sort(([a, n], [b, m]) => m - n || ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([path, many]) => ({
      project: path,
      name: path === null ? null : baseName(path),
      sessions: many,
      wall_s: time.byProject.find((one) => one.project === path)?.time.wall_s ?? 0,
      usd: cost.byProject.get(path) ?? 0,
    }))
}

function costDocument({ cost }: PeriodFacts) {
  return {
    usd: cost.total.usd,
    responses: cost.total.responses,
    by_day: [...cost.byDay].map(([day, usd]) => ({ day, usd })),
    by_session: cost.bySession.map(({ uid, usd }) => ({ session_uid: uid, usd })),
    unpriced: cost.unpriced.map(({ model, responses }) => ({ model, responses })),
    prices_dated: PRICES_DATED,
  }
}

/** Errors and calls that were not allowed, if in several sessions; the rest even if only once. */
function troubleDocument(now: PeriodFacts) {
  return TROUBLES.flatMap((kind) =>
    patternsOf(now, kind, kind === 'error' || kind === 'denial' ? 2 : 1).map((pattern) => ({
      kind,
      fingerprint: pattern.fingerprint,
      tool: pattern.tool,
      summary: pattern.summary,
      count: pattern.count,
      sessions: pattern.sessions,
      evidence: pattern.evidence,
    })),
  )
}

function measuresDocument(before: PeriodFacts, now: PeriodFacts) {
  return compare(before, now).map((one) => ({
    what: one.what,
    before: countedDocument(one.before),
    now: countedDocument(one.now),
    verdict: one.verdict,
  }))
}

function countedDocument({ shown, evidence: from, of }: Counted) {
  return { shown, evidence: from, evidence_total: of ?? from.length }
}

function lineDocument(line: Line) {
  return {
    text: line.map(wordsOf).join(''),
    evidence: [...new Set(line.flatMap((piece) => (isCounted(piece) ? piece.evidence : [])))],
  }
}

function wordsOf(piece: Inline): string {
  if (typeof piece === 'string') return piece
  if ('strong' in piece) return piece.strong
  if ('code' in piece) return piece.code
  return 'session' in piece ? piece.session : piece.shown
}

function isCounted(piece: Inline): piece is Counted {
  return typeof piece === 'object' && 'evidence' in piece
}
