import type { Store } from '../store/store.ts'
import { askedBy, corpusOf, noGain, type Found, type FoundTerm } from './gathered.ts'
import type { Query } from './query.ts'
import { rarity, type TermHits } from './rank.ts'
import { furtherLast, lookAgain } from './second-look.ts'
import { promptsWith } from './wider-look.ts'

const CANDIDATES = 300

/** Common words alone: the last that hold all of them, if any do. A single word is counted, but only some are given. */
export async function lastOfCommon(
  store: Store,
  query: Query,
  terms: readonly FoundTerm[],
  common: readonly FoundTerm[],
): Promise<Found> {
  const { text } = store
  const matches = common.map(({ match }) => `(${match})`)
  const together = await text.lastWith(matches.join(' AND '), CANDIDATES)
  const last = together.length > 0 ? together : await text.lastWith(matches.join(' OR '), CANDIDATES)
  const docs = [...new Set([...(await promptsWith(store, query.sequence, terms)), ...last])]
  const { documents } = await text.size()
  const weigh = (some: readonly TermHits[]) =>
    some.reduce((sum, { weight, holding }) => sum + weight * rarity(documents, holding), 0)
  const coverage = weigh(common) / (weigh(terms) || 1)
  const latest = docs.map((doc, i) => {
    const score = 1 - i / (2 * docs.length)
    return { doc, session: text.sessionOf(doc), coverage, score, whole: score / 2, held: 1, chance: 0 }
  })
  const ordered = furtherLast(latest)
  const corpus = await corpusOf(store, terms)
  const ranked =
    common.length === 1 ? ordered : await lookAgain(store, ordered, new Set(), askedBy(query, terms, corpus))
  const only = matches.length === 1 ? matches[0] : undefined
  if (only === undefined) return { ranked, total: ranked.length, atLeast: true, titleGain: noGain }
  return { ranked, total: await text.count(only), atLeast: false, titleGain: noGain }
}
