import type { EventRecord, Store } from '../store/store.ts'
import { isToolCall } from '../model/event.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'
import { parseQuery, type Query } from './query.ts'
import { makeSnippet, termPattern, termsIn, type Snippet } from './snippet.ts'

export interface SearchRequest {
  readonly text: string
  readonly filter: SessionFilter
  readonly tool?: string
}

export interface Hit {
  readonly session: SessionRecord
  readonly exchange: number
  readonly event: EventRecord
  readonly score: number
  readonly lowConfidence: boolean
  readonly matched: readonly { term: string; field: string }[]
  readonly snippet: Snippet
}

export interface SearchResult {
  readonly query: string
  readonly mode: 'keyword'
  readonly total: number
  readonly hits: readonly Hit[]
  /** Why there is nothing, when there is nothing. */
  readonly explain: { readonly reason: 'no_match' | 'filtered' | 'not_indexed'; readonly count: number } | null
}

/** Looks for all the words; where no exchange has them all, for any of them. */
export async function search(store: Store, request: SearchRequest): Promise<SearchResult> {
  const query = parseQuery(request.text)
  const { filter } = request
  const tool = request.tool === undefined ? {} : { tool: request.tool }
  let loose = false
  let found = await find(store, query.all, { filter, ...tool })
  if (found.hits.length === 0 && query.terms.length > 1) {
    loose = true
    found = await find(store, query.any, { filter, ...tool })
  }
  const hits: Hit[] = []
  for (const hit of found.hits) {
    const session = await store.session(hit.sessionId)
    const events = await store.exchange(hit.sessionId, hit.lane, hit.exchange)
    const best = bestEvent(events, query, request.tool)
    if (session && best)
      hits.push({ ...describe(best, events, query, loose), session, exchange: hit.exchange, score: hit.score })
  }
  const explain = hits.length > 0 ? null : await explainNothing(store, query, filter)
  return { query: request.text, mode: 'keyword', total: found.total, hits, explain }
}

async function find(store: Store, match: string, narrow: { filter: SessionFilter; tool?: string }) {
  if (match === '') return { hits: [], total: 0 }
  return store.searchExchanges({ match, limit: narrow.filter.limit, ...narrow })
}

/** The event of an exchange that says most of what was asked; the earliest of equals. */
function bestEvent(events: readonly EventRecord[], query: Query, tool: string | undefined): EventRecord | null {
  let best: EventRecord | null = null
  let bestCount = -1
  for (const event of events) {
    const text = searchable(event)
    if (text === null) continue
    const ofTool = tool !== undefined && isToolCall(event.kind) && event.tool?.toLowerCase() === tool.toLowerCase()
    const matched = termsIn(text, query.terms).length
    const count = matched + (ofTool && matched > 0 ? 0.5 : 0)
    if (count > bestCount) {
      best = event
      bestCount = count
    }
  }
  return best
}

function searchable(event: EventRecord): string | null {
  return event.text
}

function describe(event: EventRecord, events: readonly EventRecord[], query: Query, loose: boolean) {
  const matched = new Map<string, { term: string; field: string }>()
  for (const candidate of events) {
    const field = fieldName(candidate)
    for (const term of termsIn(searchable(candidate) ?? '', query.terms))
      matched.set(`${term} ${field}`, { term, field })
  }
  const terms = new Set([...matched.values()].map((entry) => entry.term)).size
  return {
    event,
    matched: [...matched.values()],
    snippet: makeSnippet(searchable(event) ?? event.summary, termPattern([...query.terms])),
    lowConfidence: loose && terms * 2 < query.terms.length,
  }
}

function fieldName(event: EventRecord): string {
  if (isToolCall(event.kind)) return 'command'
  if (event.kind === 'user_msg') return 'prompt'
  if (event.kind === 'assistant_msg') return 'answer'
  return event.kind
}

async function explainNothing(store: Store, query: Query, filter: SessionFilter) {
  const everything = await store.sessions({ limit: 1 })
  if (everything.total === 0) return { reason: 'not_indexed' as const, count: 0 }
  const anywhere =
    query.any === '' ? 0 : (await store.searchExchanges({ match: query.any, filter: { limit: 1 }, limit: 1 })).total
  const narrowed = filter.source !== undefined || filter.since !== undefined || filter.project !== undefined
  return anywhere > 0 && narrowed
    ? { reason: 'filtered' as const, count: anywhere }
    : { reason: 'no_match' as const, count: 0 }
}
