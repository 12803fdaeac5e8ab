import type { Store } from '../store/store.ts'
import type { NearPlace, NearText, VectorKind } from '../store/vectors.ts'
import type { Query } from './query.ts'
import { FURTHER, type Ranked } from './rank.ts'

/** What was asked, as a vector of a model. */
export interface Meaning {
  readonly model: string
  readonly vector: Float32Array
}

/** Commands are found by their words; as vectors they crowd out what was said. */
const KINDS: readonly VectorKind[] = ['prompt', 'title', 'digest', 'answer', 'thinking']
const NEAREST = 500
/** What stands in more sessions says nothing of any of them. */
const COMMONPLACE = 20
/** What a sentence has in common with others counts so much against it. */
const COMMON = 0.5
/** A session is as near as its nearest sentences, each counting half of the one before. */
const TEXTS_OF_A_SESSION = 3
const FURTHER_TEXT = 0.5
/** Hits by meaning that are looked at. */
const MOST = 50
const NO_CAP = Number.MAX_SAFE_INTEGER

/** Sessions near to what was meant, nearest first, each with the document that is nearest. */
export async function findNear(
  store: Store,
  meaning: Meaning,
  query: Query,
  sessions: ReadonlySet<number> | null,
): Promise<Ranked[]> {
  const allowed = await allowedBy(store, query)
  const near = await store.vectors.nearest(meaning.model, meaning.vector, { limit: NEAREST, kinds: KINDS, sessions })
  return rankSessions(near, (doc) => store.text.sessionOf(doc), {
    allowed: (doc) => allowed(doc) && (sessions === null || sessions.has(store.text.sessionOf(doc))),
    isTitle: store.text.isTitle,
  })
}

/** A phrase that must be there must be there, and what must not must not, whatever is meant. */
async function allowedBy({ text }: Store, query: Query): Promise<(doc: number) => boolean> {
  const must: ReadonlySet<number>[] = []
  for (const term of query.must) must.push((await text.postings(term.match, NO_CAP)).hits)
  const not: ReadonlySet<number>[] = []
  for (const term of query.not) not.push((await text.postings(term.match, NO_CAP)).hits)
  return (doc) => must.every((hits) => hits.has(doc)) && !not.some((hits) => hits.has(doc))
}

interface Gate {
  readonly allowed: (doc: number) => boolean
  readonly isTitle: (doc: number) => boolean
}

export function rankSessions(near: readonly NearText[], sessionOf: (doc: number) => number, gate: Gate): Ranked[] {
  const found = new Map<number, { place: NearPlace; similarities: number[] }>()
  let floor = 0
  const telling = near.map((text) => ({ ...text, nearness: text.similarity - COMMON * text.common }))
  for (const { nearness, places } of telling.sort((a, b) => b.nearness - a.nearness)) {
    floor = nearness
    const open = places.filter(({ doc }) => gate.allowed(doc))
    const bySession = new Map(open.map((place) => [sessionOf(place.doc), place] as const))
    if (bySession.size > COMMONPLACE) continue
    for (const [session, place] of bySession) {
      const known = found.get(session)
      if (known === undefined) found.set(session, { place, similarities: [nearness] })
      else {
        known.similarities.push(nearness)
        if (gate.isTitle(known.place.doc)) known.place = place
      }
    }
  }
  const ranked = [...found].map(([session, { place, similarities }]) => {
    const { doc, seq } = place
    const score = pooled(similarities, floor)
    return { session, doc, score, whole: 0, held: 0, chance: 0, coverage: 0, ...(seq === undefined ? {} : { seq }) }
  })
  return ranked.sort((a, b) => b.score - a.score || a.session - b.session).slice(0, MOST)
}

/** A session with fewer texts among the nearest has its others no nearer than the last of them. */
function pooled(similarities: readonly number[], floor: number): number {
  let sum = 0
  let weights = 0
  for (let i = 0; i < TEXTS_OF_A_SESSION; i++) {
    const weight = FURTHER_TEXT ** i
    sum += weight * (similarities[i] ?? floor)
    weights += weight
  }
  return sum / weights
}

/** If none of the best answers holds so much of what was asked, words have found little, or next to nothing. */
const LITTLE = 0.35
const LOST = 0.25
const BEST = 24
/** Stands above what age and outcome can add. */
const CLEARLY = 0.02

/**
 * Both lists as one: a convex combination of scores, each stretched over 0 to 1. Where words found little, meaning weighs
 * `alpha`, elsewhere the rest. The first answer by words stays the first unless words found next to nothing.
 */
export function fuse<T extends Ranked>(byWords: readonly T[], byMeaning: readonly T[], alpha: number): T[] {
  const most = byWords.slice(0, BEST).reduce((best, { coverage }) => Math.max(best, coverage), 0)
  const weight = most < LITTLE ? alpha : 1 - alpha
  const words = stretch(byWords.slice(0, MOST))
  const meant = stretch(byMeaning)
  const near = new Map(byMeaning.map((hit) => [hit.session, meant(hit.score)]))
  const seen = new Map<number, number>()
  const fused = byWords.map((hit) => {
    const nth = seen.get(hit.session) ?? 0
    seen.set(hit.session, nth + 1)
    const score = (1 - weight) * words(hit.score) + weight * (near.get(hit.session) ?? 0) * FURTHER ** nth
    return { ...hit, score }
  })
  for (const hit of byMeaning) if (!seen.has(hit.session)) fused.push({ ...hit, score: weight * meant(hit.score) })
  const [kept] = fused
  if (most >= LOST && kept)
    fused[0] = { ...kept, score: fused.reduce((top, { score }) => Math.max(top, score), 0) + CLEARLY }
  return fused.sort((a, b) => b.score - a.score || a.session - b.session || a.doc - b.doc)
}

/** Maps scores to 0 to 1 between the least and the greatest of a list. */
function stretch(hits: readonly Ranked[]): (score: number) => number {
  const scores = hits.map(({ score }) => score)
  const [least, most] = [Math.min(...scores), Math.max(...scores)]
  return (score) => (most > least ? Math.max(0, (score - least) / (most - least)) : 1)
}
