import { readSpans, spanTextAfter, STRIDE, type Stretches } from '../distill/span-text.ts'
import type { TimeSpent } from '../model/digest.ts'
import { ALL_TIME } from '../model/time.ts'
import type { Activity, ActivityFilter, ActivityQueries, Within } from '../store/activity.ts'
import { dayName } from './local-days.ts'
import { DaySums, lengthsOf, NO_TIME, secondsOf, Timeline, type TimeSum } from './timeline.ts'

export interface SessionTime {
  readonly uid: string
  readonly project: string | null
  readonly time: TimeSum
  /** From its first moment to its last, within the time asked for. */
  readonly from: number
  readonly to: number
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
export interface TimeFacts {
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
  /** The longest of them, longest first. */
  readonly waits: readonly Wait[]
  readonly waitCount: number
  /** Sessions whose raw text has gone: how long is known, when is not, so they are in no other number here. */
  readonly unplaced: { readonly sessions: readonly string[]; readonly time: TimeSum; readonly unknown: number }
}

export interface TimeReport extends TimeFacts {
  /** Sessions whose logs tell no times: in no number here. */
  readonly untimed: number
}

export async function readTime(queries: ActivityQueries, filter: ActivityFilter): Promise<TimeFacts> {
  const projects = new Map<string | null, { line: Timeline; sessions: number }>()
  const sessions: SessionTime[] = []
  const waits = new LongestWaits()
  let all = 0
  for (const { uid, project, spans: kept } of await queries.activities(filter)) {
    const own = projects.get(project) ?? { line: new Timeline(), sessions: 0 }
    const spans = spansWithin(kept, filter)
    if (spans.length === 0) continue
    const lengths = lengthsOf(spans)
    sessions.push({ uid, project, time: secondsOf(lengths), from: spans[0]!, to: spans.at(1 - STRIDE)! })
    all += sum(lengths)
    own.line.addAll(spans)
    waits.addAll(uid, spans)
    own.sessions++
    projects.set(project, own)
  }
  const whole = new Timeline()
  const byProject = [...projects].map(([project, { line, sessions: count }]) => {
    const own = line.union()
    whole.addAll(own)
    return { project, sessions: count, time: secondsOf(lengthsOf(own)) }
  })
  const union = whole.union()
  const lengths = lengthsOf(union)
  const total = secondsOf(lengths)
  const once = sum(lengths)
  return {
    total,
    overlap_s: Math.round((all - once) / 1000),
    sessions: sessions.sort((a, b) => compare(a.uid, b.uid)),
    byProject: byProject.sort((a, b) => b.time.wall_s - a.time.wall_s || compare(a.project ?? '', b.project ?? '')),
    byDay: [...new DaySums(union).within(total)].map(([day, time]) => ({ day: dayName(day), time })),
    waits: waits.longest(),
    waitCount: waits.count,
    unplaced: await readUnplaced(queries, filter),
  }
}

/** Within all time: what an older store holds of other millennia would be gone through day by day. */
function spansWithin(kept: Activity['spans'], { since = 0, before = Infinity }: Within): Stretches {
  const [from, to] = [Math.max(since, ALL_TIME.since), Math.min(before, ALL_TIME.before)]
  return readSpans(typeof kept === 'string' ? kept : spanTextAfter(kept.before, kept.events, kept), from, to)
}

const ACTIVE = 0
const WAITING = 2

const MOST_WAITS = 20

/** Keeps the longest waits and counts the others. */
class LongestWaits {
  count = 0
  #kept: Wait[] = []
  /** Shorter ones have no place any more. */
  #least = 0

  /** A wait ends with the prompt: where the person was active after it, with that. */
  addAll(uid: string, spans: Stretches): void {
    for (let i = 0; i < spans.length; i += STRIDE) {
      if (spans[i + 2] !== WAITING) continue
      const until = spans[i + STRIDE + 2] === ACTIVE ? spans[i + STRIDE + 1]! : spans[i + 1]!
      this.#add(uid, until, spans[i + 1]! - spans[i]!)
    }
  }

  #add(uid: string, until: number, ms: number): void {
    this.count++
    if (ms < this.#least) return
    this.#kept.push({ uid, until, ms })
    if (this.#kept.length < 100 * MOST_WAITS) return
    this.#kept = this.longest()
    this.#least = this.#kept.at(-1)?.ms ?? 0
  }

  longest(): Wait[] {
    const sorted = this.#kept.sort((a, b) => b.ms - a.ms || compare(a.uid, b.uid) || a.until - b.until)
    return sorted.slice(0, MOST_WAITS)
  }
}

async function readUnplaced(queries: ActivityQueries, filter: ActivityFilter): Promise<TimeFacts['unplaced']> {
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

function sum(lengths: readonly number[]): number {
  return lengths.reduce((all, length) => all + length, 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
