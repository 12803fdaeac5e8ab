import type { Store } from '../store/store.ts'
import type { Term } from './query.ts'
import { wordStem } from './snippet.ts'

/** A word that more documents hold says little. */
const COMMON = 6000

/** A word with how much it tells apart, and the documents that hold it. */
export interface WeightedWord {
  readonly term: Term
  readonly stem: string
  readonly weight: number
  readonly docs: ReadonlySet<number>
}

/** The single words of a query, weighed by how few documents hold them. One look into the index each. */
export async function weighWords(store: Store, terms: readonly Term[]): Promise<WeightedWord[]> {
  const words: WeightedWord[] = []
  const { documents } = await store.text.size()
  const seen = new Set<string>()
  for (const term of terms) {
    const stem = wordStem(term.words[0] ?? '')
    if (term.words.length !== 1 || seen.has(stem)) continue
    seen.add(stem)
    const { hits, holding, capped } = await store.text.postings(term.match, COMMON)
    words.push({ term, stem, weight: Math.log(1 + documents / (1 + holding)), docs: capped ? new Set() : hits })
  }
  return words
}

export function totalWeight(words: readonly WeightedWord[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0)
}

/** The words of a text as stems are looked for in it: small letters, names also in parts. */
export function spokenWords(text: string): Set<string> {
  const parts = text.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
  const words = `${text} ${parts}`.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  return new Set(words)
}

/** True if one of the words begins with the stem and adds no more than an ending. */
export function holdsStem(words: ReadonlySet<string>, stem: string): boolean {
  if (words.has(stem)) return true
  for (const word of words) if (word.startsWith(stem) && word.length - stem.length <= 4 && stem.length > 2) return true
  return false
}
