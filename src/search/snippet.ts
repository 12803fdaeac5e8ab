const BEFORE = 60
const LENGTH = 240

export interface Snippet {
  readonly text: string
  /** Start and end of each match in `text`. */
  readonly highlights: [number, number][]
}

/** The terms as a pattern that also finds their common endings. Null if there are none. */
export function termPattern(terms: readonly string[]): RegExp | null {
  const stems = terms.map((term) => (/^[a-z]{5,}$/.test(term) ? term.replace(/(ing|ed|es|s|e)$/, '') : term))
  if (stems.length === 0) return null
  const alternatives = stems
    .sort((a, b) => b.length - a.length)
    .map((stem) => stem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})[\\p{L}\\p{N}]*`, 'giu')
}

/** Which of the terms stand in `text`. */
export function termsIn(text: string, terms: readonly string[]): string[] {
  return terms.filter((term) => termPattern([term])?.test(text) ?? false)
}

/** A stretch of `text` around the first match, on one line, with the matches marked. */
export function makeSnippet(text: string, pattern: RegExp | null): Snippet {
  const first = pattern === null ? -1 : text.search(pattern)
  const from = Math.max(0, first - BEFORE)
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1 || from
  const flat = text
    .slice(start, start + LENGTH * 2)
    .replace(/\s+/g, ' ')
    .slice(0, LENGTH)
    .trim()
  const shown = `${start > 0 ? '…' : ''}${flat}${start + LENGTH < text.length ? '…' : ''}`
  const highlights: [number, number][] = []
  if (pattern !== null)
    for (const match of shown.matchAll(pattern)) highlights.push([match.index, match.index + match[0].length])
  return { text: shown, highlights }
}
