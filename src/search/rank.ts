/** How a document holds a term: how often, fields weighed, and how far that goes, 0 to 1, for a document of its length. */
export interface TermHit {
  readonly frequency: number
  readonly saturation: number
}

/** One term of a query over all documents. `weight` is a factor on how rare it is. */
export interface TermHits {
  readonly weight: number
  readonly hits: ReadonlyMap<number, TermHit>
}

export interface Ranked {
  readonly session: number
  readonly doc: number
  readonly score: number
  /** Share of what was asked, by weight, that the document holds. */
  readonly coverage: number
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

/** Shares of the score: the session as a whole, its best document, and how much of the question one document holds. */
const SESSION = 0.5
const DOCUMENT = 0.125
const COVERED = 0.375
/** Saturation of a term in a session, and how much a long session must say more of it. */
const K = 1.2
const LENGTH = 0.6
/** A further document of a session that has been shown already counts less: the first answers are of many sessions. */
const FURTHER = 0.45
const MAX_FURTHER = 6

interface DocumentTally {
  score: number
  weight: number
}

interface SessionTally {
  readonly frequencies: Map<number, number>
  readonly docs: number[]
}

/**
 * Orders documents by how well they and their sessions answer. A session is scored as if it were one document, from the
 * frequencies in its documents; a document by itself; both are added to how much of the question one document holds.
 * Ties break by number, so the order never changes by itself.
 */
export function rankDocuments(terms: readonly TermHits[], corpus: Corpus, allowed: (doc: number) => boolean): Ranked[] {
  const docs = new Map<number, DocumentTally>()
  const sessions = new Map<number, SessionTally>()
  let asked = 0
  for (const [index, { weight, hits }] of terms.entries()) {
    const telling = weight * rarity(corpus.documents, hits.size)
    asked += telling
    for (const [doc, { frequency, saturation }] of hits) {
      if (!allowed(doc)) continue
      const session = sessionTally(sessions, corpus.sessionOf(doc))
      let tally = docs.get(doc)
      if (!tally) {
        docs.set(doc, (tally = { score: 0, weight: 0 }))
        session.docs.push(doc)
      }
      tally.score += telling * saturation
      tally.weight += telling
      session.frequencies.set(index, (session.frequencies.get(index) ?? 0) + frequency)
    }
  }
  return fuse(docs, sessionScores(terms, corpus, sessions), corpus, asked || 1)
}

function rarity(all: number, holding: number): number {
  return Math.log(1 + (Math.max(all, holding) - holding + 0.5) / (holding + 0.5))
}

function sessionTally(sessions: Map<number, SessionTally>, id: number): SessionTally {
  let tally = sessions.get(id)
  if (!tally) sessions.set(id, (tally = { frequencies: new Map(), docs: [] }))
  return tally
}

interface ScoredSession {
  readonly session: number
  readonly docs: readonly number[]
  readonly score: number
}

function sessionScores(
  terms: readonly TermHits[],
  corpus: Corpus,
  sessions: ReadonlyMap<number, SessionTally>,
): ScoredSession[] {
  const holding = terms.map(() => 0)
  for (const { frequencies } of sessions.values()) for (const index of frequencies.keys()) holding[index]!++
  const telling = terms.map(({ weight }, i) => weight * rarity(corpus.sessions, holding[i] ?? 0))
  return [...sessions].map(([session, { frequencies, docs }]) => {
    const k = K * (1 - LENGTH + LENGTH * corpus.relativeLength(session))
    let score = 0
    for (const [index, frequency] of frequencies)
      score += ((telling[index] ?? 0) * frequency * (K + 1)) / (frequency + k)
    return { session, docs, score }
  })
}

function fuse(
  docs: ReadonlyMap<number, DocumentTally>,
  sessions: readonly ScoredSession[],
  corpus: Corpus,
  asked: number,
): Ranked[] {
  const mostOf = (scores: Iterable<number>) => {
    let most = 1e-12
    for (const score of scores) most = Math.max(most, score)
    return most
  }
  const bestSession = mostOf(sessions.map(({ score }) => score))
  const bestDocument = mostOf([...docs.values()].map(({ score }) => score))
  const ranked: Ranked[] = []
  for (const { session, docs: own, score } of sessions) {
    const spoken = own.filter((doc) => !corpus.isTitle(doc))
    const scored = (spoken.length > 0 ? spoken : own)
      .map((doc) => {
        const tally = docs.get(doc) ?? { score: 0, weight: 0 }
        const coverage = tally.weight / asked
        return { doc, coverage, value: DOCUMENT * (tally.score / bestDocument) + COVERED * coverage ** 2 }
      })
      .sort((a, b) => b.value - a.value || a.doc - b.doc)
    for (const [nth, { doc, coverage, value }] of scored.slice(0, MAX_FURTHER).entries()) {
      ranked.push({ session, doc, coverage, score: (SESSION * (score / bestSession) + value) * FURTHER ** nth })
    }
  }
  return ranked.sort((a, b) => b.score - a.score || a.session - b.session || a.doc - b.doc)
}
