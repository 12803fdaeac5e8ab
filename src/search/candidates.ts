import type { Store } from '../store/store.ts'
import type { Query, Term } from './query.ts'
import { MAX_RANKED, rankDocuments, rarity, type Corpus, type Ranked, type TermHits } from './rank.ts'

/** A term that more documents hold only helps to order what the others find: a few such, the least common. */
const COMMON = 1500
const HELPERS = 3
/** A term that so large a share of all documents holds tells nothing beside rarer ones. */
const EVERYWHERE = 0.2
const CANDIDATES = 300
const NO_CAP = Number.MAX_SAFE_INTEGER

export interface Found {
  readonly ranked: readonly Ranked[]
  readonly total: number
  /** There are more than `total`: what holds common words alone was not counted. */
  readonly atLeast: boolean
}

/** Something to look for: an expression of the index, and how much it tells. */
type Sought = Pick<Term, 'match' | 'weight'>

/** Documents that answer a query, best first, by their words alone. `all`: none may be left out, however common a word is. */
export async function findDocuments(
  store: Store,
  query: Query,
  sessions: ReadonlySet<number> | null,
  all: boolean,
): Promise<Found> {
  const found = await findByTerms(store, soughtBy(query, query.terms), sessions, all)
  if (found.ranked.length > 0 || query.rest.length === 0) return found
  const anything = await findByTerms(store, soughtBy(query, query.rest), sessions, all)
  return { ...anything, ranked: anything.ranked.map((entry) => ({ ...entry, coverage: 0 })) }
}

/** What must and must not be there becomes part of every expression: so whatever is found may be shown. */
function soughtBy({ must, not }: Query, terms: readonly Term[]): Sought[] {
  const together = must.map(({ match }) => match).join(' AND ')
  const without = not.map(({ match }) => match).join(' OR ')
  const narrow = (match: string) => {
    const within = together === '' || match === together ? match : `(${match}) AND (${together})`
    return without === '' ? within : `(${within}) NOT (${without})`
  }
  const whole = together === '' ? [] : [{ match: together, weight: 1 }]
  return [...whole, ...terms].slice(0, MAX_RANKED).map(({ match, weight }) => ({ match: narrow(match), weight }))
}

async function findByTerms(
  store: Store,
  sought: readonly Sought[],
  sessions: ReadonlySet<number> | null,
  all: boolean,
): Promise<Found> {
  const { text } = store
  const terms = await gather(store, sought, all || sessions !== null ? NO_CAP : COMMON)
  const common = terms.filter(({ capped }) => capped)
  if (common.length > 0 && terms.every(({ hits, capped }) => capped || hits.size === 0)) {
    return lastOfCommon(store, terms, common)
  }
  const allowed = (doc: number) => sessions === null || sessions.has(text.sessionOf(doc))
  const helped = common.length === 0 ? terms : await helpRare(store, terms)
  const ranked = rankDocuments(helped, await corpusOf(store, helped), allowed)
  return { ranked, total: ranked.length, atLeast: common.length > 0 }
}

/** With what it found. */
interface FoundTerm extends TermHits {
  readonly match: string
}

async function gather(store: Store, sought: readonly Sought[], cap: number): Promise<FoundTerm[]> {
  const found: FoundTerm[] = []
  for (const one of sought) found.push({ ...one, ...(await store.text.postings(one.match, cap)) })
  return found
}

/** The rare terms, and of some common ones what a rare one finds too. */
async function helpRare(store: Store, terms: readonly FoundTerm[]): Promise<TermHits[]> {
  const { documents } = await store.text.size()
  const rare = terms.filter(({ capped }) => !capped)
  const found = rare.filter(({ hits }) => hits.size > 0).map(({ match }) => `(${match})`)
  const helpers = terms
    .filter(({ capped, holding }) => capped && holding < EVERYWHERE * documents)
    .sort((a, b) => a.holding - b.holding)
    .slice(0, HELPERS)
  const both: TermHits[] = []
  for (const helper of helpers) {
    const { hits } = await store.text.postings(`(${helper.match}) AND (${found.join(' OR ')})`, NO_CAP)
    both.push({ ...helper, hits })
  }
  return [...rare, ...both]
}

async function corpusOf(store: Store, terms: readonly TermHits[]): Promise<Corpus> {
  const { sessionOf, isTitle } = store.text
  const found = new Set<number>()
  for (const { hits } of terms) for (const doc of hits) found.add(sessionOf(doc))
  const lengths = await store.text.relativeLengths([...found])
  return { ...(await store.text.size()), sessionOf, isTitle, relativeLength: (session) => lengths.get(session) ?? 1 }
}

/** Common words alone: the last that hold all of them, if any do. A single word is counted, but only some are given. */
async function lastOfCommon(store: Store, terms: readonly FoundTerm[], common: readonly FoundTerm[]): Promise<Found> {
  const { text } = store
  const matches = common.map(({ match }) => `(${match})`)
  const together = await text.lastWith(matches.join(' AND '), CANDIDATES)
  const docs = together.length > 0 ? together : await text.lastWith(matches.join(' OR '), CANDIDATES)
  const { documents } = await text.size()
  const weigh = (some: readonly TermHits[]) =>
    some.reduce((sum, { weight, holding }) => sum + weight * rarity(documents, holding), 0)
  const coverage = weigh(common) / (weigh(terms) || 1)
  const seen = new Map<number, number>()
  const ranked = docs.map((doc, i) => {
    const session = text.sessionOf(doc)
    const nth = seen.get(session) ?? 0
    seen.set(session, nth + 1)
    return { doc, session, coverage, score: (1 - i / (2 * docs.length)) * 0.5 ** nth }
  })
  ranked.sort((a, b) => b.score - a.score || a.session - b.session || a.doc - b.doc)
  const only = matches.length === 1 ? matches[0] : undefined
  if (only === undefined) return { ranked, total: ranked.length, atLeast: true }
  return { ranked, total: await text.count(only), atLeast: false }
}
