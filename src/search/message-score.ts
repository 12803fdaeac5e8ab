import type { TextMessage } from '../store/text-index.ts'
import { MAX_SEQUENCE, MAX_TERMS, type Query, type Term } from './query.ts'
import { cased, occurrences, wordStem, type Cased } from './snippet.ts'
import { STOP_WORDS } from './stop-words.ts'

/** A word that was asked for: how it may stand there, how much it tells, and whether it stands nowhere as it was typed. */
interface AskedWord {
  readonly word: string
  readonly stems: readonly string[]
  readonly weight: number
  readonly pairWeight: number
  readonly mistyped: boolean
}

/** What was asked, as single messages are compared with it. */
export interface Asked {
  readonly words: readonly AskedWord[]
  /** All words as they were typed, each by its place in `words`. */
  readonly sequence: readonly number[]
  /** Names of several parts, small letters. */
  readonly names: readonly { readonly text: string; readonly weight: number }[]
  /** It names a file. */
  readonly isPath: boolean
  /** How a text that was cut begins, small letters, one space between words; '' if it was not. */
  readonly beginning: string
}

/** Words that tell nothing help a little to tell two messages apart, and a little more by what they stand beside. */
const STOP_WORD = 0.03
const STOP_PAIR = 0.2
/** A word beyond the number of terms that are looked up. */
const UNWEIGHED = 2
const NAME = 0.4
const SHORTEST_MISTYPED = 4

/** `weigh` tells how much a term tells, and whether any document holds it. */
export function askedOf(query: Query, weigh: (term: Term) => { weight: number; known: boolean }): Asked {
  const single = new Map(query.terms.filter(({ words }) => words.length === 1).map((term) => [term.words[0], term]))
  const wasCut = query.terms.length >= MAX_TERMS
  const places = new Map<string, number>()
  const words: AskedWord[] = []
  const sequence = query.sequence.map((word) => {
    const place = places.get(word) ?? words.length
    if (place === words.length) {
      places.set(word, place)
      words.push(askedWord(word, single.get(word), wasCut, weigh))
    }
    return place
  })
  const names = query.terms
    .filter((term) => term.words.length > 1)
    .map((term) => ({ text: bare(term.text), weight: NAME * weigh(term).weight }))
    .filter(({ text }) => text !== '')
  const isPath = names.some(({ text }) => PATH.test(text))
  const beginning = sequence.length < MAX_SEQUENCE ? '' : beginningOf(query.text)
  return { words: withUsualSlips(words), sequence, names, isPath, beginning }
}

/** What was mistyped stands nowhere, but that does not make it rare: it tells what an average word of the question does. */
function withUsualSlips(words: readonly AskedWord[]): AskedWord[] {
  const known = words.filter(({ mistyped, weight }) => !mistyped && weight > STOP_WORD)
  if (known.length === 0) return [...words]
  const usual = known.reduce((sum, { weight }) => sum + weight, 0) / known.length
  return words.map((word) => (word.mistyped ? { ...word, weight: usual, pairWeight: usual } : word))
}

/** A word that is no term tells nothing, unless there were more words than are looked up. */
function askedWord(
  word: string,
  term: Term | undefined,
  wasCut: boolean,
  weigh: (term: Term) => { weight: number; known: boolean },
): AskedWord {
  const stems = [...new Set([word, ...(term?.forms ?? [])].map(wordStem))]
  if (STOP_WORDS.has(word) || (term === undefined && !wasCut))
    return { word, stems, weight: STOP_WORD, pairWeight: STOP_PAIR, mistyped: false }
  const { weight, known } = term === undefined ? { weight: UNWEIGHED, known: true } : weigh(term)
  const mistyped = !known && word.length >= SHORTEST_MISTYPED && /^[a-z]+$/.test(word)
  return { word, stems: mistyped ? [word] : stems, weight, pairWeight: weight, mistyped }
}

function bare(name: string): string {
  return name.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

/** BM25 over one message, with characters for words; a message of average length has so many. */
const K = 0.6
const B = 0.55
const AVERAGE = 600
const MOST_TIMES = 12
/** Two words that were typed side by side stand so when no more characters are between their beginnings, the first one's apart. */
const BESIDE = 12
/** Two words stand side by side by chance; so many pairs do not. */
const ENOUGH_PAIRS = 4
/** A message that says just what was asked and nothing else is the one that was meant. */
const NOTHING_ELSE = 1.3
/** One that says all of it in one row stands before one that has every pair somewhere. */
const IN_ONE_ROW = 1.15

/** Plain BM25, for a second opinion: words tell what they tell in a row, and length counts less. */
const PLAIN_K = 1.2
const PLAIN_B = 0.4

/** How much of what was asked one message says, and how much of it in the same order: both from 0 to about 1. `plain`: as plain BM25 has it. */
export function compare(
  message: Pick<TextMessage, 'text' | 'length'>,
  asked: Asked,
): { said: number; inOrder: number; plain: number } {
  const { words, sequence, names } = asked
  const text = cased(message.text)
  const scarce = K * (1 - B + (B * message.length) / AVERAGE)
  const plainScarce = PLAIN_K * (1 - PLAIN_B + (PLAIN_B * message.length) / AVERAGE)
  const places = words.map((word) =>
    word.mistyped ? meantBy(text, word.stems[0] ?? '') : occurrences(text, word.stems, MOST_TIMES),
  )
  let [said, all, plain] = [0, 0, 0]
  for (const [i, { weight, pairWeight }] of words.entries()) {
    const times = places[i]?.length ?? 0
    all += weight
    said += (weight * times * (1 + K)) / (times + scarce)
    plain += (pairWeight * times) / (times + plainScarce)
  }
  for (const { text: name, weight } of names) {
    all += weight
    if (standsWhole(text.lower, name)) said += (weight * (1 + K)) / (1 + scarce)
  }
  let [beside, pairs] = [0, 0]
  let row = places[sequence[0] ?? 0] ?? []
  for (let i = 0; i + 1 < sequence.length; i++) {
    const [a = 0, b = 0] = [sequence[i], sequence[i + 1]]
    const weight = Math.min(words[a]?.pairWeight ?? 0, words[b]?.pairWeight ?? 0)
    const room = BESIDE + (words[a]?.stems[0]?.length ?? 0)
    pairs += weight
    if (standBeside(places[a] ?? [], places[b] ?? [], room)) beside += weight
    row = (places[b] ?? []).filter((to) => row.some((from) => to > from && to - from <= room))
  }
  const orderWeight = Math.min(1, (sequence.length - 1) / ENOUGH_PAIRS) * (row.length > 0 ? IN_ONE_ROW : 1)
  const inOrder = isWhole(text.lower, asked) ? NOTHING_ELSE : (orderWeight * beside) / (pairs || 1)
  return { said: said / (all || 1), inOrder, plain }
}

/** A path, or the name of a file with its ending. */
const PATH = /\/\w|\w\.[a-z][a-z0-9]{0,4}$/
const BEGINNING = 400

function beginningOf(text: string): string {
  return text
    .slice(0, 3 * BEGINNING)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, BEGINNING)
}

/** True if a message says what was asked, word for word, and nothing else; of a text that was cut, if it begins so. */
function isWhole(lower: string, { words, sequence, beginning }: Asked): boolean {
  if (beginning !== '') return beginningOf(lower).startsWith(beginning)
  if (lower.length > 12 * sequence.length + 40) return false
  const said = lower.match(/[\p{L}\p{N}_]+/gu) ?? []
  return said.length === sequence.length && sequence.every((place, i) => said[i] === words[place]?.word)
}

/** True if a name stands there and is not part of a longer one. */
function standsWhole(lower: string, name: string): boolean {
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + 1))
    if (!NAME_GOES_ON.test(lower.charAt(at - 1)) && !NAME_GOES_ON.test(lower.charAt(at + name.length))) return true
  return false
}

const NAME_GOES_ON = /[\p{L}\p{N}_-]/u

function standBeside(first: readonly number[], second: readonly number[], room: number): boolean {
  return first.some((from) => second.some((to) => to > from && to - from <= room))
}

/** Where a word stands that may have been meant: one letter more, less or other, or two that changed places. */
function meantBy({ lower }: Cased, typed: string): number[] {
  const found: number[] = []
  for (const { 0: word, index } of lower.matchAll(/[a-z]{4,}/g)) {
    if (word.charAt(0) === typed.charAt(0) && isSlip(word, typed)) found.push(index)
    if (found.length === MOST_TIMES) break
  }
  return found
}

/** True if `typed` may be a slip for the beginning of `word`: up to three letters of an ending may follow. */
export function isSlip(word: string, typed: string): boolean {
  if (Math.abs(word.length - typed.length) > 3) return false
  let at = 0
  while (at < word.length && word.charAt(at) === typed.charAt(at)) at++
  const [meant, slipped] = [word.slice(at), typed.slice(at)]
  const swapped = meant.charAt(1) + meant.charAt(0) + meant.slice(2)
  return (
    meant.slice(1).startsWith(slipped.slice(1)) ||
    meant.slice(1).startsWith(slipped) ||
    meant.startsWith(slipped.slice(1)) ||
    (meant.length > 1 && swapped.startsWith(slipped))
  )
}
