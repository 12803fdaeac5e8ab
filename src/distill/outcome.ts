import type { DigestEvent, Judgement } from '../model/digest.ts'
import type { OutcomeState } from './outcome-state.ts'
import { complains, FADES_AFTER, findsFault, isContent, judged, quoted } from './outcome-judgement.ts'
import { asking, failedLast, idle, lost, talked, unproven } from './failure-rules.ts'
import { asksBack, blamesOthers, lacksMeans, onlyGreets, reportsFailure } from './agent-phrases.ts'
import { gaveUp, reproaches, takesBack, takesNote, wantsRed } from './person-phrases.ts'
import { withShellWork } from './shell-work.ts'
import { trackOutcome } from './outcome-tracker.ts'

/**
 * What came of a session. What the log says itself comes first, then what tests and commits prove, then how the last
 * turn looks, then words. A session that ended red, or by a person's stop, is never a success.
 */
export function judgeOutcome(events: readonly DigestEvent[]): Judgement {
  const { confidence, ...judgement } = judge(trackOutcome(withShellWork(events)))
  return { ...judgement, confidence: Math.round(confidence * 100) / 100 }
}

function judge(state: OutcomeState): Judgement {
  for (const rule of RULES) {
    const judgement = rule(state)
    if (judgement !== null) return judgement
  }
  return judged('unknown', 0.3, 'nothing tells how it ended')
}

type Rule = (state: OutcomeState) => Judgement | null

const RULES: readonly Rule[] = [
  untouched,
  acknowledged,
  stopped,
  givenUp,
  broken,
  red,
  unanswered,
  refused,
  unfinished,
  lost,
  asking,
  idle,
  talked,
  failedLast,
  unproven,
  done,
]

function untouched({ asked, answer, end, alone, trivial, first, callsInTurn }: OutcomeState): Judgement | null {
  if (alone && answer === null) return judged('unknown', 0.9, 'only its prompts are known: the transcript is gone')
  const greeted = first && callsInTurn === 0 && asked !== null && answer !== null && onlyGreets(asked, answer)
  if (greeted) return judged('unknown', 0.6, 'nothing was asked for')
  if (trivial && asked !== null && answer !== null) return judged('unknown', 0.7, 'nothing was asked for')
  if (asked === null && end === 'nothing') return judged('unknown', 0.9, 'nobody asked for anything')
  return asked === null && answer === null ? judged('unknown', 0.7, 'the log does not tell what was asked') : null
}

/** A word of thanks, or an `ok`, changes little of what came of the work before it. */
function acknowledged(state: OutcomeState): Judgement | null {
  const { earlier, asked, byPerson, callsInTurn, answer } = state
  if (earlier === null || asked === null || !byPerson || callsInTurn > 0 || state.stopped) return null
  if (takesNote(asked)) {
    const goesOn = answer !== null && earlier.answer !== null && asksBack(earlier.answer)
    return goesOn ? null : judge(earlier)
  }
  if (!isContent(state)) return null
  const before = judge(earlier)
  if (before.outcome !== 'fail' && !earlier.stopped) return null
  return judged('unknown', 0.5, ...before.reasons, `the person is content: "${quoted(asked)}"`)
}

function stopped(state: OutcomeState): Judgement | null {
  if (state.stopped) return judged('abandoned', 0.85, 'stopped by the person and not taken up again')
  if (state.halted && !isContent(state)) {
    return judged('abandoned', 0.55, 'stopped by the person, and only talked about since')
  }
  return state.subagentEnd === 'cancelled' ? judged('abandoned', 0.8, 'the subagent was cancelled') : null
}

function givenUp({ asked, byPerson, first, editsInTurn, provenInTurn }: OutcomeState): Judgement | null {
  if (asked === null || !byPerson || first || provenInTurn) return null
  if (editsInTurn === 0 && gaveUp(asked)) return judged('abandoned', 0.85, `the person gave up: "${quoted(asked)}"`)
  return takesBack(asked) ? judged('abandoned', 0.6, `the person wanted it undone: "${quoted(asked)}"`) : null
}

function broken({ crash, subagentEnd, cutShort }: OutcomeState): Judgement | null {
  if (crash !== null) return judged('fail', 0.8, `ended with an error: ${quoted(crash)}`)
  if (subagentEnd === 'failed') return judged('fail', 0.8, 'the subagent failed')
  return cutShort === null ? null : judged('unknown', 0.5, `broken off: ${quoted(cutShort)}`)
}

function whyRed({ tests, workAfterTests, failedCheck, edits }: OutcomeState): string | null {
  if (tests === 'failed' && workAfterTests < FADES_AFTER) return 'the last tests failed'
  return failedCheck === null || edits === 0 ? null : `the last check failed: ${failedCheck}`
}

function red(state: OutcomeState): Judgement | null {
  const because = whyRed(state)
  if (because === null) return null
  const { answer, editsAfterTests, asked } = state
  if (asked !== null && complains(state) && !state.provenInTurn) {
    return judged('fail', 0.75, because, `the person is not content: "${quoted(asked)}"`)
  }
  if (asked !== null && answer !== null && wantsRed(asked)) return judged('success', 0.55, because, 'as was wanted')
  if (answer !== null && blamesOthers(answer))
    return judged('unknown', 0.5, because, 'the agent says for other reasons')
  if (isContent(state)) return judged('unknown', 0.5, because, 'the person is content')
  if (state.edits === 0) return judged('unknown', 0.5, because, 'nothing was edited')
  if (editsAfterTests > 0 && state.failedCheck === null) {
    return judged('unknown', 0.5, because, 'edited since, not tested again')
  }
  return judged('fail', answer === null ? 0.6 : 0.85, because)
}

function unanswered(state: OutcomeState): Judgement | null {
  const { end, asked, byPerson, tests } = state
  if (end !== 'prompt' || asked === null) return null
  if (!byPerson) return judged('unknown', 0.5, 'no answer to what a program asked')
  if (isContent(state))
    return judged('success', tests === 'passed' ? 0.9 : 0.8, `the person is content: "${quoted(asked)}"`)
  if (findsFault(state) || (!state.first && reproaches(asked)))
    return judged('fail', 0.65, `the last word is a complaint: "${quoted(asked)}"`)
  return judged('abandoned', 0.55, 'the last prompt has no answer')
}

function unfinished(state: OutcomeState): Judgement | null {
  if (state.end === 'answer' && state.open === 0) return null
  if (state.ended || state.subagentEnd === 'completed') return null
  if (state.open > 0 && state.end !== 'answer')
    return judged('unknown', 0.6, 'a call has no result: cut off, or still running')
  if (state.end === 'answer') return null
  if (state.madeLast && state.editsAfterMade === 0) {
    return judged('success', 0.6, state.request ? 'ends with a pull request' : 'ends with a commit')
  }
  return judged('unknown', 0.55, 'ends in the middle of work: cut off, or still running')
}

function refused(state: OutcomeState): Judgement | null {
  const { denied, editsInTurn, provenInTurn, answer, callsInTurn, deniedInTurn } = state
  if (denied === null && deniedInTurn > 0 && deniedInTurn >= callsInTurn) {
    return judged('unknown', 0.5, 'no call of the last turn was allowed')
  }
  if (denied === null || provenInTurn || (editsInTurn > 0 && !state.endedByNo)) return null
  if (denied !== 'person' && answer !== null && (lacksMeans(answer) || reportsFailure(answer))) {
    return judged('fail', 0.55, 'the last call was not allowed, and the agent says that it could not')
  }
  return judged('abandoned', 0.6, 'the last call was not allowed')
}

function done(state: OutcomeState): Judgement {
  const { tests, editsAfterTests, commit, request, editsAfterMade, edits, asked, ended, subagentEnd } = state
  const green = tests === 'passed'
  const thanked = isContent(state)
  const kept = (commit || request) && editsAfterMade === 0
  let confidence = edits > 0 ? 0.6 : 0.55
  if (green) confidence = Math.max(confidence, editsAfterTests === 0 ? 0.85 : 0.7)
  if (kept) confidence = Math.max(confidence + 0.1, request ? 0.9 : 0.85)
  if (thanked) confidence = Math.max(confidence, 0.9)
  if (ended || subagentEnd === 'completed') confidence += 0.05
  return judged(
    'success',
    Math.min(confidence, 0.98),
    green && (editsAfterTests === 0 ? 'the tests passed after the last edit' : 'the last tests passed'),
    request && kept && 'a pull request was made',
    commit && kept && 'the work was committed',
    thanked && asked !== null && `the person is content: "${quoted(asked)}"`,
    subagentEnd === 'completed' && 'the subagent completed',
    ended ? 'the log says the turn is complete' : 'the last turn was answered',
  )
}
