import { isToolCall } from '../model/event.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'
import { digestLines } from '../model/digest-text.ts'
import type { EventRecord, ExchangeFilter, Store } from '../store/store.ts'
import { findDocuments } from './candidates.ts'
import { isNarrowed, type QueryFilters } from './filters.ts'
import { parseQuery, type Query } from './query.ts'
import type { Ranked } from './rank.ts'
import { scanResults } from './results.ts'
import { makeSnippet, wordPattern, wordStem, type Snippet } from './snippet.ts'

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
}

export interface Hit {
  readonly session: SessionRecord
  readonly exchange: number
  /** Null if only the digest of the session is left. */
  readonly event: EventRecord | null
  readonly score: number
  readonly lowConfidence: boolean
  readonly matched: readonly { term: string; field: string }[]
  readonly snippet: Snippet
  readonly context: readonly EventRecord[]
}

export interface SearchResult {
  readonly query: string
  readonly mode: 'keyword'
  readonly total: number
  readonly hits: readonly Hit[]
  /** Why there is nothing, when there is nothing. */
  readonly explain: { readonly reason: 'no_match' | 'filtered' | 'not_indexed'; readonly count: number } | null
}

/** How many of the best are read and looked at closely before the final order. */
const CLOSE_LOOK = 24
const RECENCY = 0.01
const SUCCESS = 0.005
/** An answer that holds less of what was asked, by weight, is only a guess. */
const CONFIDENT = 0.45
const TIME_POOL = 200

/** Finds what answers a question or holds some words, best first. No text is an error. */
export async function search(store: Store, request: SearchRequest): Promise<SearchResult> {
  const query = parseQuery(request.text, request.now)
  const filters = mergeFilters(query.filters, request)
  if (request.inResults) return inResults(store, query, filters, request)
  const sessions = isNarrowed(filters) ? await store.text.sessionsWithin(filters.session) : null
  const hasWords = query.terms.length + query.must.length > 0
  const found = hasWords ? await findDocuments(store, query, sessions) : await newest(store, sessions)
  const fitting = await keepFitting(store, found, filters.exchange, request)
  const looked = await lookClosely(store, fitting)
  const ordered = order(await withNamedSession(store, request.text, looked, sessions), request)
  const limit = request.filter.limit === 0 ? ordered.length : request.filter.limit
  const hits: Hit[] = []
  for (const candidate of ordered) {
    if (hits.length === limit) break
    const hit = await describe(store, candidate, query, request.context ?? 0)
    if (hit !== null) hits.push(hit)
  }
  const explain = hits.length > 0 ? null : await explainNothing(store, query, filters)
  return { query: request.text, mode: 'keyword', total: fitting.length, hits, explain }
}

async function inResults(
  store: Store,
  query: Query,
  filters: QueryFilters,
  request: SearchRequest,
): Promise<SearchResult> {
  const { sessions } = await store.sessions({ ...filters.session, limit: 0, hidden: true })
  const found = await scanResults(store, query, sessions, request.filter.limit)
  const matched = [...query.must, ...query.terms].map((term) => ({ term: term.text, field: 'result' }))
  const hits = found.map(({ session, event, snippet }): Hit => {
    return { session, event, snippet, exchange: event.exchange, score: 1, lowConfidence: false, matched, context: [] }
  })
  const explain = hits.length > 0 ? null : { reason: 'no_match' as const, count: 0 }
  return { query: request.text, mode: 'keyword', total: hits.length, hits, explain }
}

function mergeFilters(asked: QueryFilters, request: SearchRequest): QueryFilters {
  const { limit: _, ...flags } = request.filter
  return { session: { ...asked.session, ...flags }, exchange: { ...asked.exchange, ...request.exchange } }
}

async function newest(store: Store, sessions: ReadonlySet<number> | null): Promise<Ranked[]> {
  if (sessions === null) return []
  const docs = await store.text.latest(sessions, 2000)
  return docs.map((doc, i) => ({
    doc,
    session: store.text.sessionOf(doc),
    score: 1 / (i + 1),
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

interface Candidate extends Ranked {
  readonly record: SessionRecord | null
  readonly events: readonly EventRecord[] | null
}

/** Reads the best candidates. Age and outcome decide only between near ties. */
async function lookClosely(store: Store, ranked: readonly Ranked[]): Promise<Candidate[]> {
  const candidates: Candidate[] = []
  for (const [i, entry] of ranked.entries()) {
    if (i >= CLOSE_LOOK) {
      candidates.push({ ...entry, record: null, events: null })
      continue
    }
    const record = await store.session(entry.session)
    const events = await eventsOf(store, entry.doc)
    const outcome = record?.outcome === 'success' ? SUCCESS : 0
    candidates.push({ ...entry, score: entry.score + outcome, record, events })
  }
  const times = candidates.flatMap(({ record }) => record?.endedAt ?? [])
  const [oldest, latest] = [Math.min(...times), Math.max(...times)]
  const recency = (at: number | null | undefined) =>
    at == null || latest <= oldest ? 0 : (RECENCY * (at - oldest)) / (latest - oldest)
  return candidates
    .map((entry) => ({ ...entry, score: entry.score + recency(entry.record?.endedAt) }))
    .sort((a, b) => b.score - a.score || a.session - b.session || a.doc - b.doc)
}

async function eventsOf(store: Store, doc: number): Promise<EventRecord[]> {
  const place = await store.text.place(doc)
  return place === null ? [] : store.exchange(place.session, place.lane, place.exchange)
}

/** Who types the id of a session wants that session first. */
async function withNamedSession(
  store: Store,
  text: string,
  candidates: Candidate[],
  sessions: ReadonlySet<number> | null,
): Promise<Candidate[]> {
  const id = text.trim()
  if (!/^(?:\w+:)?[0-9a-f-]{8,}$/i.test(id)) return candidates
  const named = await store.resolve(id)
  if (named.found !== 'one' || (sessions !== null && !sessions.has(named.id))) return candidates
  const own = candidates.filter((candidate) => candidate.session === named.id)
  const others = candidates.filter((candidate) => candidate.session !== named.id)
  const [doc = -1] = own.length > 0 ? [] : await store.text.latest(new Set([named.id]), 1_000_000)
  const first = { session: named.id, doc, coverage: 1, record: null, events: null }
  return [...(own.length > 0 ? own : [{ ...first, score: 2 }]), ...others]
}

function order(candidates: readonly Candidate[], request: SearchRequest): readonly Candidate[] {
  if (request.sort !== 'time') return candidates
  const time = (candidate: Candidate) => candidate.record?.startedAt ?? 0
  return candidates.slice(0, TIME_POOL).sort((a, b) => time(b) - time(a) || a.doc - b.doc)
}

async function describe(store: Store, candidate: Candidate, query: Query, context: number): Promise<Hit | null> {
  const session = candidate.record ?? (await store.session(candidate.session))
  if (session === null) return null
  const words = [...query.must, ...query.terms].flatMap((term) => term.words)
  const lowConfidence = candidate.coverage < CONFIDENT
  const common = { session, score: candidate.score, lowConfidence, context: [] }
  if (session.evictedAt !== null) {
    const text = digestLines((await store.memory.digest(session.uid)) ?? '{}', session.title)
    const matched = matchedIn(text, query).map((term) => ({ term, field: 'digest' }))
    return { ...common, exchange: 0, event: null, matched, snippet: makeSnippet(text, wordPattern(words)) }
  }
  const events = candidate.events ?? (await eventsOf(store, candidate.doc))
  const shown = events.length > 0 ? events : await firstExchange(store, session)
  const best = bestEvent(shown, words)
  if (best === null) return null
  return {
    ...common,
    exchange: best.exchange,
    event: best,
    matched: matchesOf(shown, session, query),
    snippet: makeSnippet(best.text ?? best.summary, wordPattern(words)),
    context: context === 0 ? [] : around(shown, best, context),
  }
}

/** A session that is found by its title alone is shown by how it began. */
async function firstExchange(store: Store, session: SessionRecord): Promise<EventRecord[]> {
  const events = await store.events(session.rowId, { sidechains: false })
  const first = events.find((event) => event.exchange > 0) ?? events.find((event) => event.text !== null)
  return first ? events.filter((event) => event.exchange === first.exchange && event.lane === first.lane) : events
}

function around(events: readonly EventRecord[], best: EventRecord, context: number): EventRecord[] {
  const at = events.indexOf(best)
  return events.slice(Math.max(0, at - context), at + context + 1).filter((event) => event !== best)
}

/** The event of an exchange that says most of what was asked; the earliest of equals. */
function bestEvent(events: readonly EventRecord[], words: readonly string[]): EventRecord | null {
  let best: EventRecord | null = null
  let most = -1
  const stems = [...new Set(words.map(wordStem))]
  for (const event of events) {
    if (event.text === null) continue
    const text = event.text.toLowerCase()
    const count = stems.filter((stem) => text.includes(stem)).length
    if (count > most) [best, most] = [event, count]
  }
  return best ?? events[0] ?? null
}

function matchedIn(text: string, query: Query): string[] {
  return [...query.must, ...query.terms]
    .filter((term) => term.words.every((word) => wordPattern([word])?.test(text) ?? false))
    .map((term) => term.text)
}

function matchesOf(events: readonly EventRecord[], session: SessionRecord, query: Query) {
  const matched = new Map<string, { term: string; field: string }>()
  const note = (text: string, field: string) => {
    for (const term of matchedIn(text, query)) matched.set(`${term} ${field}`, { term, field })
  }
  for (const event of events) if (event.text !== null) note(event.text, fieldName(event))
  if (session.title !== null) note(session.title, 'title')
  return [...matched.values()]
}

function fieldName(event: EventRecord): string {
  if (isToolCall(event.kind)) return 'command'
  if (event.kind === 'user_msg') return 'prompt'
  return event.kind === 'assistant_msg' ? 'answer' : event.kind
}

async function explainNothing(store: Store, query: Query, filters: QueryFilters) {
  const everything = await store.sessions({ limit: 1, hidden: true })
  if (everything.total === 0) return { reason: 'not_indexed' as const, count: 0 }
  if (!isNarrowed(filters)) return { reason: 'no_match' as const, count: 0 }
  const anywhere = (await findDocuments(store, query, null)).length
  return anywhere > 0 ? { reason: 'filtered' as const, count: anywhere } : { reason: 'no_match' as const, count: 0 }
}
