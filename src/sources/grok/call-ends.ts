import type { DeniedBy, Marks } from '../../model/marks.ts'
import type { OpenCall } from './open-calls.ts'
import type { Ending } from './results.ts'
import type { Question, TurnLog } from './turn-log.ts'

export interface CallEnding {
  readonly kind: 'tool_result' | 'error'
  readonly marks: Marks
}

/** Faster than this nobody answers a question: a rule, a mode or an earlier answer did. */
const BY_HAND_MS = 100

export function byHand(waitedMs: number): boolean {
  return waitedMs >= BY_HAND_MS
}

/** Outcomes by which a call did not happen. */
const REFUSED: Readonly<Record<string, DeniedBy>> = {
  permission_rejected: 'person',
  permission_cancelled: 'person',
  followup: 'person',
  hook_denied: 'hook',
}

const FAILED: ReadonlySet<string> = new Set(['error', 'invalid_tool'])

/** What the client answers for a call that it did not run. */
const REFUSALS: readonly (readonly [RegExp, DeniedBy])[] = [
  [/^User (?:cancelled|rejected) the execution\b|^The user elected to avoid running\b/, 'person'],
  [/^[^\n]{0,200}\bdenied by hook '/i, 'hook'],
  [/^Denied by permission policy\b|^denied by prompt policy\b/i, 'rule'],
]

/** What it answers for one that it broke off, or left out because another was refused. */
const STOPPED = /^Tool execution (?:was )?(?:cancelled|halted)\b/

/** How a call ended: by what its result says, and by what the telemetry knows of it. */
export function callEnding(
  call: OpenCall,
  ending: Ending,
  at: number | null,
  log: TurnLog,
  alone: boolean,
): CallEnding {
  const outcome = log.endOf(call.id)?.outcome ?? ''
  const question = log.question(call.id, call.tool, call.at, at)
  const failed = ending.failed || FAILED.has(outcome)
  const ran = ending.exitCode === null ? {} : { exitCode: ending.exitCode }
  const denied = deniedBy(ending, outcome, question)
  if (denied !== null) {
    const byNobody = denied === 'person' && (question === null ? alone : !byHand(question.waitedMs))
    return { kind: 'tool_result', marks: { denied: byNobody ? 'rule' : denied, ...waited(question) } }
  }
  if (outcome === 'cancelled' || (ending.failed && ending.exitCode === null && STOPPED.test(ending.body))) {
    return { kind: 'tool_result', marks: { stopped: true, ...ran } }
  }
  return { kind: failed ? 'error' : 'tool_result', marks: { ...approval(question), ...ran } }
}

function deniedBy(ending: Ending, outcome: string, question: Question | null): DeniedBy | null {
  const refusal = Object.hasOwn(REFUSED, outcome) ? (REFUSED[outcome] ?? null) : null
  if (refusal !== null || !ending.failed || ending.exitCode !== null) return refusal
  const worded = REFUSALS.find(([words]) => words.test(ending.body))?.[1] ?? null
  if (worded !== null || STOPPED.test(ending.body)) return worded
  return outcome === '' && question?.allowed === false ? 'person' : null
}

/** True for what the client answers in place of a tool that it did not run. */
export function isNoOutput(body: string): boolean {
  return STOPPED.test(body) || REFUSALS.some(([words]) => words.test(body))
}

function waited(question: Question | null): Marks {
  return question === null ? {} : { asked: true, waitedMs: question.waitedMs }
}

/** Every call is checked and the check logged; only what took a person's time was a question. */
export function approval(question: Question | null): Marks {
  if (question === null || !question.allowed || question.unasked || !byHand(question.waitedMs)) return {}
  return { asked: true, approved: true, waitedMs: question.waitedMs }
}
