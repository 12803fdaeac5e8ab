import type { Store } from '../store/store.ts'
import { COMMON, type FoundTerm } from './gathered.ts'
import type { Query } from './query.ts'
import { rarity, type Ranked } from './rank.ts'

/** Words in a row that are looked for as a phrase, and how many of the documents that hold one are looked at. */
const ROW = 4
const SHORT_ROW = 3
const SHORT_ROWS = 3
const HOLDING_ROW = 20
/** Where no more documents hold nearly all of the words, or most of them, they are looked at anyway. */
const NEARLY_ALL = 0.9
const MOST_OF_IT = 0.6
const LOOKED_AT = 24

/** Documents whose prompt begins as the question does, or that hold words of its beginning, middle or end as they were typed. */
export async function phrasesOf(
  store: Store,
  { sequence }: Query,
  terms: readonly FoundTerm[],
  first: readonly Ranked[],
): Promise<ReadonlySet<number>> {
  const found = new Set(await promptsWith(store, sequence, terms))
  const holding = (share: number) => first.filter(({ held }) => held >= share).length
  if (holding(MOST_OF_IT) > LOOKED_AT) for (const doc of await promptsLike(store, terms)) found.add(doc)
  if (holding(NEARLY_ALL) <= LOOKED_AT) return found
  const rare = new Set(terms.filter(({ capped, hits }) => !capped && hits.size > 0).flatMap(({ words }) => words))
  const tells = (row: readonly string[]) => row.length > 1 && row.some((word) => rare.has(word))
  const last = Math.max(0, sequence.length - ROW)
  const rows = [...new Set([0, Math.floor(last / 2), last])]
    .map((from) => sequence.slice(from, from + ROW))
    .filter(tells)
  const find = async (match: string, evenMany = true) => {
    const { hits, capped } = await store.text.postings(match, HOLDING_ROW)
    for (const doc of capped && !evenMany ? [] : hits) found.add(doc)
  }
  for (const row of spread(sequence, SHORT_ROW, SHORT_ROWS).filter(tells)) await find(`"${row.join(' ')}"`, false)
  if (sequence.length > 1) await find(`prompt : ^ "${sequence.slice(0, ROW).join(' ')}"`)
  if (rows.length > 0) await find(rows.map((row) => `"${row.join(' ')}"`).join(' OR '))
  return found
}

/** Up to so many rows of so many words, from all over the sequence. */
function spread(sequence: readonly string[], length: number, most: number): string[][] {
  const last = sequence.length - length
  const step = Math.max(1, last / (most - 1))
  const rows: string[][] = []
  for (let from = 0; from <= last; from += step) rows.push(sequence.slice(Math.round(from), Math.round(from) + length))
  return rows
}

/** Words that tell something; where there are more, they find by themselves. */
const FEW_TELLING = 2
const FEWEST_WORDS = 4
const PROMPTS = 40

/**
 * Prompts that hold every word, also those that tell nothing: all there is to go by where hardly a word tells anything. Where a
 * word was mistyped, those that hold all the others that tell something.
 */
export async function promptsWith(
  store: Store,
  sequence: readonly string[],
  terms: readonly FoundTerm[],
): Promise<number[]> {
  const unknown = new Set(terms.filter(({ holding }) => holding === 0).flatMap(({ words }) => words))
  const telling = terms.filter(({ holding, weight }) => holding > 0 && weight >= 1)
  const isFew = telling.length <= FEW_TELLING
  const known = new Set(telling.flatMap(({ words }) => words))
  const words = [...new Set(sequence)].filter((word) => (isFew ? !unknown.has(word) : known.has(word)))
  if (words.length < (isFew ? FEWEST_WORDS : FEW_TELLING) || (!isFew && unknown.size === 0)) return []
  const match = `prompt : (${words.map((word) => `"${word}"`).join(' AND ')})`
  return [...(await store.text.postings(match, PROMPTS)).hits]
}

/** A prompt is one message: so many of those that hold most of the words, by weight, are looked at. */
const ALIKE = 16
const RAREST = 4

/** Prompts that say most of what was asked: a long exchange may hold the same words anywhere. */
async function promptsLike(store: Store, terms: readonly FoundTerm[]): Promise<number[]> {
  const { documents } = await store.text.size()
  const points = new Map<number, number>()
  const rarest = terms.filter(({ holding }) => holding > 0).sort((a, b) => a.holding - b.holding)
  for (const { match, weight } of rarest.slice(0, RAREST)) {
    const { hits, capped } = await store.text.postings(`prompt : (${match})`, COMMON)
    for (const doc of capped ? [] : hits)
      points.set(doc, (points.get(doc) ?? 0) + weight * rarity(documents, hits.size))
  }
  const best = [...points].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  return best.slice(0, ALIKE).map(([doc]) => doc)
}
