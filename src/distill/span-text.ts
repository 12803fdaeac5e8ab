import { SPAN_KINDS, type Span } from './spans.ts'

const LETTERS = ['a', 'g', 'w', 'i'] as const

/** Spans without gaps between them as a short text: when the first begins, then what and how long, in milliseconds. */
export function spanText(spans: readonly Span[]): string {
  if (spans.length === 0) return ''
  const parts = spans.map(({ from, to, what }) => `${LETTERS[SPAN_KINDS.indexOf(what)]}${to - from}`)
  return `${spans[0]?.from} ${parts.join(' ')}`
}

export function readSpanText(text: string): Span[] {
  const [first, ...parts] = text === '' ? [] : text.split(' ')
  let from = Number(first)
  return parts.map((part) => {
    const what = SPAN_KINDS[LETTERS.findIndex((letter) => part.startsWith(letter))] ?? 'idle'
    const span = { from, to: from + Number(part.slice(1)), what }
    from = span.to
    return span
  })
}
