import type { Ranked } from './rank.ts'

/** How sure a hit is to be what was asked for: of those called sure 19 of 20 are, of guesses less than half. */
export type Confidence = 'sure' | 'likely' | 'guess'

/**
 * The chance that a hit is right, fitted to the answers of the retrieval benchmark: how much of what was asked its session
 * holds, how much the document and its best message say, and how far it stands above the best of another session.
 */
const BIAS = -3.7
const COVERAGE = 3.6
const SAID = 0.95
const HELD = 1.9
const AHEAD = 4
const MOST_AHEAD = 0.4
const SURE = 0.93
const LIKELY = 0.45
/** What holds less of what was asked is a guess, however far it stands above the rest. */
const LEAST_COVERAGE = 0.47

/** The best documents, best first, each with the chance that it is right. */
export function withChances(ranked: readonly Ranked[]): Ranked[] {
  const [best] = ranked
  const other = ranked.find(({ session }) => session !== best?.session)
  return ranked.map((entry) => {
    const rival = entry.session === best?.session ? other : best
    const ahead = Math.max(-MOST_AHEAD, Math.min(MOST_AHEAD, entry.score - (rival?.score ?? 0)))
    const points = BIAS + COVERAGE * entry.coverage + SAID * (entry.said ?? 0) + HELD * entry.held + AHEAD * ahead
    return { ...entry, chance: entry.coverage < LEAST_COVERAGE ? 0 : 1 / (1 + Math.exp(-points)) }
  })
}

export function confidenceOf(chance: number): Confidence {
  if (chance >= SURE) return 'sure'
  return chance >= LIKELY ? 'likely' : 'guess'
}
