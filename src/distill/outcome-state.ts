import type { DigestEvent } from '../model/digest.ts'
import type { DeniedBy } from '../model/marks.ts'

/** What the main thread ends with. */
export type End = 'nothing' | 'prompt' | 'answer' | 'thought' | 'call' | 'result'

/** How a session went, as far as its outcome depends on it. */
export interface OutcomeState {
  /** The last words of the person, or of the program that asked; null if nobody asked. */
  asked: string | null
  byPerson: boolean
  /** Nothing was said before it: it can be about no work but that of others. */
  first: boolean
  end: End
  /** Last words of the agent since then. */
  answer: string | null
  /** How it stood when the last prompt came; null before the second. */
  earlier: OutcomeState | null
  /** Calls without a result. */
  open: number
  /** Failed calls with no success after them. */
  errorsInARow: number
  /** The last of them. */
  failedCall: DigestEvent | null
  /** It failed because its program is not there. */
  missing: boolean
  /** The last command of the turn that tells something of the work, whether it failed, and if only its output says so. */
  ran: { readonly command: string; readonly failed: boolean; readonly hidden: boolean } | null
  /** Edits of code since the last such command, of any turn. */
  editsSinceRun: number
  /** Work of this turn was taken back by a command and none followed. */
  tookBack: boolean
  /** A merge of this turn ended in conflicts, and none of what ends it came after. */
  conflict: boolean
  /** A person stopped work in the turn before, and since then there are only words. */
  halted: boolean
  callsInTurn: number
  /** How many of them were not allowed. */
  deniedInTurn: number
  /** Nothing but greetings and single words so far, and no call: there is nothing to come of. */
  trivial: boolean
  /** Known from a log of prompts alone: how it went stands in no log that is left. */
  alone: boolean
  /** A build, a type check or a linter failed since the last prompt, and neither an edit nor a good run came after it. */
  failedCheck: string | null
  /** The service failed and nothing came after it. */
  crash: string | null
  /** A person stopped the agent and asked for nothing since: what still trickles in is no work. */
  stopped: boolean
  /** The log itself says that the turn is over. */
  ended: boolean
  /** The turn was over with the no to a call. */
  endedByNo: boolean
  /** The log itself says that the turn was broken off, by no person. */
  cutShort: string | null
  /** What the log says of a subagent as a whole. */
  subagentEnd: 'completed' | 'failed' | 'cancelled' | null
  /** A call was not allowed and no other followed; who did not allow it. */
  denied: DeniedBy | null
  /** Edits since the last prompt. */
  editsInTurn: number
  edits: number
  tests: 'passed' | 'failed' | null
  /** Edits of code: what people read is not tested. */
  editsAfterTests: number
  /** Exchanges with edits that came after the exchange of the last verdict. */
  workAfterTests: number
  commit: boolean
  request: boolean
  editsAfterMade: number
  /** A verdict, or something made, since the last prompt. */
  provenInTurn: boolean
  madeLast: boolean
}

/** What a prompt makes a thing of the past. */
export const NEW_TURN = {
  answer: null,
  errorsInARow: 0,
  failedCall: null,
  missing: false,
  ran: null,
  tookBack: false,
  conflict: false,
  callsInTurn: 0,
  deniedInTurn: 0,
  failedCheck: null,
  crash: null,
  stopped: false,
  ended: false,
  endedByNo: false,
  cutShort: null,
  denied: null,
  editsInTurn: 0,
  provenInTurn: false,
} as const satisfies Partial<OutcomeState>

/** Before anything has happened. */
export function atStart(): OutcomeState {
  return {
    ...NEW_TURN,
    asked: null,
    byPerson: false,
    first: true,
    trivial: true,
    alone: false,
    end: 'nothing',
    earlier: null,
    open: 0,
    editsSinceRun: 0,
    halted: false,
    subagentEnd: null,
    edits: 0,
    tests: null,
    editsAfterTests: 0,
    workAfterTests: 0,
    commit: false,
    request: false,
    editsAfterMade: 0,
    madeLast: false,
  }
}
