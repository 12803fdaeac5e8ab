import { SPAN_KINDS } from '../distill/spans.ts'
import { putSpan, STRIDE, type Stretches } from '../distill/span-text.ts'
import type { TimeSpent } from '../model/digest.ts'
import { dayStart } from './local-days.ts'

/** Seconds by who was at work; together they are `wall_s`. */
export interface TimeSum extends TimeSpent {
  readonly wall_s: number
}

export const NO_TIME: TimeSum = { active_s: 0, agent_s: 0, waiting_s: 0, idle_s: 0, wall_s: 0 }

/** Milliseconds of each kind, in the order of SPAN_KINDS. */
export type Lengths = [number, number, number, number]

export function lengthsOf(stretches: Stretches): Lengths {
  const lengths: Lengths = [0, 0, 0, 0]
  for (let i = 0; i < stretches.length; i += STRIDE) lengths[stretches[i + 2] as 0] += stretches[i + 1]! - stretches[i]!
  return lengths
}

/** Rounding loses nothing: the kinds together are the whole, rounded once. */
export function secondsOf(lengths: Lengths): TimeSum {
  const { 0: active, 1: agent, 2: waiting, 3: idle } = lengths
  const a = Math.round(active / 1000)
  const b = Math.round((active + agent) / 1000)
  const c = Math.round((active + agent + waiting) / 1000)
  const wall = Math.round((active + agent + waiting + idle) / 1000)
  return { active_s: a, agent_s: b - a, waiting_s: c - b, idle_s: wall - c, wall_s: wall }
}

/** Room for what ends and what begins at a moment, below the moment in one number. */
const EDGE = 32
const NOTHING = 4
const KINDS = 5

/**
 * Stretches of time since 1970, any number of them side by side. Every moment at which something ends or begins is one number:
 * half a million of them are sorted in the time that as many objects take to be made.
 */
export class Timeline {
  #edges = new Float64Array(64)
  #size = 0

  addAll(stretches: Stretches): void {
    const needed = this.#size + (stretches.length / STRIDE) * 2
    if (needed > this.#edges.length) {
      const larger = new Float64Array(Math.max(needed, this.#edges.length * 2))
      larger.set(this.#edges)
      this.#edges = larger
    }
    const edges = this.#edges
    let size = this.#size
    for (let i = 0; i < stretches.length; i += STRIDE) {
      const kind = stretches[i + 2]!
      const follows = i > 0 && stretches[i] === stretches[i + 1 - STRIDE]
      if (follows) edges[size - 1]! += kind - NOTHING
      else edges[size++] = stretches[i]! * EDGE + NOTHING * KINDS + kind
      edges[size++] = stretches[i + 1]! * EDGE + kind * KINDS + NOTHING
    }
    this.#size = size
  }

  /** The union in order, without overlap: where stretches do, the weightiest stands. */
  union(): Stretches {
    const edges = this.#edges.subarray(0, this.#size)
    // The bits of numbers that are not negative are in the order of the numbers, and sorted in half the time.
    new BigInt64Array(edges.buffer, 0, edges.length).sort()
    const stretches = new Float64Array(edges.length * STRIDE)
    let size = 0
    const open = [0, 0, 0, 0, 0]
    let [from, last, kind] = [0, 0, NOTHING]
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[i]!
      const at = Math.floor(edge / EDGE)
      if (at > last) {
        const now = open[0]! > 0 ? 0 : open[1]! > 0 ? 1 : open[2]! > 0 ? 2 : open[3]! > 0 ? 3 : NOTHING
        if (now !== kind) {
          if (kind !== NOTHING) size = putSpan(stretches, size, from, last, kind)
          from = last
          kind = now
        }
        last = at
      }
      const change = edge - at * EDGE
      const begins = change % KINDS
      open[(change - begins) / KINDS]!--
      open[begins]!++
    }
    if (kind !== NOTHING) size = putSpan(stretches, size, from, last, kind)
    return stretches.subarray(0, size)
  }
}

/**
 * Sums of stretches that do not overlap, by the first moment of each local day that has any. The days together are
 * `total`: each kind is rounded on its running sum, so that no second is lost or told twice.
 */
export class DaySums {
  readonly #days = new Map<number, Lengths>()
  #day = 0
  #next = 0
  #spent: Lengths = [0, 0, 0, 0]

  constructor(stretches: Stretches) {
    for (let i = 0; i < stretches.length; i += STRIDE) this.#add(stretches[i]!, stretches[i + 1]!, stretches[i + 2]!)
  }

  #add(from: number, to: number, kind: number): void {
    for (let start = from; start < to;) {
      if (start < this.#day || start >= this.#next) this.#turnTo(start)
      const end = Math.min(to, this.#next)
      this.#spent[kind as 0] += end - start
      start = end
    }
  }

  #turnTo(at: number): void {
    const day = dayStart(at)
    this.#day = day
    this.#next = dayStart(at, 1)
    this.#spent = this.#days.get(day) ?? [0, 0, 0, 0]
    this.#days.set(day, this.#spent)
  }

  within(total: TimeSum): Map<number, TimeSum> {
    const order = [...this.#days.keys()].sort((a, b) => a - b)
    const seconds = SPAN_KINDS.map((what, kind) =>
      shareOut(
        order.map((day) => this.#days.get(day)?.[kind] ?? 0),
        total[`${what}_s`],
      ),
    )
    const [active, agent, waiting, idle] = seconds
    return new Map(
      order.map((day, i) => {
        const [a = 0, b = 0, c = 0, d = 0] = [active?.[i], agent?.[i], waiting?.[i], idle?.[i]]
        return [day, { active_s: a, agent_s: b, waiting_s: c, idle_s: d, wall_s: a + b + c + d }]
      }),
    )
  }
}

/** Whole seconds that add up to `total`, which is the sum of the milliseconds within a second. */
function shareOut(parts: readonly number[], total: number): number[] {
  const last = parts.findLastIndex((part) => part > 0)
  let sum = 0
  let spent = 0
  return parts.map((part, i) => {
    sum += part
    const upTo = i === last ? total : Math.max(spent, Math.min(total, Math.round(sum / 1000)))
    const own = part > 0 ? upTo - spent : 0
    spent += own
    return own
  })
}
