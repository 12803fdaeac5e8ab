import { baseName, projectOf } from '../model/session.ts'
import { isoTime } from '../model/time.ts'
import type { Store } from '../store/store.ts'
import { dayName, daysOf, periodBefore, type Period } from './local-days.ts'
import type { Counted, Inline, Line } from './page.ts'
import { PRICES_DATED } from './prices/prices.ts'
import type { RetroRequest } from './retro.ts'
import { compare } from './retro-compare.ts'
import { notAnalysed, patternsOf, readFacts, uidsOf, withOutcome, type PeriodFacts } from './retro-facts.ts'
import { suggest } from './retro-suggest.ts'

/** What the page of a retro tells, as data: the same facts from the same store, every number with its evidence. */
export async function retroJson(store: Store, request: RetroRequest): Promise<Record<string, unknown>> {
  const now = await readFacts(store, request)
  const before = await readFacts(store, { ...request, period: periodBefore(request.period), toCompare: true })
  return {
    ...periodJson(request.period),
    sessions: now.sessions.map((session) => ({
      session_uid: session.uid,
      title: session.title,
      project: projectOf(session),
      started_at: isoTime(session.startedAt),
      outcome: session.analyzedAt === null ? null : session.outcome,
    })),
    projects: projectsJson(now),
    outcomes: outcomesJson(now),
    time: { ...now.time.total, by_day: now.time.byDay.map(({ day, time }) => ({ day, ...time })), waits: now.waits },
    cost: costJson(now),
    made: now.made.map(({ kind, value, uid, seq }) => ({ kind, value, evidence: [`${uid}#${seq}`] })),
    trouble: (['error', 'retry_loop', 'denial', 'correction'] as const).flatMap((kind) =>
      patternsOf(now, kind, kind === 'error' || kind === 'denial' ? 2 : 1).map(
        ({ fingerprint, tool, summary, count, sessions, evidence }) => ({
          kind,
          fingerprint,
          tool,
          summary,
          count,
          sessions,
          evidence,
        }),
      ),
    ),
    compared_with: {
      ...periodJson(before.period),
      sessions: before.sessions.length,
      measures:
        before.sessions.length === 0
          ? []
          : compare(before, now).map((one) => ({
              what: one.what,
              before: countedJson(one.before),
              now: countedJson(one.now),
              verdict: one.verdict,
            })),
    },
    suggestions: suggest(now).map(({ line }) => lineJson(line)),
  }
}

function periodJson(period: Period) {
  return { since: isoTime(period.since), before: isoTime(period.before), days: daysOf(period).map(dayName) }
}

function projectsJson({ sessions, time, bill }: PeriodFacts) {
  const projects = new Map<string | null, number>()
  for (const session of sessions) projects.set(projectOf(session), (projects.get(projectOf(session)) ?? 0) + 1)
  return [...projects]
    .sort(([a, n], [b, m]) => m - n || ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([project, count]) => ({
      project,
      name: project === null ? null : baseName(project),
      sessions: count,
      wall_s: time.byProject.find((one) => one.project === project)?.time.wall_s ?? 0,
      usd: bill.byProject.get(project) ?? 0,
    }))
}

function outcomesJson(facts: PeriodFacts) {
  const told = (['success', 'fail', 'abandoned', 'unknown'] as const).map(
    (outcome) => [outcome, uidsOf(withOutcome(facts, outcome))] as const,
  )
  return Object.fromEntries([...told, ['not_analysed', uidsOf(notAnalysed(facts))]])
}

function costJson({ bill }: PeriodFacts) {
  return {
    usd: bill.total.usd,
    responses: bill.total.responses,
    by_day: [...bill.byDay].map(([day, usd]) => ({ day, usd })),
    by_session: bill.bySession.map(({ uid, usd }) => ({ session_uid: uid, usd })),
    unpriced: bill.unpriced.map(({ model, responses }) => ({ model, responses })),
    prices_dated: PRICES_DATED,
  }
}

function countedJson({ shown, evidence, of }: Counted) {
  return { shown, evidence, evidence_total: of ?? evidence.length }
}

function lineJson(line: Line) {
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
