import type { CallLog } from './call-log.ts'
import type { SessionPlace } from './place.ts'
import type { TurnLog } from './turn-log.ts'

/** Where a transcript lies and what stands beside it. */
export interface SessionFiles {
  readonly place: SessionPlace
  readonly log: TurnLog
  readonly calls: CallLog
  /** The prompts are another agent's. */
  readonly isSubagent: boolean
  /** Nobody sat before it. */
  readonly isHeadless: boolean
}
