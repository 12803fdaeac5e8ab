/** One term of a query: the documents that hold it, and how many do in all if these are only some of them. */
export interface TermHits {
  /** A factor on how rare it is. */
  readonly weight: number
  readonly hits: ReadonlySet<number>
  readonly holding: number
  readonly capped: boolean
}

export interface Ranked {
  readonly session: number
  readonly doc: number
  readonly score: number
  /** Share of what was asked, by weight, that is there: in its session, and a little more if in the document. */
  readonly coverage: number
  /** Parts of the score: what its session holds, and what share of the question it holds itself with its neighbours. */
  readonly whole: number
  readonly held: number
  /** How much of what was asked its best message says; absent if nobody looked. */
  readonly said?: number
  /** The chance that it is what was asked for; 0 if nobody knows. */
  readonly chance: number
  /** The event that was found, where a single one was. */
  readonly seq?: number
}

export interface Corpus {
  readonly documents: number
  readonly sessions: number
  readonly sessionOf: (doc: number) => number
  /** A title counts for its session, and is shown only where nothing else is. */
  readonly isTitle: (doc: number) => boolean
  /** Length of a session against the average: 1 is average. */
  readonly relativeLength: (session: number) => number
}

/** As many terms as there are bits to note them. */
export const MAX_RANKED = 30
/** Shares of the score: the session as a whole, and how much of the question one document holds. */
const SESSION = 0.5
export const COVERED = 0.5
/** What the exchange before or after says counts so much of what an exchange says itself: talk goes to and fro. */
const NEIGHBOUR = 0.3
/** How many exchanges must hold a term for half of its weight, and how much a long session must say more of it. */
const K = 2
const LENGTH = 0.6
/** How sure an answer is depends on what its session holds, and so much on what the document alone does. */
const ALONE = 0.2
/** A further document of a session that has been shown already counts less: the first answers are of many sessions. */
export const FURTHER = 0.45

/**
 * Orders documents by how well they and their sessions answer. A session is scored by how many of its documents hold
 * each term, a document by how much of the question it holds. How often a document holds a term does not matter: one
 * that repeats itself answers no better. Ties break by number, so the order never changes by itself.
 */
export function rankDocuments(terms: readonly TermHits[], corpus: Corpus, allowed: (doc: number) => boolean): Ranked[] {
  const bits = termsByDocument(terms, allowed)
  const runs = bySession([...bits.keys()], corpus)
  const termWeights = terms.map(({ weight, holding }) => weight * rarity(corpus.documents, holding))
  const asked = termWeights.reduce((sum, weight) => sum + weight, 0) || 1
  const scores = sessionScores(terms, corpus, runs, bits)
  const best = scores.reduce((most, score) => Math.max(most, score), 1e-12)
  const ranked: Ranked[] = []
  for (const [i, { session, docs }] of runs.entries()) {
    const spoken = docs.filter((doc) => !corpus.isTitle(doc))
    const covered = (spoken.length > 0 ? spoken : docs)
      .map((doc) => ({ doc, held: coverageOf(doc, bits, termWeights) / asked }))
      .sort((a, b) => b.held - a.held || a.doc - b.doc)
    const whole = (SESSION * (scores[i] ?? 0)) / best
    const inSession = weightOf(
      docs.reduce((all, doc) => all | (bits.get(doc) ?? 0), 0),
      termWeights,
    )
    for (const [nth, { doc, held }] of covered.entries()) {
      const coverage = (ALONE * weightOf(bits.get(doc) ?? 0, termWeights) + (1 - ALONE) * inSession) / asked
      const score = (whole + COVERED * held ** 2) * FURTHER ** nth
      ranked.push({ session, doc, coverage, score, whole, held, chance: 0 })
    }
  }
  return ranked.sort((a, b) => b.score - a.score || a.session - b.session || a.doc - b.doc)
}

/** Which terms each document holds, a bit for each. */
function termsByDocument(terms: readonly TermHits[], allowed: (doc: number) => boolean): Map<number, number> {
  const held = new Map<number, number>()
  for (const [i, { hits }] of terms.entries())
    for (const doc of hits) if (allowed(doc)) held.set(doc, (held.get(doc) ?? 0) | (1 << i))
  return held
}

interface Run {
  readonly session: number
  readonly docs: number[]
}

function bySession(docs: number[], { sessionOf }: Corpus): Run[] {
  const runs: Run[] = []
  for (const doc of docs.sort((a, b) => a - b)) {
    const session = sessionOf(doc)
    const last = runs[runs.length - 1]
    if (last?.session === session) last.docs.push(doc)
    else runs.push({ session, docs: [doc] })
  }
  return runs
}

function sessionScores(
  terms: readonly TermHits[],
  corpus: Corpus,
  runs: readonly Run[],
  held: ReadonlyMap<number, number>,
): number[] {
  const counts = runs.map(({ docs }) =>
    terms.map((_, i) => docs.filter((doc) => (held.get(doc) ?? 0) & (1 << i)).length),
  )
  const termWeights = terms.map(({ weight, holding, capped }, i) => {
    if (capped) return weight * rarity(corpus.documents, holding)
    return weight * rarity(corpus.sessions, counts.filter((count) => (count[i] ?? 0) > 0).length)
  })
  return runs.map(({ session }, run) => {
    const k = K * (1 - LENGTH + LENGTH * corpus.relativeLength(session))
    return termWeights.reduce((sum, weight, i) => {
      const count = counts[run]?.[i] ?? 0
      return sum + (weight * count) / (count + k)
    }, 0)
  })
}

function coverageOf(doc: number, held: ReadonlyMap<number, number>, termWeights: readonly number[]): number {
  const own = held.get(doc) ?? 0
  const near = (held.get(doc - 1) ?? 0) | (held.get(doc + 1) ?? 0)
  return weightOf(own, termWeights) + NEIGHBOUR * weightOf(near & ~own, termWeights)
}

function weightOf(bits: number, termWeights: readonly number[]): number {
  let sum = 0
  for (const [i, weight] of termWeights.entries()) if (bits & (1 << i)) sum += weight
  return sum
}

export function rarity(all: number, holding: number): number {
  return Math.log(1 + (Math.max(all, holding) - holding + 0.5) / (holding + 0.5))
}
