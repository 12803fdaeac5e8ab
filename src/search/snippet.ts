import { isSpaceless } from '../model/search-text.ts'

const BEFORE = 60
const LENGTH = 240

export interface Snippet {
  readonly text: string
  /** Start and end of each match in `text`. */
  readonly highlights: [number, number][]
}

/** A word without its common endings: what is marked and counted for it. What `ing` and `ed` have doubled is single again. */
export function wordStem(word: string): string {
  if (!/^[a-z]{5,}$/.test(word)) return word
  return word.replace(/(?<=..)([bdfghjkmnprtv])\1(?:ing|ed)$|(?:ies|ing|ied|ed|es|s|e|y)$/, '$1')
}

/** The stems of words, the longest first. */
export function stemsOf(words: readonly string[]): string[] {
  return [...new Set(words.map(wordStem))].filter((stem) => stem !== '').sort((a, b) => b.length - a.length)
}

const LETTER = /[\p{L}\p{N}]/u

/** A text, and the same in small letters. */
export interface Cased {
  readonly text: string
  readonly lower: string
}

/** Where small letters are more than the letters they stand for, the words inside names are not told. */
export function cased(text: string): Cased {
  const lower = text.toLowerCase()
  return { text: lower.length === text.length ? text : lower, lower }
}

/** True if a word of the text begins so: one on its own, or one inside a name like `parseUserConfig`. */
export function beginsWord(text: Cased, stem: string): boolean {
  return nextWord(text, stem, 0) >= 0
}

/** Looked for by hand: a pattern with letters of all languages takes longer to make than to search a text with. */
function nextWord({ text, lower }: Cased, stem: string, from: number): number {
  let at = lower.indexOf(stem, from)
  while (at > 0 && !isStart(text, at)) at = lower.indexOf(stem, at + 1)
  return at
}

/** Where words begin with one of the stems, in order, up to `most` of each. */
export function occurrences(text: Cased, stems: readonly string[], most: number): number[] {
  const found: number[] = []
  for (const stem of stems)
    for (let at = nextWord(text, stem, 0), n = 0; at >= 0 && n < most; at = nextWord(text, stem, at + 1), n++)
      found.push(at)
  return found
}

function isStart(text: string, at: number): boolean {
  const [before, here] = [text.charAt(at - 1), text.charAt(at)]
  if (!LETTER.test(before) || !LETTER.test(here)) return true
  if (isSpaceless(before) || isSpaceless(here)) return true
  if (!/[A-Z]/.test(here)) return false
  return /[a-z0-9]/.test(before) || (/[A-Z]/.test(before) && /[a-z]/.test(text.charAt(at + 1)))
}

/**
 * Start and end of words that begin with one of the stems, in order, up to `most` of each. In a script
 * without spaces a match ends where the stem does: the letters after it are other words.
 */
function wordsLike(text: string, stems: readonly string[], most: number): [number, number][] {
  const both = cased(text)
  const found = new Map<number, number>()
  for (const stem of both.lower.length === text.length ? stems : []) {
    for (let at = nextWord(both, stem, 0), n = 0; at >= 0 && n < most; at = nextWord(both, stem, at + 1), n++) {
      let end = at + stem.length
      while (end < text.length && goesOn(text, end)) end++
      if (!found.has(at)) found.set(at, end)
    }
  }
  return [...found].sort(([a], [b]) => a - b)
}

function goesOn(text: string, at: number): boolean {
  const [before, here] = [text.charAt(at - 1), text.charAt(at)]
  return LETTER.test(here) && !isSpaceless(before) && !isSpaceless(here)
}

/** The same stretches without overlaps; those that touch are one. */
function merged(ranges: readonly [number, number][]): [number, number][] {
  const apart: [number, number][] = []
  for (const [from, to] of ranges) {
    const last = apart.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else apart.push([from, to])
  }
  return apart
}

/** A stretch of `text` around the place where most different words stand together, on one line, with the matches marked. */
export function makeSnippet(text: string, stems: readonly string[]): Snippet {
  const from = Math.max(0, densest(text, stems) - BEFORE)
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1 || from
  const flat = text
    .slice(start, start + LENGTH * 2)
    .replace(MARKDOWN, '$<bold>')
    .replace(/\s+/g, ' ')
    .slice(0, LENGTH)
    .trim()
  const shown = `${start > 0 ? '…' : ''}${flat}${start + LENGTH < text.length ? '…' : ''}`
  return { text: shown, highlights: merged(wordsLike(shown, stems, LENGTH)) }
}

/** Signs that a page is set with: of headings, and around what is bold. */
const MARKDOWN = /^#{1,6} (?=\S)|\*\*(?<bold>[^\s*][^*\n]{0,200})\*\*/gm

const MAX_MATCHES = 100

/** Where the stretch begins that holds most different matches; the first of equals. */
function densest(text: string, stems: readonly string[]): number {
  const matches = wordsLike(text, stems, MAX_MATCHES).map(([at, end]) => {
    return { at, word: text.slice(at, Math.min(end, at + 5)).toLowerCase() }
  })
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
