/** One term of a query over all documents: how telling it is, and how strongly each document holds it (0 to 1). */
export interface TermHits {
  readonly weight: number
  readonly hits: ReadonlyMap<number, number>
}

export interface Ranked {
  readonly session: number
  readonly doc: number
  readonly score: number
  /** Share of what was asked, by weight, that the document holds. */
  readonly coverage: number
  /** The same for its session as a whole. */
  readonly sessionCoverage: number
}

export interface Corpus {
  readonly sessionOf: (doc: number) => number
  /** A title counts for its session, and is shown only where nothing else is. */
  readonly isTitle: (doc: number) => boolean
  /** Length of a session against the average: 1 is average. */
  readonly relativeLength: (session: number) => number
}

/** How much of the score what is missing of the question costs. */
const COVERAGE = 0.5
const SESSION_SHARE = 0.5
/** Saturation of a term in a session, and how much a long session must say more of it. */
const K = 1.6
const LENGTH = 0.4
/** A further document of a session that has been shown already counts less: the first answers are of many sessions. */
const FURTHER = 0.45
const MAX_FURTHER = 6

interface Tally {
  score: number
  weight: number
}

interface SessionTally {
  readonly terms: Map<number, number>
  readonly docs: number[]
}

/**
 * Orders documents by how well they and their sessions answer: the sum over terms of weight times saturation, both for
 * the document alone and for its session as a whole, each lowered by what is missing. Ties break by number, so the
 * order never changes by itself.
 */
export function rankDocuments(terms: readonly TermHits[], corpus: Corpus, allowed: (doc: number) => boolean): Ranked[] {
  const total = terms.reduce((sum, term) => sum + term.weight, 0) || 1
  const docs = new Map<number, Tally>()
  const sessions = new Map<number, SessionTally>()
  for (const [index, { weight, hits }] of terms.entries()) {
    for (const [doc, saturation] of hits) {
      if (!allowed(doc)) continue
      let tally = docs.get(doc)
      const session = sessionTally(sessions, corpus.sessionOf(doc))
      if (!tally) {
        docs.set(doc, (tally = { score: 0, weight: 0 }))
        session.docs.push(doc)
      }
      tally.score += weight * saturation
      tally.weight += weight
      const count = saturation >= 0.999 ? 1000 : saturation / (1 - saturation)
      session.terms.set(index, (session.terms.get(index) ?? 0) + count)
    }
  }
  return fuse(terms, corpus, docs, sessions, total)
}

function sessionTally(sessions: Map<number, SessionTally>, id: number): SessionTally {
  let tally = sessions.get(id)
  if (!tally) sessions.set(id, (tally = { terms: new Map(), docs: [] }))
  return tally
}

function fuse(
  terms: readonly TermHits[],
  corpus: Corpus,
  docs: ReadonlyMap<number, Tally>,
  sessions: ReadonlyMap<number, SessionTally>,
  total: number,
): Ranked[] {
  const covered = (score: number, weight: number) => (score / total) * (1 - COVERAGE + COVERAGE * (weight / total))
  const whole = new Map<number, { score: number; coverage: number }>()
  let bestSession = 0
  let bestDoc = 0
  for (const tally of docs.values()) bestDoc = Math.max(bestDoc, covered(tally.score, tally.weight))
  for (const [id, tally] of sessions) {
    const k = K * (1 - LENGTH + LENGTH * corpus.relativeLength(id))
    let score = 0
    let weight = 0
    for (const [index, count] of tally.terms) {
      const own = terms[index]?.weight ?? 0
      score += own * (count / (count + k))
      weight += own
    }
    const value = covered(score, weight)
    bestSession = Math.max(bestSession, value)
    whole.set(id, { score: value, coverage: weight / total })
  }
  const ranked: Ranked[] = []
  for (const [session, tally] of sessions) {
    const own = whole.get(session)
    if (!own) continue
    const spoken = tally.docs.filter((doc) => !corpus.isTitle(doc))
    const scored = (spoken.length > 0 ? spoken : tally.docs)
      .map((doc) => ({ doc, tally: docs.get(doc) ?? { score: 0, weight: 0 } }))
      .map(({ doc, tally: { score, weight } }) => ({ doc, value: covered(score, weight), coverage: weight / total }))
      .sort((a, b) => b.value - a.value || a.doc - b.doc)
      .slice(0, MAX_FURTHER)
    for (const [nth, { doc, value, coverage }] of scored.entries()) {
      const fused = SESSION_SHARE * (own.score / bestSession) + (1 - SESSION_SHARE) * (value / bestDoc)
      ranked.push({ session, doc, score: fused * FURTHER ** nth, coverage, sessionCoverage: own.coverage })
    }
  }
  return ranked.sort((a, b) => b.score - a.score || a.session - b.session || a.doc - b.doc)
}
