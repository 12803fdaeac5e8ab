import type { Store } from '../store/store.ts'
import { withoutMust, type Query, type Term } from './query.ts'
import { askedOf, compare, type Asked } from './message-score.ts'
import { MAX_RANKED, rankDocuments, rarity, type Corpus, type Ranked, type TermHits } from './rank.ts'
import { furtherLast, lookAgain, trustIn } from './second-look.ts'

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
  /** What a session with this title gains by it. */
  readonly titleGain: (title: string) => number
}

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

export const noGain = () => 0

function askedBy(query: Query, terms: readonly FoundTerm[], { documents }: Corpus): Asked {
  const held = new Map(terms.map((term) => [term.text, term.holding]))
  return askedOf(query, (term) => {
    const holding = held.get(term.text) ?? 0
    return { weight: term.weight * rarity(documents, holding), known: holding > 0 }
  })
}

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
async function phrasesOf(
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
async function promptsWith(store: Store, sequence: readonly string[], terms: readonly FoundTerm[]): Promise<number[]> {
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

/** With what it found. */
interface FoundTerm extends TermHits {
  readonly text: string
  readonly words: readonly string[]
  readonly match: string
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

async function corpusOf(store: Store, terms: readonly TermHits[]): Promise<Corpus> {
  const { sessionOf, isTitle } = store.text
  const found = new Set<number>()
  for (const { hits } of terms) for (const doc of hits) found.add(sessionOf(doc))
  const lengths = await store.text.relativeLengths([...found])
  return { ...(await store.text.size()), sessionOf, isTitle, relativeLength: (session) => lengths.get(session) ?? 1 }
}

/** Common words alone: the last that hold all of them, if any do. A single word is counted, but only some are given. */
async function lastOfCommon(
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
