import { SPAN_KINDS, sumSpans, type Span } from '../distill/spans.ts'
import type { TimeSpent } from '../model/digest.ts'
import type { Within } from '../store/chronicle.ts'
import { dayStart } from './local-days.ts'

/** Seconds by who was at work; together they are `wall_s`. */
export interface TimeSum extends TimeSpent {
  readonly wall_s: number
}

export const NO_TIME: TimeSum = { active_s: 0, agent_s: 0, waiting_s: 0, idle_s: 0, wall_s: 0 }

/** Sums on the union of the spans: what overlaps counts once, as the weightiest of what was going on. */
export function timeSum(spans: readonly Span[]): TimeSum {
  const spent = sumSpans(spans)
  return { ...spent, wall_s: spent.active_s + spent.agent_s + spent.waiting_s + spent.idle_s }
}

/** The parts of spans that lie within the time. */
export function clip(spans: readonly Span[], { since = -Infinity, before = Infinity }: Within): readonly Span[] {
  if (spans.every(({ from, to }) => from >= since && to <= before)) return spans
  return spans.flatMap(({ from, to, what }) => {
    const [start, end] = [Math.max(from, since), Math.min(to, before)]
    return start < end ? { from: start, to: end, what } : []
  })
}

/** The union as stretches that do not overlap, in order: where spans do, the weightiest stands. */
export function union(spans: readonly Span[]): Span[] {
  const edges = spans.flatMap(({ from, to, what }) => [
    { at: from, what, step: 1 },
    { at: to, what, step: -1 },
  ])
  edges.sort((a, b) => a.at - b.at)
  const open = { active: 0, agent: 0, waiting: 0, idle: 0 }
  const flat: Span[] = []
  let last = edges[0]?.at ?? 0
  for (const edge of edges) {
    const what = SPAN_KINDS.find((kind) => open[kind] > 0)
    if (what !== undefined && edge.at > last) flat.push({ from: last, to: edge.at, what })
    open[edge.what] += edge.step
    last = edge.at
  }
  return flat
}

/**
 * Sums by the first moment of each local day that has any. The days together are `total`: each kind is rounded on
 * its running sum, so that no second is lost or told twice.
 */
export function sumDays(flat: readonly Span[], total: TimeSum): Map<number, TimeSum> {
  const days = new Map<number, { active: number; agent: number; waiting: number; idle: number }>()
  for (const { from, to, what } of flat) {
    for (let start = from; start < to;) {
      const day = dayStart(start)
      const end = Math.min(to, dayStart(start, 1))
      const spent = days.get(day) ?? { active: 0, agent: 0, waiting: 0, idle: 0 }
      spent[what] += end - start
      days.set(day, spent)
      start = end
    }
  }
  const order = [...days.keys()].sort((a, b) => a - b)
  const seconds = (what: Span['what']) =>
    shareOut(
      order.map((day) => days.get(day)?.[what] ?? 0),
      total[`${what}_s`],
    )
  const [active, agent, waiting, idle] = SPAN_KINDS.map(seconds)
  return new Map(
    order.map((day, i) => {
      const spent = {
        active_s: active?.[i] ?? 0,
        agent_s: agent?.[i] ?? 0,
        waiting_s: waiting?.[i] ?? 0,
        idle_s: idle?.[i] ?? 0,
      }
      return [day, { ...spent, wall_s: spent.active_s + spent.agent_s + spent.waiting_s + spent.idle_s }]
    }),
  )
}

/** Whole seconds that add up to `total`, which is the sum of the milliseconds within a second. */
function shareOut(parts: readonly number[], total: number): number[] {
  const last = parts.findLastIndex((part) => part > 0)
  let sum = 0
  let told = 0
  return parts.map((part, i) => {
    sum += part
    const upTo = i === last ? total : Math.max(told, Math.min(total, Math.round(sum / 1000)))
    const own = part > 0 ? upTo - told : 0
    told += own
    return own
  })
}
