const BEFORE = 60
const LENGTH = 240

export interface Snippet {
  readonly text: string
  /** Start and end of each match in `text`. */
  readonly highlights: [number, number][]
}

/** A word without its common endings: what is marked and counted for it. */
export function wordStem(word: string): string {
  return /^[a-z]{5,}$/.test(word) ? word.replace(/(?:ies|ing|ied|ed|es|s|e|y)$/, '') : word
}

/** The words as a pattern that also finds their common endings. Null if there are none. */
export function wordPattern(words: readonly string[]): RegExp | null {
  const stems = [...new Set(words.map(wordStem))].filter((stem) => stem !== '')
  if (stems.length === 0) return null
  const alternatives = stems
    .sort((a, b) => b.length - a.length)
    .map((stem) => stem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})[\\p{L}\\p{N}]*`, 'giu')
}

/** A stretch of `text` around the place where most different words stand together, on one line, with the matches marked. */
export function makeSnippet(text: string, pattern: RegExp | null): Snippet {
  const first = pattern === null ? -1 : densest(text, pattern)
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

const MAX_MATCHES = 400

/** Where the stretch begins that holds most different matches; the first of equals. */
function densest(text: string, pattern: RegExp): number {
  const matches: { at: number; word: string }[] = []
  for (const match of text.matchAll(pattern)) {
    matches.push({ at: match.index, word: match[0].toLowerCase().slice(0, 5) })
    if (matches.length === MAX_MATCHES) break
  }
  let best = matches[0]?.at ?? -1
  let most = 0
  for (const [i, { at }] of matches.entries()) {
    const words = new Set<string>()
    for (let j = i; j < matches.length && (matches[j]?.at ?? 0) - at < LENGTH - BEFORE; j++)
      words.add(matches[j]?.word ?? '')
    if (words.size > most) [best, most] = [at, words.size]
  }
  return best
}
