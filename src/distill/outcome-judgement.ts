import type { Judgement, Outcome } from '../model/digest.ts'
import { oneLine } from '../model/text.ts'
import type { OutcomeState } from './outcome-state.ts'
import { reportsFault } from './fault-phrases.ts'
import { asksMore, isComplaint, isThanks } from './person-phrases.ts'

/** After so many exchanges with new work, what tests said is no longer how the session ended. */
export const FADES_AFTER = 2

export function judged(
  outcome: Outcome,
  confidence: number,
  ...reasons: readonly (string | false | null)[]
): Judgement {
  return { outcome, confidence, reasons: reasons.filter((reason) => typeof reason === 'string') }
}

/** The last word of the person is contentment: what comes with an order is not. */
export function isContent({ asked, byPerson, first, editsInTurn, ran, end }: OutcomeState): boolean {
  if (asked === null || !byPerson || first || editsInTurn > 0 || ran !== null || !isThanks(asked)) return false
  return end !== 'prompt' || !asksMore(asked)
}

export function complains({ asked, byPerson, first }: OutcomeState): boolean {
  return byPerson && !first && asked !== null && isComplaint(asked)
}

/** Something was made, and the person says what is wrong with it. */
export function findsFault(state: OutcomeState): boolean {
  const { asked, byPerson, first, edits, editsInTurn } = state
  if (complains(state)) return true
  return byPerson && !first && asked !== null && edits > editsInTurn && reportsFault(asked)
}

export function isProven({ tests, commit, request, editsAfterTests, editsAfterMade }: OutcomeState): boolean {
  return (tests === 'passed' && editsAfterTests === 0) || ((commit || request) && editsAfterMade === 0)
}

export function quoted(text: string): string {
  return oneLine(text, 80)
}
