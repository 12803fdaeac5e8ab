import type { Judgement } from '../model/digest.ts'
import type { OutcomeState } from './outcome-state.ts'
import { complains, FADES_AFTER, findsFault, isContent, isProven, judged, quoted } from './outcome-judgement.ts'
import {
  admitsDefeat,
  admitsOwnDefeat,
  asksAtAll,
  asksBack,
  callsImpossible,
  goesOnLater,
  isHoped,
  isNeedless,
  isUntried,
  lacksMeans,
  leavesRest,
  reportsFailure,
  saysNo,
  saysUnchanged,
  saysWithdrawn,
} from './agent-phrases.ts'
import { leavesOut, ownsUp, willNot } from './unfinished-phrases.ts'
import { fallsShort, leavesUnsolved } from './unsolved-phrases.ts'
import {
  isOrder,
  isQuestion,
  isThanks,
  forbidsTests,
  permitsNothing,
  wantsChecks,
  wantsLook,
  wantsStart,
} from './person-phrases.ts'
import { delivers, isNamed } from './command-relevance.ts'

const ERROR_STREAK = 3

/** The last call failed, the agent says so, and it is what was asked for by name: `push it`, and `git push` was refused. */
function missed({ asked, answer, errorsInARow, failedCall, missing, editsInTurn }: OutcomeState): boolean {
  if (asked === null || answer === null || errorsInARow === 0 || failedCall === null) return false
  if (missing && editsInTurn > 0) return false
  const named = failedCall.text !== null && isNamed(asked, failedCall.text)
  return named && !isQuestion(asked) && reportsFailure(answer)
}

/** Something was to be done, nothing was, and the agent says no to it or asks: it may only have looked around. */
export function idle(state: OutcomeState): Judgement | null {
  const { asked, answer, byPerson, ran, editsInTurn, provenInTurn } = state
  if (asked === null || answer === null || editsInTurn > 0 || provenInTurn || isContent(state)) return null
  if (isOrder(asked) && !wantsLook(asked) && saysUnchanged(answer) && !isNeedless(answer) && !permitsNothing(asked)) {
    return judged('fail', 0.5, 'nothing was done, and the agent says so')
  }
  if ((ran !== null && !ran.failed) || !isOrder(asked) || isThanks(asked) || isNeedless(answer)) return null
  if (ran === null && permitsNothing(asked)) return null
  if (saysNo(answer)) return judged('fail', 0.5, 'nothing was done, and the agent says why')
  if (ran !== null && !ran.hidden) {
    return judged('fail', 0.5, `nothing was done, and this failed: ${quoted(ran.command)}`)
  }
  if (!asksAtAll(answer)) return null
  return judged(byPerson ? 'abandoned' : 'unknown', 0.5, 'nothing was done, and the agent asked back')
}

/** Something was to be done or looked at, and there are only words: that can be no success. */
export function talked({ asked, answer, first, callsInTurn }: OutcomeState): Judgement | null {
  if (asked === null || answer === null || !first || callsInTurn > 0 || isNeedless(answer)) return null
  return isOrder(asked) || wantsLook(asked) ? judged('unknown', 0.4, 'nothing was done but talk') : null
}

function declined(asked: string, answer: string, { callsInTurn, first }: OutcomeState): boolean {
  if (callsInTurn > 0 || isQuestion(asked)) return false
  const order = isOrder(asked) || wantsLook(asked)
  return (first || order) && willNot(answer, order)
}

const UNDO_ASKED = /\b(?:abort|revert|undo|roll(?:ing)? ?back|reset|restore|discard|clean|sync|throw)/i

/** Tests that pass where nothing was changed say nothing of what was to be found or mended. */
function workedInTurn({ editsInTurn, commit, request, editsAfterMade }: OutcomeState): boolean {
  return editsInTurn > 0 || ((commit || request) && editsAfterMade === 0)
}

/** Lost by words or by a streak of errors, where no proof says otherwise. */
export function lost(state: OutcomeState): Judgement | null {
  const { asked, answer, errorsInARow, provenInTurn, edits } = state
  const wantsAnswer = asked !== null && isQuestion(asked)
  if (state.conflict && !wantsAnswer) return judged('fail', 0.6, 'a merge ended in conflicts, and nothing came of it')
  if (missed(state)) return judged('fail', 0.55, 'what was asked for failed last, and the agent says so')
  if (answer !== null && fallsShort(answer, asked))
    return judged('fail', 0.5, 'the agent says that only part of it is done')
  if (asked !== null && answer !== null && !state.first && state.editsInTurn === 0 && ownsUp(asked, answer))
    return judged('fail', 0.55, 'asked whether it was done, the agent says no')
  if (answer !== null && leavesUnsolved(answer) && !isContent(state) && !wantsAnswer) {
    return judged('fail', 0.5, 'the agent says that it is not solved')
  }
  if (state.tookBack && answer !== null && saysWithdrawn(answer) && !(asked !== null && UNDO_ASKED.test(asked))) {
    return judged('fail', 0.6, 'the agent took its work back')
  }
  if (answer !== null && asked !== null && wantsChecks(asked) && goesOnLater(answer)) {
    return judged('unknown', 0.55, 'the checks that were asked for still run')
  }
  if (isProven(state) && provenInTurn && workedInTurn(state)) return null
  if (isContent(state)) return null
  if (answer !== null && (wantsAnswer ? admitsOwnDefeat(answer) : admitsDefeat(answer))) {
    return judged('fail', 0.6, 'the agent says it did not get there')
  }
  if (answer !== null && state.editsInTurn === 0 && lacksMeans(answer)) {
    return judged('fail', 0.6, 'the agent says that it cannot do it, or does not know')
  }
  if (answer !== null && asked !== null && declined(asked, answer, state)) {
    return judged('fail', 0.55, 'nothing was done, and the agent says that it will not')
  }
  const started = asked !== null && wantsStart(asked)
  if (answer !== null && state.editsInTurn === 0 && !started && goesOnLater(answer)) {
    return judged('unknown', 0.55, 'the agent says that it still runs')
  }
  if (answer !== null && callsImpossible(answer) && !wantsAnswer) {
    return judged('fail', 0.55, 'the agent says that it cannot be done')
  }
  if (state.tookBack && !(asked !== null && UNDO_ASKED.test(asked))) {
    return judged('fail', 0.55, 'the agent took its work back')
  }
  if (answer !== null && asked !== null && state.editsInTurn > 0 && leavesOut(asked, answer)) {
    return judged('fail', 0.5, 'the agent says that it left out some of what was asked for')
  }
  if (answer !== null && leavesRest(answer)) return judged('unknown', 0.5, 'the agent says that part of it is left')
  const unavailable = state.missing && state.editsInTurn > 0
  const failedLast = errorsInARow > 0 && !unavailable
  if (answer !== null && failedLast && reportsFailure(answer) && !wantsAnswer) {
    return judged('fail', 0.5, 'the last call failed, and the agent says so')
  }
  if (errorsInARow >= ERROR_STREAK) return judged('fail', 0.5, `the last ${errorsInARow} calls failed`)
  const ignored = complains(state) || (findsFault(state) && answer !== null && asksAtAll(answer))
  if (asked !== null && ignored && state.editsInTurn === 0 && state.ran === null && !wantsAnswer) {
    return judged('fail', 0.55, `nothing was done about a complaint: "${quoted(asked)}"`)
  }
  if (asked !== null && complains(state) && edits > 0 && state.editsSinceRun > 0) {
    return judged('unknown', 0.45, `not tested since a complaint: "${quoted(asked)}"`)
  }
  return null
}

export function asking({ answer, asked, byPerson, editsInTurn, provenInTurn }: OutcomeState): Judgement | null {
  if (answer === null || editsInTurn > 0 || provenInTurn || !asksBack(answer)) return null
  if (asked !== null && (isQuestion(asked) || isThanks(asked))) return null
  return judged(byPerson ? 'abandoned' : 'unknown', 0.55, 'the agent asked back and got no answer')
}

/** The last command that tells something of the work failed: whatever was proven before it, the end is not good. */
export function failedLast(state: OutcomeState): Judgement | null {
  const { ran, asked, answer, edits, editsSinceRun } = state
  if (ran === null || !ran.failed || isContent(state) || (asked !== null && isQuestion(asked))) return null
  const because = `the last command failed: ${quoted(ran.command)}`
  if (editsSinceRun > 0) return judged('unknown', 0.45, because, 'edited since, not run again')
  const admitted = answer !== null && (reportsFailure(answer) || admitsDefeat(answer))
  const asksIt = asked !== null && isNamed(asked, ran.command)
  const matters = asksIt || delivers(ran.command) || (edits > 0 && !(isProven(state) && state.provenInTurn))
  return admitted || matters ? judged('fail', 0.55, because) : judged('unknown', 0.45, because)
}

/** Done by the word of the agent alone, where more could be expected. */
export function unproven(state: OutcomeState): Judgement | null {
  const { asked, tests, answer, editsInTurn, editsAfterTests, workAfterTests, editsSinceRun, edits } = state
  if (isContent(state)) return null
  const green = tests === 'passed' && editsAfterTests === 0
  if (answer !== null && editsInTurn > 0 && !green && isUntried(answer) && !(asked !== null && forbidsTests(asked))) {
    return judged('unknown', 0.45, 'the agent did not try it')
  }
  if (isProven(state)) return null
  if (answer === null) return judged('unknown', 0.45, 'the log says the turn is complete, but not with what')
  if (tests === 'passed' && editsAfterTests > 0 && editsSinceRun > 0 && workAfterTests < FADES_AFTER) {
    return judged('unknown', 0.45, 'edited since the tests passed, not tested again')
  }
  if (editsInTurn > 0 && edits > 0 && editsSinceRun > 0 && (state.missing || isHoped(answer))) {
    return judged('unknown', 0.45, 'the agent only hopes that it works')
  }
  return null
}
