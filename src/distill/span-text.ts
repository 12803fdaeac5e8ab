import { SPAN_KINDS, type Span } from './spans.ts'

const LETTERS = ['a', 'g', 'w', 'i'] as const

/** Spans without gaps between them as a short text: when the first begins, then what and how long, in milliseconds. */
export function spanText(spans: readonly Span[]): string {
  if (spans.length === 0) return ''
  const parts = spans.map(({ from, to, what }) => `${LETTERS[SPAN_KINDS.indexOf(what)]}${to - from}`)
  return `${spans[0]?.from} ${parts.join(' ')}`
}

/** Tells each span of such a text: from, to, and the place of its kind in SPAN_KINDS. */
export function tellSpans(text: string, tell: (from: number, to: number, kind: number) => void): void {
  if (text === '') return
  let start = text.indexOf(' ')
  let from = Number(start < 0 ? text : text.slice(0, start))
  while (start >= 0) {
    const end = text.indexOf(' ', start + 1)
    const length = Number(text.slice(start + 2, end < 0 ? text.length : end))
    const kind = LETTERS.findIndex((letter) => letter === text[start + 1])
    tell(from, from + length, kind < 0 ? LETTERS.length - 1 : kind)
    from += length
    start = end
  }
}
