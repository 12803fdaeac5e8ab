import type { Store } from '../store/store.ts'
import { askedOf, type Asked } from './message-score.ts'
import type { Query } from './query.ts'
import { rarity, type Corpus, type Ranked, type TermHits } from './rank.ts'

/** A term that more documents hold only helps to order what the others find. */
export const COMMON = 1500

export interface Found {
  readonly ranked: readonly Ranked[]
  readonly total: number
  /** There are more than `total`: what holds common words alone was not counted. */
  readonly atLeast: boolean
  /** What a session with this title gains by it. */
  readonly titleGain: (title: string) => number
}

export const noGain = () => 0

/** With what it found. */
export interface FoundTerm extends TermHits {
  readonly text: string
  readonly words: readonly string[]
  readonly match: string
}

export function askedBy(query: Query, terms: readonly FoundTerm[], { documents }: Corpus): Asked {
  const held = new Map(terms.map((term) => [term.text, term.holding]))
  return askedOf(query, (term) => {
    const holding = held.get(term.text) ?? 0
    return { weight: term.weight * rarity(documents, holding), known: holding > 0 }
  })
}

export async function corpusOf(store: Store, terms: readonly TermHits[]): Promise<Corpus> {
  const { sessionOf, isTitle } = store.text
  const found = new Set<number>()
  for (const { hits } of terms) for (const doc of hits) found.add(sessionOf(doc))
  const lengths = await store.text.relativeLengths([...found])
  return { ...(await store.text.size()), sessionOf, isTitle, relativeLength: (session) => lengths.get(session) ?? 1 }
}
