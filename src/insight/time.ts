import { tellSpans } from '../distill/span-text.ts'
import { SPAN_KINDS, spansOf } from '../distill/spans.ts'
import type { TimeSpent } from '../model/digest.ts'
import type { ChronicleFilter, ChronicleQueries, Course, Within } from '../store/chronicle.ts'
import { dayName, dayStart } from './local-days.ts'
import { DaySums, lengthsOf, NO_TIME, secondsOf, Timeline, type Lengths, type TimeSum } from './timeline.ts'

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
  /** The longest of them, longest first. */
  readonly waits: readonly Wait[]
  readonly waitCount: number
  /** Sessions whose raw text has gone: how long is known, when is not, so they are in no other number here. */
  readonly unplaced: { readonly sessions: readonly string[]; readonly time: TimeSum; readonly unknown: number }
}

export async function readTime(queries: ChronicleQueries, filter: ChronicleFilter): Promise<TimeReport> {
  const projects = new Map<string | null, { line: Timeline; sessions: number }>()
  const sessions: SessionTime[] = []
  const waits = new LongestWaits()
  let all = 0
  for (const { uid, project, told } of await queries.courses(filter)) {
    const own = projects.get(project) ?? { line: new Timeline(), sessions: 0 }
    const course = new CourseSum(uid, own.line, waits)
    eachSpan(told, filter, (from, to, kind) => course.add(from, to, kind))
    if (course.isEmpty) continue
    sessions.push({ uid, project, ...course.end() })
    all += course.length
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
  const once = lengths.reduce((sum, length) => sum + length, 0)
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

/** Told of a span: from, to, and the place of its kind in SPAN_KINDS. */
type Tell = (from: number, to: number, kind: number) => void

/** The spans of a course as far as they lie within the time. */
function eachSpan(told: Course['told'], { since = 0, before = Infinity }: Within, tell: Tell): void {
  const clipped: Tell = (from, to, kind) => {
    const [start, end] = [Math.max(from, since), Math.min(to, before)]
    if (start < end) tell(start, end, kind)
  }
  if (typeof told === 'string') return tellSpans(told, clipped)
  for (const { from, to, what } of spansOf(told.events, told)) clipped(from, to, SPAN_KINDS.indexOf(what))
}

const ACTIVE = 0
const WAITING = 2

/** Sums the spans of one session, which follow one another without gaps, and passes them on. */
class CourseSum {
  readonly #uid: string
  readonly #line: Timeline
  readonly #waits: LongestWaits
  readonly #lengths: Lengths = [0, 0, 0, 0]
  #first = Infinity
  #last = -Infinity
  /** End and length of the wait that was told last; none: 0. */
  #waitEnd = 0
  #waitMs = 0

  constructor(uid: string, line: Timeline, waits: LongestWaits) {
    this.#uid = uid
    this.#line = line
    this.#waits = waits
  }

  add(from: number, to: number, kind: number): void {
    this.#line.add(from, to, kind)
    this.#lengths[kind as 0] += to - from
    this.#first = Math.min(this.#first, from)
    this.#last = Math.max(this.#last, to)
    if (this.#waitMs > 0) this.#waits.add(this.#uid, kind === ACTIVE ? to : this.#waitEnd, this.#waitMs)
    this.#waitMs = kind === WAITING ? to - from : 0
    this.#waitEnd = to
  }

  get isEmpty(): boolean {
    return this.#first === Infinity
  }

  get length(): number {
    return this.#lengths.reduce((sum, length) => sum + length, 0)
  }

  end(): { readonly time: TimeSum; readonly days: string[] } {
    if (this.#waitMs > 0) this.#waits.add(this.#uid, this.#waitEnd, this.#waitMs)
    const days: string[] = []
    for (let at = this.#first; at < this.#last; at = dayStart(at, 1)) days.push(dayName(at))
    return { time: secondsOf(this.#lengths), days }
  }
}

const MOST_WAITS = 20

/** Keeps the longest waits and counts the others. */
class LongestWaits {
  count = 0
  #kept: Wait[] = []
  /** Shorter ones have no place any more. */
  #least = 0

  add(uid: string, until: number, ms: number): void {
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
