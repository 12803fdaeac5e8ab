import { spanTextAfter } from '../distill/span-text.ts'
import type { Store } from '../store/store.ts'

/** Has the store keep who was at work when in changed sessions, so that reports need not read their events. */
export async function materializeSpans(store: Pick<Store, 'keepActivity'>): Promise<void> {
  await store.keepActivity(({ events, before, ...bounds }) => spanTextAfter(before, events, bounds))
}
