import type { DigestEvent, TimeSpent } from '../model/digest.ts'
import { isToolCall } from '../model/event.ts'
import { inTime } from './timeline.ts'

/** Up to this long before a prompt a person was reading and typing. */
export const ACTIVE_MS = 2 * 60_000
/** Up to this long before a prompt the agent was waiting for the person; longer is nobody's time. */
export const WAITING_MS = 15 * 60_000
/** Up to this long without a sign the agent was at work. */
export const AGENT_MS = 30 * 60_000

/** The weightiest first: where sessions overlap, it is what counts. */
export const SPAN_KINDS = ['active', 'agent', 'waiting', 'idle'] as const
export type SpanKind = (typeof SPAN_KINDS)[number]

/** A stretch of time, milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly what: SpanKind
}

/** When a session began and ended, as far as that is known; milliseconds. */
export interface Bounds {
  readonly startedAt: number | null
  readonly endedAt: number | null
}

const UNBOUND: Bounds = { startedAt: null, endedAt: null }

/**
 * Who was at work when, without gaps, from the session's start to its end; where those are not known, from the first
 * event to the last. The time before a person's prompt is theirs: the last two minutes active, what is before them, up
 * to fifteen minutes in all, waiting, the rest idle. All other time is the agent's, up to half an hour a step; what
 * comes after the last event is idle.
 */
export function spansOf(events: readonly DigestEvent[], { startedAt, endedAt }: Bounds = UNBOUND): Span[] {
  const dated = inTime(events).filter((event) => event.at !== null && event.kind !== 'decision')
  dated.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
  const persons = leadToPerson(dated)
  const spans: Span[] = []
  const end = endedAt ?? dated.at(-1)?.at ?? 0
  let from = startedAt ?? dated[0]?.at ?? end
  for (const [i, event] of dated.entries()) {
    const to = Math.min(event.at ?? from, end)
    if (to <= from) continue
    if (persons[i]) {
      add(spans, from, to - WAITING_MS, 'idle')
      add(spans, Math.max(from, to - WAITING_MS), to - ACTIVE_MS, 'waiting')
      add(spans, Math.max(from, to - ACTIVE_MS), to, 'active')
    } else {
      add(spans, from, Math.min(to, from + AGENT_MS), 'agent')
      add(spans, from + AGENT_MS, to, 'idle')
    }
    from = to
  }
  add(spans, from, end, 'idle')
  return spans
}

/** Seconds of each kind on the union of the spans; where they overlap, the weightier counts. Rounding loses nothing. */
export function sumSpans(spans: readonly Span[]): TimeSpent {
  const total = { active: 0, agent: 0, waiting: 0, idle: 0 }
  const edges = spans.flatMap(({ from, to, what }) => [
    { at: from, what, step: 1 },
    { at: to, what, step: -1 },
  ])
  edges.sort((a, b) => a.at - b.at)
  const open = { active: 0, agent: 0, waiting: 0, idle: 0 }
  let last = edges[0]?.at ?? 0
  for (const edge of edges) {
    const what = SPAN_KINDS.find((kind) => open[kind] > 0)
    if (what !== undefined) total[what] += edge.at - last
    open[edge.what] += edge.step
    last = edge.at
  }
  const upTo = (ms: number) => Math.round(ms / 1000)
  const { active, agent, waiting, idle } = total
  return {
    active_s: upTo(active),
    agent_s: upTo(active + agent) - upTo(active),
    waiting_s: upTo(active + agent + waiting) - upTo(active + agent),
    idle_s: upTo(active + agent + waiting + idle) - upTo(active + agent + waiting),
  }
}

function add(spans: Span[], from: number, to: number, what: SpanKind): void {
  if (to <= from) return
  const last = spans.at(-1)
  if (last?.what === what && last.to === from) spans[spans.length - 1] = { from: last.from, to, what }
  else spans.push({ from, to, what })
}

/** Of every event, whether what comes next at the latest with it is a person's prompt: notes of the client may stand before one. */
function leadToPerson(events: readonly DigestEvent[]): boolean[] {
  const leads: boolean[] = Array.from({ length: events.length }, () => false)
  let next: boolean | null = null
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i]!
    if (event.human && !event.sidechain) next = true
    else if (isWork(event)) next = false
    leads[i] = next ?? (event.kind === 'user_msg' && event.role === 'user')
  }
  return leads
}

function isWork({ kind, role, sidechain }: DigestEvent): boolean {
  if (sidechain || kind === 'assistant_msg' || kind === 'thinking' || kind === 'human_intervention') return true
  return isToolCall(kind) || kind === 'tool_result' || (kind === 'error' && role !== 'system')
}
