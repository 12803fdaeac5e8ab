import type { DigestEvent, Judgement, Outcome } from '../model/digest.ts'
import { oneLine } from '../model/text.ts'
import { followCourse, type Course } from './course.ts'
import {
  admitsDefeat,
  asksBack,
  blamesOthers,
  gaveUp,
  isComplaint,
  isQuestion,
  isThanks,
  reportsFailure,
  takesBack,
} from './mood.ts'

const ERROR_STREAK = 3
/** After so many exchanges with new work, failed tests are no longer how the session ended. */
const RED_FADES_AFTER = 2

/**
 * What came of a session. What the log says itself comes first, then what tests and commits prove, then how the last
 * turn looks, then words. A session that ended red, or by a person's stop, is never a success.
 */
export function judgeOutcome(events: readonly DigestEvent[]): Judgement {
  const course = followCourse(events)
  for (const rule of RULES) {
    const judgement = rule(course)
    if (judgement !== null) return { ...judgement, confidence: Math.round(judgement.confidence * 100) / 100 }
  }
  return judged('unknown', 0.3, 'nothing tells how it ended')
}

type Rule = (course: Course) => Judgement | null

const RULES: readonly Rule[] = [
  untouched,
  stopped,
  givenUp,
  broken,
  red,
  unanswered,
  unfinished,
  refused,
  lost,
  asking,
  done,
]

function judged(outcome: Outcome, confidence: number, ...reasons: readonly (string | false | null)[]): Judgement {
  return { outcome, confidence, reasons: reasons.filter((reason) => typeof reason === 'string') }
}

function untouched({ asked, answer, end }: Course): Judgement | null {
  if (asked === null && end === 'nothing') return judged('unknown', 0.9, 'nobody asked for anything')
  return asked === null && answer === null ? judged('unknown', 0.7, 'the log does not tell what was asked') : null
}

function stopped(course: Course): Judgement | null {
  if (course.stopped) return judged('abandoned', 0.85, 'stopped by the person and not taken up again')
  return course.told === 'cancelled' ? judged('abandoned', 0.8, 'the subagent was cancelled') : null
}

function givenUp({ asked, byPerson, first }: Course): Judgement | null {
  if (asked === null || !byPerson || first) return null
  if (gaveUp(asked)) return judged('abandoned', 0.85, `the person gave up: "${quoted(asked)}"`)
  return takesBack(asked) ? judged('abandoned', 0.6, `the person wanted it undone: "${quoted(asked)}"`) : null
}

function broken({ crash, told, cutShort }: Course): Judgement | null {
  if (crash !== null) return judged('fail', 0.8, `ended with an error: ${quoted(crash)}`)
  if (told === 'failed') return judged('fail', 0.8, 'the subagent failed')
  return cutShort === null ? null : judged('unknown', 0.5, `broken off: ${quoted(cutShort)}`)
}

function complains({ asked, byPerson, first }: Course): boolean {
  return byPerson && !first && asked !== null && isComplaint(asked)
}

function isRed({ tests, workAfterTests }: Course): boolean {
  return tests === 'failed' && workAfterTests < RED_FADES_AFTER
}

function red(course: Course): Judgement | null {
  if (!isRed(course)) return null
  const { answer, editsAfterTests, asked, byPerson } = course
  const because = 'the last tests failed'
  if (asked !== null && complains(course) && !course.provenInTurn) {
    return judged('fail', 0.75, because, `the person is not content: "${quoted(asked)}"`)
  }
  if (answer !== null && blamesOthers(answer))
    return judged('unknown', 0.5, because, 'the agent says for other reasons')
  if (byPerson && asked !== null && isThanks(asked)) return judged('unknown', 0.5, because, 'the person is content')
  if (course.edits === 0) return judged('unknown', 0.5, because, 'nothing was edited')
  if (editsAfterTests > 0) return judged('unknown', 0.5, because, 'edited since, not tested again')
  return judged('fail', answer === null ? 0.6 : 0.85, because)
}

function unanswered(course: Course): Judgement | null {
  const { end, asked, byPerson, tests } = course
  if (end !== 'prompt' || asked === null) return null
  if (!byPerson) return judged('unknown', 0.5, 'no answer to what a program asked')
  if (isThanks(asked))
    return judged('success', tests === 'passed' ? 0.9 : 0.8, `the person is content: "${quoted(asked)}"`)
  if (complains(course)) return judged('fail', 0.65, `the last word is a complaint: "${quoted(asked)}"`)
  return judged('abandoned', 0.55, 'the last prompt has no answer')
}

function unfinished(course: Course): Judgement | null {
  if (course.end === 'answer' && course.open === 0) return null
  if (course.ended || course.told === 'completed') return null
  if (course.open > 0 && course.end !== 'answer')
    return judged('unknown', 0.6, 'a call has no result: cut off, or still running')
  if (course.end === 'answer') return null
  if (course.madeLast && course.editsAfterMade === 0) {
    return judged('success', 0.6, course.request ? 'ends with a pull request' : 'ends with a commit')
  }
  return judged('unknown', 0.55, 'ends in the middle of work: cut off, or still running')
}

function refused(course: Course): Judgement | null {
  const { denied, editsInTurn, provenInTurn } = course
  if (!denied || editsInTurn > 0 || provenInTurn) return null
  return judged('abandoned', 0.6, 'the last call was not allowed')
}

/** Lost by words or by a streak of errors, where no proof says otherwise. */
function lost(course: Course): Judgement | null {
  const { asked, byPerson, answer, errorsInARow, provenInTurn, edits } = course
  if (isProven(course) && provenInTurn) return null
  if (byPerson && asked !== null && isThanks(asked)) return null
  if (answer !== null && admitsDefeat(answer)) return judged('fail', 0.6, 'the agent says it did not get there')
  if (answer !== null && errorsInARow > 0 && reportsFailure(answer) && !(asked !== null && isQuestion(asked))) {
    return judged('fail', 0.5, 'the last call failed, and the agent says so')
  }
  if (errorsInARow >= ERROR_STREAK) return judged('fail', 0.5, `the last ${errorsInARow} calls failed`)
  if (asked !== null && complains(course) && edits > 0) {
    return judged('unknown', 0.45, `not tested since a complaint: "${quoted(asked)}"`)
  }
  return null
}

function asking({ answer, asked, byPerson, editsInTurn, provenInTurn }: Course): Judgement | null {
  if (answer === null || editsInTurn > 0 || provenInTurn || !asksBack(answer)) return null
  if (asked !== null && (isQuestion(asked) || isThanks(asked))) return null
  return judged(byPerson ? 'abandoned' : 'unknown', 0.55, 'the agent asked back and got no answer')
}

function isProven({ tests, commit, request, editsAfterTests, editsAfterMade }: Course): boolean {
  return (tests === 'passed' && editsAfterTests === 0) || ((commit || request) && editsAfterMade === 0)
}

function done(course: Course): Judgement {
  const { tests, editsAfterTests, commit, request, editsAfterMade, edits, asked, byPerson, ended, told } = course
  const green = tests === 'passed'
  const thanked = byPerson && asked !== null && isThanks(asked)
  const kept = (commit || request) && editsAfterMade === 0
  let confidence = edits > 0 ? 0.6 : 0.55
  if (green) confidence = Math.max(confidence, editsAfterTests === 0 ? 0.85 : 0.7)
  if (kept) confidence = Math.max(confidence + 0.1, request ? 0.9 : 0.85)
  if (thanked) confidence = Math.max(confidence, 0.9)
  if (ended || told === 'completed') confidence += 0.05
  return judged(
    'success',
    Math.min(confidence, 0.98),
    green && (editsAfterTests === 0 ? 'the tests passed after the last edit' : 'the last tests passed'),
    request && kept && 'a pull request was made',
    commit && kept && 'the work was committed',
    thanked && `the person is content: "${quoted(asked)}"`,
    told === 'completed' && 'the subagent completed',
    ended ? 'the log says the turn is complete' : 'the last turn was answered',
  )
}

function quoted(text: string): string {
  return oneLine(text, 80)
}
