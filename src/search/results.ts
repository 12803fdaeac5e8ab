import type { SessionRecord } from '../model/session.ts'
import type { EventRecord, Store } from '../store/store.ts'
import type { Query } from './query.ts'
import { makeSnippet, stemsOf, type Snippet } from './snippet.ts'

/** A tool output that holds all that was asked for. */
export interface ResultHit {
  readonly session: SessionRecord
  readonly event: EventRecord
  readonly snippet: Snippet
}

/**
 * Scans whole tool outputs, newest session first, for all the words and phrases of a query. Unpacks everything it looks
 * at: for what the index does not hold. Stops after `limit` hits; 0 for all.
 */
export async function scanResults(
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

function holds(text: string, wanted: readonly string[], unwanted: readonly string[]): boolean {
  return wanted.every((word) => text.includes(word)) && !unwanted.some((word) => text.includes(word))
}
