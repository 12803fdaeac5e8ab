import type { Store } from '../store/store.ts'
import type { Candidate } from './hits.ts'

/** Who types the id of a session wants that session first. */
export async function namedFirst(
  store: Store,
  id: string,
  candidates: Candidate[],
  sessions: ReadonlySet<number> | null,
): Promise<Candidate[]> {
  const named = await store.resolve(id)
  if (named.found !== 'one' || (sessions !== null && !sessions.has(named.id))) return candidates
  const own = candidates.filter((candidate) => candidate.session === named.id)
  const others = candidates.filter((candidate) => candidate.session !== named.id)
  const [doc = -1] = own.length > 0 ? [] : await store.text.latest(new Set([named.id]), 1_000_000)
  const first = { session: named.id, doc, coverage: 1, whole: 1, held: 1, chance: 1, record: null }
  return [...(own.length > 0 ? own : [{ ...first, score: 2 }]), ...others]
}
