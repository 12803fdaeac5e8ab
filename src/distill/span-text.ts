import { SPAN_KINDS, type Span } from './spans.ts'

const LETTERS = ['a', 'g', 'w', 'i'] as const
const KIND_OF = new Map(LETTERS.map((letter, kind) => [letter.charCodeAt(0), kind]))
const IDLE = LETTERS.length - 1
const SPACE = 32
const ZERO = 48

/** Spans without gaps between them as a short text: when the first begins, then what and how long, in milliseconds. */
export function spanText(spans: readonly Span[]): string {
  if (spans.length === 0) return ''
  const parts = spans.map(({ from, to, what }) => `${LETTERS[SPAN_KINDS.indexOf(what)]}${to - from}`)
  return `${spans[0]?.from} ${parts.join(' ')}`
}

/** Tells each span of such a text: from, to, and the place of its kind in SPAN_KINDS. */
export function tellSpans(text: string, tell: (from: number, to: number, kind: number) => void): void {
  let at = text.indexOf(' ')
  if (at < 0) return
  let from = Number(text.slice(0, at))
  while (at < text.length) {
    const kind = KIND_OF.get(text.charCodeAt(at + 1)) ?? IDLE
    let length = 0
    // Digit by digit: a piece of text for each of a hundred thousand spans costs more than all their sums.
    for (at += 2; at < text.length && text.charCodeAt(at) !== SPACE; at++)
      length = length * 10 + text.charCodeAt(at) - ZERO
    tell(from, from + length, kind)
    from += length
  }
}
