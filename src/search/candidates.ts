import type { Store } from '../store/store.ts'
import { withoutMust, type Query, type Term } from './query.ts'
import { askedBy, COMMON, corpusOf, noGain, type Found, type FoundTerm } from './gathered.ts'
import { compare, type Asked } from './message-score.ts'
import { MAX_RANKED, rankDocuments, type TermHits } from './rank.ts'
import { lookAgain, trustIn } from './second-look.ts'
import { phrasesOf } from './wider-look.ts'

/** Of terms that are too common to look for, so many help to order what the others find: the least common. */
const HELPERS = 3
/** A term that so large a share of all documents holds tells nothing beside rarer ones. */
const EVERYWHERE = 0.2
const NO_CAP = Number.MAX_SAFE_INTEGER

/** Something to look for: an expression of the index, and how much it tells. */
type Sought = Pick<Term, 'text' | 'match' | 'weight' | 'words'>

/** Documents that answer a query, best first, by their words alone. `all`: none may be left out, however common a word is. */
export async function findDocuments(
  store: Store,
  query: Query,
  sessions: ReadonlySet<number> | null,
  all: boolean,
): Promise<Found> {
  const found = await findByTerms(store, query, soughtBy(query, query.terms), sessions, all)
  const loose = found.ranked.length > 0 ? null : withoutMust(query)
  if (loose !== null) return findDocuments(store, loose, sessions, all)
  if (found.ranked.length > 0 || query.rest.length === 0) return found
  const anything = await findByTerms(store, query, soughtBy(query, query.rest), sessions, all)
  return { ...anything, ranked: anything.ranked.map((entry) => ({ ...entry, coverage: 0, chance: 0 })) }
}

/** What must and must not be there becomes part of every expression: so whatever is found may be shown. */
function soughtBy({ must, not }: Query, terms: readonly Term[]): Sought[] {
  const together = must.map(({ match }) => match).join(' AND ')
  const without = not.map(({ match }) => match).join(' OR ')
  const narrow = (match: string) => {
    const within = together === '' || match === together ? match : `(${match}) AND (${together})`
    return without === '' ? within : `(${within}) NOT (${without})`
  }
  const whole = together === '' ? [] : [{ text: together, match: together, weight: 1, words: [] }]
  return [...whole, ...terms].slice(0, MAX_RANKED).map((term) => ({ ...term, match: narrow(term.match) }))
}

async function findByTerms(
  store: Store,
  query: Query,
  sought: readonly Sought[],
  sessions: ReadonlySet<number> | null,
  all: boolean,
): Promise<Found> {
  const { text } = store
  const terms = await readLeastCommon(store, await gather(store, sought, all || sessions !== null ? NO_CAP : COMMON))
  const common = terms.filter(({ capped }) => capped)
  if (common.length > 0 && terms.every(({ hits, capped }) => capped || hits.size === 0)) {
    const { lastOfCommon } = await import('./common-words.ts')
    return lastOfCommon(store, query, terms, common)
  }
  const allowed = (doc: number) => sessions === null || sessions.has(text.sessionOf(doc))
  const helped = common.length === 0 ? terms : await helpRare(store, terms)
  const corpus = await corpusOf(store, helped)
  const first = rankDocuments(helped, corpus, allowed)
  const asked = askedBy(query, terms, corpus)
  const ranked = await lookAgain(store, first, await phrasesOf(store, query, terms, first), asked)
  const titleGain = gainBy(asked, trustIn(await text.size()))
  return { ranked, total: ranked.length, atLeast: common.length > 0, titleGain }
}

/** Where all words are common, the least common of them are read whole, as long as that is little work. */
const LEAST_COMMON = 3
const LITTLE = 4_000

async function readLeastCommon(store: Store, terms: readonly FoundTerm[]): Promise<FoundTerm[]> {
  const known = terms.filter(({ hits }) => hits.size > 0)
  if (known.length < 2 || known.some(({ capped }) => !capped)) return [...terms]
  const least = new Set(
    known
      .toSorted((a, b) => a.holding - b.holding)
      .slice(0, LEAST_COMMON)
      .filter(({ holding }) => holding <= LITTLE),
  )
  return gatherAll(terms, async (term) =>
    least.has(term) ? { ...term, ...(await store.text.postings(term.match, NO_CAP)) } : term,
  )
}

/** Where sessions are long, a title that says what was asked tells what its session is about. */
const TITLE = 0.2

function gainBy(asked: Asked, trust: number): Found['titleGain'] {
  if (trust === 0) return noGain
  return (title) => trust * TITLE * compare({ text: title, length: title.length }, asked).said
}

async function gather(store: Store, sought: readonly Sought[], cap: number): Promise<FoundTerm[]> {
  return gatherAll(sought, async (one) => ({ ...one, ...(await store.text.postings(one.match, cap)) }))
}

async function gatherAll<T>(some: readonly T[], find: (one: T) => Promise<FoundTerm>): Promise<FoundTerm[]> {
  const found: FoundTerm[] = []
  for (const one of some) found.push(await find(one))
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
