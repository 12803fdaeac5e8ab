import type { Store } from '../store/store.ts'
import type { Query, Term } from './query.ts'
import { rankDocuments, type Corpus, type Ranked, type TermHits } from './rank.ts'

/** A term that more documents hold only helps to order what the others find. */
const COMMON = 1500
const CANDIDATES = 300
/** A name of several parts that stands there whole says more than its parts; so does the name of a person. */
const WHOLE_NAME = 1.3
const PROPER_NAME = 1.3

/** Documents that answer a query, best first, by their words alone. */
export async function findDocuments(
  store: Store,
  query: Query,
  sessions: ReadonlySet<number> | null,
): Promise<Ranked[]> {
  const { text } = store
  const without = new Set<number>()
  for (const term of query.not)
    for (const doc of (await text.postings(term.match, COMMON)).hits.keys()) without.add(doc)
  const must: ReadonlyMap<number, unknown>[] = []
  for (const term of query.must) must.push((await text.postings(term.match, COMMON)).hits)
  const allowed = (doc: number) =>
    !without.has(doc) && must.every((hits) => hits.has(doc)) && (sessions === null || sessions.has(text.sessionOf(doc)))

  const terms = await weighTerms(store, [...query.must, ...query.terms])
  const found = new Set<number>()
  for (const { hits } of terms) for (const doc of hits.keys()) found.add(text.sessionOf(doc))
  const lengths = await text.relativeLengths([...found])
  return rankDocuments(terms, await corpusOf(store, lengths), allowed)
}

async function corpusOf(store: Store, lengths: ReadonlyMap<number, number>): Promise<Corpus> {
  const { sessionOf, isTitle } = store.text
  return { ...(await store.text.size()), sessionOf, isTitle, relativeLength: (session) => lengths.get(session) ?? 1 }
}

async function weighTerms(store: Store, terms: readonly Term[]): Promise<TermHits[]> {
  const rare: TermHits[] = []
  const common: Term[] = []
  for (const term of terms) {
    const { hits, capped } = await store.text.postings(term.match, COMMON)
    if (capped) common.push(term)
    else if (hits.size > 0 || term.words.length === 1) rare.push({ weight: weightOf(term), hits })
  }
  const [only] = common
  if (only === undefined) return rare
  if (common.length === 1 && rare.every(({ hits }) => hits.size === 0)) {
    return [...rare, { weight: weightOf(only) / 2, hits: await store.text.best(only.match, CANDIDATES) }]
  }
  const candidates = await candidatesFor(store, rare, common)
  for (const term of common) {
    rare.push({ weight: weightOf(term) / 2, hits: await store.text.postingsIn(term.match, candidates) })
  }
  return rare
}

function weightOf(term: Term): number {
  return (term.words.length > 1 ? WHOLE_NAME : 1) * (term.proper ? PROPER_NAME : 1)
}

async function candidatesFor(store: Store, rare: readonly TermHits[], common: readonly Term[]): Promise<number[]> {
  if (rare.some(({ hits }) => hits.size > 0)) {
    const ranked = rankDocuments(rare, await corpusOf(store, new Map()), () => true)
    return ranked.slice(0, CANDIDATES).map(({ doc }) => doc)
  }
  const all = common.map((term) => term.match)
  const together = await store.text.best(all.join(' AND '), CANDIDATES)
  const found = together.size > 0 ? together : await store.text.best(all.join(' OR '), CANDIDATES)
  return [...found.keys()]
}
