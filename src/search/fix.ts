import { errorLine } from '../distill/fingerprint.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'
import { oneLine } from '../model/text.ts'
import type { Store } from '../store/store.ts'
import { resolutionOf, type ErrorResolution } from './error-resolution.ts'
import { findErrors, type MetBefore } from './error-candidates.ts'
import { readError, saysSomething } from './error-match.ts'

export interface FixQuestion {
  readonly error: string
  readonly filter: SessionFilter
}

/** One session that met the error, and what it did about it. */
export interface Occurrence extends ErrorResolution {
  readonly session: SessionRecord
  /** Null if only the digest is left. */
  readonly seq: number | null
  readonly at: number | null
  /** The line of the error as it was met. */
  readonly error: string
  /** The very same error, or one that only reads much like it. */
  readonly match: 'same' | 'alike'
  /** How often the session met it. */
  readonly count: number
  /** 0 to 1: that it is the same error, and that what followed is why it went away. */
  readonly confidence: number
  /** A person brought the error; no call of that session failed so. */
  readonly pasted: boolean
}

export interface FixAnswer {
  readonly error: string
  readonly total: number
  readonly occurrences: readonly Occurrence[]
}

/** So many of the closest are followed to their end before the surest are shown. */
const MAX_FOLLOWED = 24

/** Where an error was met before and what followed until it was gone: the closest first, of these the latest that was solved. */
export async function findFixes(store: Store, question: FixQuestion): Promise<FixAnswer> {
  const { limit, ...narrowing } = question.filter
  const within = Object.keys(narrowing).length === 0 ? null : await store.text.sessionsWithin(narrowing)
  const asked = readError(question.error)
  const met = saysSomething(asked) ? await findErrors(store, asked) : []
  const best = bySession(met.filter(({ session }) => within === null || within.has(session)))
  const occurrences: { occurrence: Occurrence; met: MetBefore }[] = []
  for (const found of limit === 0 ? best : best.slice(0, Math.max(MAX_FOLLOWED, limit))) {
    const occurrence = await describe(store, found)
    if (occurrence !== null) occurrences.push({ occurrence, met: found })
  }
  occurrences.sort(
    (a, b) =>
      compareMatches(a.met, b.met) ||
      ENDS.indexOf(a.occurrence.resolution) - ENDS.indexOf(b.occurrence.resolution) ||
      (b.occurrence.at ?? 0) - (a.occurrence.at ?? 0) ||
      a.occurrence.session.rowId - b.occurrence.session.rowId,
  )
  return {
    error: oneLine(errorLine(question.error), 400),
    total: best.length,
    occurrences: (limit === 0 ? occurrences : occurrences.slice(0, limit)).map(({ occurrence }) => occurrence),
  }
}

/** Of every session the closest, the closest session first, then the latest. */
function bySession(met: readonly MetBefore[]): MetBefore[] {
  const best = new Map<number, MetBefore>()
  for (const found of met) {
    const known = best.get(found.session)
    if (known === undefined || compareMatches(found, known) < 0) best.set(found.session, found)
  }
  return [...best.values()].sort((a, b) => compareMatches(a, b) || (b.at ?? 0) - (a.at ?? 0) || b.session - a.session)
}

/** Word for word, then the same, then alike; steps of closeness that nobody would notice make no difference. */
function compareMatches(a: MetBefore, b: MetBefore): number {
  const rank = ({ match, verbatim }: MetBefore) => (verbatim ? 0 : match === 'same' ? 1 : 2)
  const step = ({ closeness }: MetBefore) => Math.round(closeness * 10)
  return rank(a) - rank(b) || step(b) - step(a)
}

/** How it ended, the best first. */
const ENDS: readonly ErrorResolution['resolution'][] = [
  'succeeded',
  'similar_succeeded',
  'not_seen_again',
  'unknown',
  'unsolved',
]
const SURE_OF: Readonly<Record<ErrorResolution['resolution'], number>> = {
  succeeded: 1,
  similar_succeeded: 0.9,
  not_seen_again: 0.7,
  unknown: 0.5,
  unsolved: 0.4,
}

async function describe(store: Store, met: MetBefore): Promise<Occurrence | null> {
  const session = await store.session(met.session)
  if (session === null) return null
  const evicted = session.evictedAt !== null
  const after =
    evicted || met.seq === null
      ? await remembered(store, session)
      : await resolutionOf(store, session, { ...met, seq: met.seq })
  const closeness = met.match === 'same' ? 1 : met.closeness
  return {
    ...after,
    session,
    seq: evicted ? null : met.seq,
    at: met.at ?? session.endedAt,
    error: oneLine(met.line, 400),
    match: met.match,
    count: met.count,
    confidence: Math.round(closeness * SURE_OF[after.resolution] * 100) / 100,
    pasted: met.pasted,
  }
}

/** The steps are gone with the raw text; the digest still has the last word. */
async function remembered(store: Store, session: SessionRecord): Promise<ErrorResolution> {
  const digest: unknown = JSON.parse((await store.keeping.digest(session.uid)) ?? '{}')
  const last =
    typeof digest === 'object' && digest !== null && 'last_assistant' in digest ? digest.last_assistant : null
  return { resolution: 'unknown', solvedSeq: null, steps: [], explanation: typeof last === 'string' ? last : null }
}
