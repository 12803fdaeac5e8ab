import type { SessionFilter, SessionRecord } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import type { ExchangeFilter } from '../store/text-index.ts'
import { findDocuments } from './candidates.ts'
import { isNarrowed, type QueryFilters } from './filters.ts'
import { noGain, type Found } from './gathered.ts'
import { describeHit, marksOf, type Candidate, type Hit } from './hits.ts'
import type { Meaning } from './hybrid.ts'
import { parseQuery, type Query } from './query.ts'
import type { Ranked } from './rank.ts'

export type { Hit } from './hits.ts'

export interface SearchRequest {
  readonly text: string
  readonly filter: SessionFilter
  readonly exchange?: ExchangeFilter
  readonly now: number
  readonly mode?: 'auto' | 'keyword' | 'vector' | 'hybrid'
  /** Scan whole tool outputs instead of the index. */
  readonly inResults?: boolean
  readonly sort?: 'rank' | 'time'
  /** One hit a session. */
  readonly bySession?: boolean
  /** How many events before and after a hit to give with it. */
  readonly context?: number
  /** More may be typed: why nothing was found is not looked into. */
  readonly isLive?: true
  /** Hears why a search that was to be by meaning too was not. */
  readonly onNote?: (text: string) => void
}

export interface SearchResult {
  readonly query: string
  readonly mode: 'keyword' | 'vector' | 'hybrid'
  readonly total: number
  /** There are more than `total`; nobody counted how many. */
  readonly atLeast: boolean
  readonly hits: readonly Hit[]
  /** Why there is nothing, when there is nothing. */
  readonly explain: { readonly reason: 'no_match' | 'filtered' | 'not_indexed'; readonly count: number } | null
}

/** Among so many of the best, age and outcome decide between near ties. */
const CLOSE_LOOK = 24
const RECENCY = 0.002
const SUCCESS = 0.001
/** What a program asked an agent comes after what people did, unless it answers far better. */
const AUTOMATED = 0.75
const TIME_POOL = 200

/** Search by meaning alone, or beside words; `alpha` is its weight where words find next to nothing. */
export interface ByMeaning extends Meaning {
  readonly mode: 'vector' | 'hybrid'
  readonly alpha: number
}

/** Finds what answers a question or holds some words, best first. No text is an error. */
export async function search(store: Store, request: SearchRequest, meant?: ByMeaning): Promise<SearchResult> {
  const query = parseQuery(request.text, request.now)
  const filters = mergeFilters(query.filters, request)
  if (request.inResults) return inResults(store, query, filters, request)
  const sessions = isNarrowed(filters) ? await store.text.sessionsWithin(filters.session) : null
  const all = request.filter.limit === 0
  const found = meant?.mode === 'vector' ? NOTHING : await findAnything(store, query, sessions, all)
  const fitting = await keepFitting(store, found.ranked, filters.exchange, request)
  const looked = await lookClosely(store, fitting, found, request.sort === 'time' ? TIME_POOL : CLOSE_LOOK)
  const near = meant === undefined ? [] : await nearMeaning(store, meant, query, sessions)
  const fused = meant === undefined ? looked : await withMeaning(store, looked, near, { meant, filters, request })
  const ordered = order(await withNamedSession(store, request.text, fused, sessions), request)
  const limit = all ? ordered.length : request.filter.limit
  const marks = marksOf(query)
  const hits: Hit[] = []
  for (const candidate of ordered) {
    if (hits.length === limit) break
    const hit = await describeHit(store, candidate, marks, request.context ?? 0)
    if (hit !== null) hits.push(hit)
  }
  const explain =
    hits.length > 0 ? null : await (await import('./nothing-found.ts')).explainNothing(store, query, filters)
  const counted = countOf(found, fitting.length, Object.keys(filters.exchange).length > 0)
  const total = Math.max(counted.total, fused.length, hits.length)
  return { query: request.text, mode: meant?.mode ?? 'keyword', ...counted, total, hits, explain }
}

const NOTHING: Found = { ranked: [], total: 0, atLeast: false, titleGain: noGain }

/** What was found, as far as it was let through; of what was not looked at nobody knows how much would be. */
function countOf({ ranked, total, atLeast }: Found, fitting: number, narrowed: boolean) {
  if (fitting === ranked.length) return { total, atLeast }
  return { total: fitting, atLeast: atLeast || total > ranked.length || (narrowed && ranked.length > LOOK_AT) }
}

async function nearMeaning(store: Store, meant: Meaning, query: Query, sessions: ReadonlySet<number> | null) {
  const { findNear } = await import('./hybrid.ts')
  return findNear(store, meant, query, sessions)
}

interface Asked {
  readonly meant: ByMeaning
  readonly filters: QueryFilters
  readonly request: SearchRequest
}

async function withMeaning(store: Store, looked: readonly Candidate[], near: readonly Ranked[], asked: Asked) {
  const { fuse } = await import('./hybrid.ts')
  const fitting = await keepFitting(store, near, asked.filters.exchange, asked.request)
  const candidates = fitting.map((hit) => ({ ...hit, record: null }))
  return fuse<Candidate>(looked, candidates, asked.meant.alpha)
}

async function findAnything(
  store: Store,
  query: Query,
  sessions: ReadonlySet<number> | null,
  all: boolean,
): Promise<Found> {
  if (query.terms.length + query.must.length > 0) return findDocuments(store, query, sessions, all)
  const ranked = await newest(store, sessions)
  return { ranked, total: ranked.length, atLeast: ranked.length >= NEWEST, titleGain: noGain }
}

async function inResults(
  store: Store,
  query: Query,
  filters: QueryFilters,
  request: SearchRequest,
): Promise<SearchResult> {
  const { sessions } = await store.sessions({ ...filters.session, limit: 0, hidden: true })
  const { limit } = request.filter
  const { hitsInResults } = await import('./results.ts')
  const hits = await hitsInResults(store, query, sessions, limit)
  const explain = hits.length > 0 ? null : { reason: 'no_match' as const, count: 0 }
  return {
    query: request.text,
    mode: 'keyword',
    total: hits.length,
    atLeast: limit > 0 && hits.length === limit,
    hits,
    explain,
  }
}

function mergeFilters(asked: QueryFilters, request: SearchRequest): QueryFilters {
  const { limit: _, ...flags } = request.filter
  return { session: { ...asked.session, ...flags }, exchange: { ...asked.exchange, ...request.exchange } }
}

const NEWEST = 2000

async function newest(store: Store, sessions: ReadonlySet<number> | null): Promise<Ranked[]> {
  if (sessions === null) return []
  const docs = await store.text.latest(sessions, NEWEST)
  return docs.map((doc, i) => ({
    doc,
    session: store.text.sessionOf(doc),
    score: 1 / (i + 1),
    whole: 1,
    held: 1,
    chance: 1,
    coverage: 1,
  }))
}

const LOOK_AT = 1000

/** Exchanges that a filter on exchanges lets through, and one a session if so wanted. */
async function keepFitting(
  store: Store,
  found: readonly Ranked[],
  filter: ExchangeFilter,
  request: SearchRequest,
): Promise<Ranked[]> {
  const narrowed = Object.keys(filter).length > 0
  if (!narrowed && !request.bySession) return [...found]
  const kept: Ranked[] = []
  const seen = new Set<number>()
  for (const candidate of narrowed ? found.slice(0, LOOK_AT) : found) {
    if (request.bySession && seen.has(candidate.session)) continue
    if (narrowed && !(await store.text.fits(candidate.doc, filter))) continue
    seen.add(candidate.session)
    kept.push(candidate)
  }
  return kept
}

/** Knows the sessions of the best candidates: runs of programs come later, age and outcome decide between near ties. */
async function lookClosely(
  store: Store,
  ranked: readonly Ranked[],
  { titleGain }: Pick<Found, 'titleGain'>,
  count: number,
): Promise<Candidate[]> {
  const records = new Map<number, SessionRecord | null>()
  /** A title counts once: for the best document of its session. */
  const titled = new Set<number>()
  const looked: Candidate[] = []
  for (const entry of ranked.slice(0, count)) {
    const record = records.get(entry.session) ?? (await store.session(entry.session))
    records.set(entry.session, record)
    const gain = titled.has(entry.session) ? 0 : titleGain(record?.title ?? '')
    titled.add(entry.session)
    const weight = record?.automated ? AUTOMATED : 1
    const score = weight * (entry.score + gain) + (record?.outcome === 'success' ? SUCCESS : 0)
    looked.push({ ...entry, record, score })
  }
  const times = looked.flatMap(({ record }) => record?.endedAt ?? [])
  const [oldest, latest] = [Math.min(...times), Math.max(...times)]
  const recency = (at: number | null | undefined) =>
    at == null || latest <= oldest ? 0 : (RECENCY * (at - oldest)) / (latest - oldest)
  const best = looked
    .map((entry) => ({ ...entry, score: entry.score + recency(entry.record?.endedAt) }))
    .sort((a, b) => b.score - a.score || a.session - b.session || a.doc - b.doc)
  return [...best, ...ranked.slice(count).map((entry) => ({ ...entry, record: null }))]
}

const SESSION_ID = /^(?:\w+:)?[0-9a-f-]{8,}$/i

async function withNamedSession(
  store: Store,
  text: string,
  candidates: Candidate[],
  sessions: ReadonlySet<number> | null,
): Promise<Candidate[]> {
  const id = text.trim()
  if (!SESSION_ID.test(id)) return candidates
  const { namedFirst } = await import('./named-session.ts')
  return namedFirst(store, id, candidates, sessions)
}

function order(candidates: readonly Candidate[], request: SearchRequest): readonly Candidate[] {
  if (request.sort !== 'time') return candidates
  const time = (candidate: Candidate) => candidate.record?.startedAt ?? 0
  return candidates.slice(0, TIME_POOL).sort((a, b) => time(b) - time(a) || a.doc - b.doc)
}
