import { readSpanText } from '../distill/span-text.ts'
import { spansOf, type Span } from '../distill/spans.ts'
import type { TimeSpent } from '../model/digest.ts'
import type { ChronicleFilter, ChronicleQueries } from '../store/chronicle.ts'
import { dayName, dayStart } from './local-days.ts'
import { clip, NO_TIME, sumDays, timeSum, union, type TimeSum } from './timeline.ts'

export interface SessionTime {
  readonly uid: string
  readonly project: string | null
  readonly time: TimeSum
  /** Local days on which it has any, in order. */
  readonly days: readonly string[]
}

export interface ProjectTime {
  /** Null: not known. */
  readonly project: string | null
  readonly sessions: number
  readonly time: TimeSum
}

export interface DayTime {
  readonly day: string
  readonly time: TimeSum
}

/** The agent waited so long for the prompt that came at `until`. */
export interface Wait {
  readonly uid: string
  readonly until: number
  readonly ms: number
}

/** Who was at work in a stretch of time, over all its sessions. */
export interface TimeReport {
  /** On the union of all sessions: what ran side by side counts once. */
  readonly total: TimeSum
  /** Seconds that ran beside others and so are not in the total again. */
  readonly overlap_s: number
  /** Sessions with time of their own in it, by uid. */
  readonly sessions: readonly SessionTime[]
  /** Each on the union of its own sessions, longest first: projects side by side add up to more than the total. */
  readonly byProject: readonly ProjectTime[]
  /** Local days that have any, in order; they add up to the total. */
  readonly byDay: readonly DayTime[]
  /** Longest first. */
  readonly waits: readonly Wait[]
  /** Sessions whose raw text has gone: how long is known, when is not, so they are in no other number here. */
  readonly unplaced: { readonly sessions: readonly string[]; readonly time: TimeSum; readonly unknown: number }
}

export async function readTime(queries: ChronicleQueries, filter: ChronicleFilter): Promise<TimeReport> {
  const all: Span[] = []
  const projects = new Map<string | null, { spans: Span[]; sessions: number }>()
  const sessions: SessionTime[] = []
  const waits: Wait[] = []
  for (const course of await queries.courses(filter)) {
    const told = typeof course.told === 'string' ? readSpanText(course.told) : spansOf(course.told)
    const spans = clip(told, filter)
    if (spans.length === 0) continue
    const { uid, project } = course
    sessions.push({ uid, project, time: timeSum(spans), days: daysIn(spans) })
    waits.push(...waitsIn(uid, spans))
    const own = projects.get(project) ?? { spans: [], sessions: 0 }
    projects.set(project, own)
    own.sessions++
    for (const span of spans) {
      own.spans.push(span)
      all.push(span)
    }
  }
  const flat = union(all)
  const total = timeSum(flat)
  return {
    total,
    overlap_s: Math.round((lengthOf(all) - lengthOf(flat)) / 1000),
    sessions: sessions.sort((a, b) => compare(a.uid, b.uid)),
    byProject: [...projects]
      .map(([project, own]) => ({ project, sessions: own.sessions, time: timeSum(own.spans) }))
      .sort((a, b) => b.time.wall_s - a.time.wall_s || compare(a.project ?? '', b.project ?? '')),
    byDay: [...sumDays(flat, total)].map(([day, time]) => ({ day: dayName(day), time })),
    waits: waits.sort((a, b) => b.ms - a.ms || compare(a.uid, b.uid) || a.until - b.until),
    unplaced: await readUnplaced(queries, filter),
  }
}

async function readUnplaced(queries: ChronicleQueries, filter: ChronicleFilter): Promise<TimeReport['unplaced']> {
  const gone = await queries.unplaced(filter)
  const known = gone.flatMap(({ time }) => time ?? [])
  return {
    sessions: gone.map(({ uid }) => uid),
    time: known.reduce(addTime, NO_TIME),
    unknown: gone.length - known.length,
  }
}

function addTime(sum: TimeSum, time: TimeSpent): TimeSum {
  const { active_s, agent_s, waiting_s, idle_s } = time
  return {
    active_s: sum.active_s + active_s,
    agent_s: sum.agent_s + agent_s,
    waiting_s: sum.waiting_s + waiting_s,
    idle_s: sum.idle_s + idle_s,
    wall_s: sum.wall_s + active_s + agent_s + waiting_s + idle_s,
  }
}

function waitsIn(uid: string, spans: readonly Span[]): Wait[] {
  return spans.flatMap((span, i) => {
    if (span.what !== 'waiting') return []
    const next = spans[i + 1]
    return { uid, until: next?.what === 'active' ? next.to : span.to, ms: span.to - span.from }
  })
}

function daysIn(spans: readonly Span[]): string[] {
  const days: string[] = []
  let covered = -Infinity
  for (const { from, to } of spans) {
    for (let at = Math.max(from, covered); at < to; at = covered) {
      days.push(dayName(at))
      covered = dayStart(at, 1)
    }
  }
  return days
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
