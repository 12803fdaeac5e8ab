/** How sure uses make a rule. */
export type Confidence = 'high' | 'medium' | 'low'

/** Fewest uses that did not fail. */
export const HIGH = 50
export const MEDIUM = 10

export function confidenceOf(successes: number): Confidence {
  return successes >= HIGH ? 'high' : successes >= MEDIUM ? 'medium' : 'low'
}
