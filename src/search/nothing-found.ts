import type { Store } from '../store/store.ts'
import { findDocuments } from './candidates.ts'
import { isNarrowed, type QueryFilters } from './filters.ts'
import type { Query } from './query.ts'

/** Why there is nothing. */
export async function explainNothing(store: Store, query: Query, filters: QueryFilters) {
  const { sessions } = await store.text.size()
  if (sessions === 0) return { reason: 'not_indexed' as const, count: 0 }
  if (!isNarrowed(filters)) return { reason: 'no_match' as const, count: 0 }
  const { total: anywhere } = await findDocuments(store, query, null, false)
  return anywhere > 0 ? { reason: 'filtered' as const, count: anywhere } : { reason: 'no_match' as const, count: 0 }
}
