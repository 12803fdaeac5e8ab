import type { Store } from '../store/store.ts'
import type { Query, Term } from './query.ts'
import { rankDocuments, type Ranked, type TermHits } from './rank.ts'

/** A term that more documents hold only helps to order what the others find. */
const COMMON = 6000
const CANDIDATES = 300

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
  const must: ReadonlyMap<number, number>[] = []
  for (const term of query.must) must.push((await text.postings(term.match, COMMON)).hits)
  const allowed = (doc: number) =>
    !without.has(doc) && must.every((hits) => hits.has(doc)) && (sessions === null || sessions.has(text.sessionOf(doc)))

  const terms = await weighTerms(store, [...query.must, ...query.terms])
  const found = new Set<number>()
  for (const { hits } of terms) for (const doc of hits.keys()) found.add(text.sessionOf(doc))
  const lengths = await text.relativeLengths([...found])
  const { sessionOf, isTitle } = text
  const corpus = { sessionOf, isTitle, relativeLength: (session: number) => lengths.get(session) ?? 1 }
  return rankDocuments(terms, corpus, allowed)
}

async function weighTerms(store: Store, terms: readonly Term[]): Promise<TermHits[]> {
  const rare: TermHits[] = []
  const common: Term[] = []
  let documents = 1
  for (const term of terms) {
    const postings = await store.text.postings(term.match, COMMON)
    documents = postings.documents
    if (postings.capped) common.push(term)
    else if (postings.hits.size > 0 || term.words.length === 1) {
      rare.push({ weight: weightOf(term, documents, postings.hits.size), hits: postings.hits })
    }
  }
  if (common.length === 0) return rare
  const candidates = await candidatesFor(store, rare, common)
  for (const term of common) {
    const hits = await store.text.postingsIn(term.match, candidates)
    rare.push({ weight: weightOf(term, documents, COMMON * 2), hits })
  }
  return rare
}

/** A name of several parts that stands there whole says more than its parts together. */
function weightOf(term: Term, documents: number, holding: number): number {
  const weight = Math.log(1 + documents / Math.max(1, holding))
  return term.words.length > 1 ? weight * 1.3 : holding === 0 ? weight * 0.6 : weight
}

async function candidatesFor(store: Store, rare: readonly TermHits[], common: readonly Term[]): Promise<number[]> {
  if (rare.some(({ hits }) => hits.size > 0)) {
    const { sessionOf, isTitle } = store.text
    const corpus = { sessionOf, isTitle, relativeLength: () => 1 }
    const ranked = rankDocuments(rare, corpus, () => true)
    return ranked.slice(0, CANDIDATES).map(({ doc }) => doc)
  }
  const all = common.map((term) => term.match)
  const together = await store.text.best(all.join(' AND '), CANDIDATES)
  return together.length > 0 ? together : store.text.best(all.join(' OR '), CANDIDATES)
}
