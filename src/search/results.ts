import type { SessionRecord } from '../model/session.ts'
import type { EventRecord, Store } from '../store/store.ts'
import type { Hit } from './hits.ts'
import type { Query } from './query.ts'
import { makeSnippet, stemsOf, type Snippet } from './snippet.ts'

/** A tool output that holds all that was asked for. */
interface ResultHit {
  readonly session: SessionRecord
  readonly event: EventRecord
  readonly snippet: Snippet
}

/**
 * Scans whole tool outputs, newest session first, for all the words and phrases of a query. Unpacks everything it looks
 * at: for what the index does not hold. Stops after `limit` hits; 0 for all.
 */
async function scanResults(
  store: Store,
  query: Query,
  sessions: readonly SessionRecord[],
  limit: number,
): Promise<ResultHit[]> {
  const wanted = [...query.must, ...query.terms].map((term) => term.text.toLowerCase())
  const unwanted = query.not.map((term) => term.text.toLowerCase())
  const stems = stemsOf([...query.must, ...query.terms].flatMap((term) => term.words))
  const hits: ResultHit[] = []
  if (wanted.length === 0) return hits
  for (const session of sessions) {
    const bodies = await store.bodies(session.rowId, null)
    const found = [...bodies].filter(([, body]) => holds(body.toLowerCase(), wanted, unwanted))
    if (found.length === 0) continue
    const events = new Map((await store.events(session.rowId, { sidechains: true })).map((event) => [event.seq, event]))
    for (const [seq, body] of found) {
      const event = events.get(seq)
      if (event) hits.push({ session, event, snippet: makeSnippet(body, stems) })
      if (limit > 0 && hits.length === limit) return hits
    }
  }
  return hits
}

/** What was found there as hits, each of them sure: all that was asked for stands in it. */
export async function hitsInResults(
  store: Store,
  query: Query,
  sessions: readonly SessionRecord[],
  limit: number,
): Promise<Hit[]> {
  const matched = [...query.must, ...query.terms].map((term) => ({ term: term.text, field: 'result' }))
  const found = await scanResults(store, query, sessions, limit)
  return found.map(({ session, event, snippet }) => {
    return { session, event, snippet, exchange: event.exchange, score: 1, confidence: 'sure', matched, context: [] }
  })
}

function holds(text: string, wanted: readonly string[], unwanted: readonly string[]): boolean {
  return wanted.every((word) => text.includes(word)) && !unwanted.some((word) => text.includes(word))
}
