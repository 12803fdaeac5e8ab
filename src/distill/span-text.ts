import type { DigestEvent } from '../model/digest.ts'
import { SPAN_KINDS, spansOf, type Bounds, type Span } from './spans.ts'

const LETTERS = ['a', 'g', 'w', 'i'] as const
const KIND_OF = new Map(LETTERS.map((letter, kind) => [letter.charCodeAt(0), kind]))
const IDLE = LETTERS.length - 1
const SPACE = 32
const ZERO = 48
const NONE = new Float64Array(0)

/** Spans without gaps between them as a short text: when the first begins, then what and how long, in milliseconds. */
export function spanText(spans: readonly Span[]): string {
  if (spans.length === 0) return ''
  const parts = spans.map(({ from, to, what }) => `${LETTERS[SPAN_KINDS.indexOf(what)]}${to - from}`)
  return `${spans[0]?.from} ${parts.join(' ')}`
}

/** Who was at work when: in a part that is known as such a text alone, and in the events that came after it. */
export function spansAfter(before: string, events: readonly DigestEvent[], bounds: Bounds): Span[] {
  const known = spansIn(before)
  const startedAt = known.at(-1)?.to ?? bounds.startedAt
  return [...known, ...spansOf(events, { ...bounds, startedAt })]
}

/** The same as text. */
export function spanTextAfter(before: string, events: readonly DigestEvent[], bounds: Bounds): string {
  return spanText(spansAfter(before, events, bounds))
}

function spansIn(text: string): Span[] {
  const row = readSpans(text, -Infinity, Infinity)
  return Array.from({ length: row.length / STRIDE }, (_, n) => {
    const [from = 0, to = 0, kind = IDLE] = row.subarray(n * STRIDE, (n + 1) * STRIDE)
    return { from, to, what: SPAN_KINDS[kind] ?? 'idle' }
  })
}

/** Spans in a row: from, to and the place of the kind in SPAN_KINDS of each. An object for each would cost more than all their sums. */
export type Stretches = Float64Array
export const STRIDE = 3

/** The spans of such a text, as far as they lie within the time. */
export function readSpans(text: string, since: number, before: number): Stretches {
  let at = text.indexOf(' ')
  if (at < 0) return NONE
  let from = Number(text.slice(0, at))
  let size = 0
  // A span takes three characters or more.
  const spans = new Float64Array(text.length - at)
  while (at < text.length) {
    const kind = KIND_OF.get(text.charCodeAt(at + 1)) ?? IDLE
    let length = 0
    for (at += 2; at < text.length && text.charCodeAt(at) !== SPACE; at++)
      length = length * 10 + text.charCodeAt(at) - ZERO
    const start = Math.max(from, since)
    from += length
    const end = Math.min(from, before)
    if (start < end) size = putSpan(spans, size, start, end, kind)
  }
  return spans.subarray(0, size)
}

/** Gives the place after it. */
export function putSpan(spans: Stretches, at: number, from: number, to: number, kind: number): number {
  spans[at] = from
  spans[at + 1] = to
  spans[at + 2] = kind
  return at + STRIDE
}
