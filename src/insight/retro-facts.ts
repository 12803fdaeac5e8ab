import { findPatterns } from '../distill/patterns.ts'
import { SIGNAL_KINDS, type Outcome, type Pattern, type SignalKind } from '../model/digest.ts'
import type { SessionFilter } from '../model/session.ts'
import { grouped, plural } from '../model/text.ts'
import type { Made, PastSession, SessionSignal } from '../store/activity.ts'
import type { Store } from '../store/store.ts'
import { readPeriodCost, type PeriodCost } from './period-cost.ts'
import type { Period } from './local-days.ts'
import { counted, type Counted } from './page.ts'
import type { Price } from './prices/prices.ts'
import { readTime, type TimeFacts, type Wait } from './time.ts'

/** Files that change together are nothing that went wrong, and more than all the rest. */
export type Trouble = Exclude<SignalKind, 'co_change'>
const TROUBLES = SIGNAL_KINDS.filter((kind): kind is Trouble => kind !== 'co_change')

/** Everything a retro tells of one stretch of days. */
export interface PeriodFacts {
  readonly period: Period
  /** Sessions in which something happened then, first first. */
  readonly sessions: readonly PastSession[]
  readonly time: TimeFacts
  readonly cost: PeriodCost
  readonly signals: readonly SessionSignal[]
  readonly made: readonly Made[]
  /** Prompts that agents waited for, the longest waits first. */
  readonly waits: readonly string[]
}

export interface FactsRequest {
  readonly period: Period
  readonly sessions: SessionFilter
  readonly prices: ReadonlyMap<string, Price>
  /** Only to be compared with: days, projects and the prompts that were waited for are not told of. */
  readonly toCompare?: boolean
}

export async function readFacts(store: Store, request: FactsRequest): Promise<PeriodFacts> {
  const { period } = request
  const filter = { ...period, sessions: request.sessions }
  const sessions = await store.activity.sessionsWithin(filter)
  const time = await readTime(store.activity, filter)
  return {
    period,
    sessions,
    time,
    cost: await readPeriodCost(store, filter, request),
    signals: await store.activity.signals({ sessions: sessions.map(({ rowId }) => rowId), kinds: TROUBLES }),
    made: await store.activity.made(filter),
    waits: request.toCompare === true ? [] : await Promise.all(time.waits.map((wait) => pointAt(store, wait))),
  }
}

async function pointAt({ activity }: Store, { uid, until }: Wait): Promise<string> {
  const seq = await activity.promptAt(uid, until)
  return seq === null ? uid : `${uid}#${seq}`
}

export function withOutcome({ sessions }: PeriodFacts, outcome: Outcome): PastSession[] {
  return sessions.filter((session) => session.outcome === outcome && session.analyzedAt !== null)
}

export function notAnalysed({ sessions }: PeriodFacts): PastSession[] {
  return sessions.filter((session) => session.analyzedAt === null)
}

export function uidsOf(sessions: readonly { readonly uid: string }[]): string[] {
  return sessions.map(({ uid }) => uid)
}

/** How often a kind of signal was seen, with where. */
export function seen({ signals }: PeriodFacts, kind: Trouble): { readonly count: number; readonly evidence: string[] } {
  const own = signals.filter((signal) => signal.kind === kind)
  return {
    count: own.reduce((sum, signal) => sum + signal.count, 0),
    evidence: own.flatMap(({ sessionUid, seqs }) => seqs.map((seq) => `${sessionUid}#${seq}`)),
  }
}

/** The same thing in at least so many sessions, the widest spread first. */
export function patternsOf({ signals }: PeriodFacts, kind: Trouble, minSessions: number): Pattern[] {
  const sightings = signals
    .filter((signal) => signal.kind === kind)
    .map((signal) => ({ uid: signal.sessionUid, signal }))
  return findPatterns(sightings, minSessions)
}

export function timesSeen(pattern: Pattern): Counted {
  return counted(pattern.count === 1 ? 'once' : `${grouped(pattern.count)} times`, pattern.evidence, pattern.count)
}

export function sessionsSeen(pattern: Pattern): Counted {
  return counted(plural(pattern.sessions, 'session'), pattern.evidence, pattern.count)
}
