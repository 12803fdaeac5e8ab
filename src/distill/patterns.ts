import type { Pattern, Signal } from '../model/digest.ts'
import { placeOfPattern } from './signal-order.ts'

const MAX_EVIDENCE = 20
const MIN_SESSIONS = 2

/** A signal and the session it is from. */
export interface Sighting {
  readonly uid: string
  readonly signal: Signal
}

/**
 * Signals that occur in at least two sessions: what a person can act on first, the chores of agents after all errors; of
 * a kind those in the most sessions first, then the most frequent. The order in which they are given does not matter.
 */
export function findPatterns(sightings: readonly Sighting[], minSessions = MIN_SESSIONS): Pattern[] {
  const groups = new Map<string, Sighting[]>()
  for (const sighting of sightings) {
    const key = `${sighting.signal.kind}\0${sighting.signal.fingerprint}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [sighting])
    else group.push(sighting)
  }
  const patterns: Pattern[] = []
  for (const group of groups.values()) {
    const pattern = patternOf(group)
    if (pattern.sessions >= minSessions) patterns.push(pattern)
  }
  return patterns.sort(
    (a, b) =>
      placeOfPattern(a) - placeOfPattern(b) ||
      b.sessions - a.sessions ||
      b.count - a.count ||
      compare(a.kind, b.kind) ||
      compare(a.fingerprint, b.fingerprint),
  )
}

function patternOf(group: readonly Sighting[]): Pattern {
  const sorted = group.toSorted((a, b) => compare(a.uid, b.uid))
  const { kind, fingerprint, summary, tool, by = null } = sorted[0]!.signal
  const alike = sorted.every(({ signal }) => signal.count === 1 && signal.summary === summary)
  return {
    kind,
    fingerprint,
    // What was said about one call was not said about the others.
    summary: kind === 'denial' && !alike ? summary.replace(/: “.*$/s, '') : summary,
    tool,
    by,
    sessions: new Set(sorted.map(({ uid }) => uid)).size,
    count: sorted.reduce((sum, { signal }) => sum + signal.count, 0),
    evidence: evidenceOf(sorted),
  }
}

/** The first of every session, then the second of every session, and so on. */
function evidenceOf(sorted: readonly Sighting[]): string[] {
  const evidence: string[] = []
  for (let round = 0; evidence.length < MAX_EVIDENCE; round++) {
    const before = evidence.length
    for (const { uid, signal } of sorted) {
      const seq = signal.seqs[round]
      if (seq !== undefined && evidence.length < MAX_EVIDENCE) evidence.push(`${uid}#${seq}`)
    }
    if (evidence.length === before) break
  }
  return evidence
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
