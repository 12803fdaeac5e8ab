import { CALL_KINDS } from '../../model/event.ts'
import { FLAG } from '../store.ts'
import { LOST } from './lane-names.ts'

// Conditions on an event `e` of a lane `l`.

/** Kinds of events that are calls. */
export const CALLS = CALL_KINDS.map((kind) => `'${kind}'`).join(', ')

/** Flags of what is not found: it stands elsewhere, or nobody knows yet whether it still does. */
export const HIDDEN = FLAG.copy | FLAG.aside

/** It counts: it was not taken back, and is nobody else's. */
export const COUNTED = `e.flags & ${FLAG.superseded | HIDDEN} = 0`

/** It happened here. What a transcript has only lost did; what was taken back, or is another's, did not. */
export const HAPPENED = `e.flags & ${HIDDEN} = 0 AND (e.flags & ${FLAG.superseded} = 0 OR l.name LIKE '%${LOST}')`

/** A shell call has its command as text; no other call has a text. */
export const IS_SHELL = 'e.text IS NOT NULL'

/** A call has failed if its result is an error, or names tests that failed behind a pipe. Null without a result. */
export const FAILED = `(SELECT r.kind = 'error' OR r.flags & ${FLAG.testsFailed} <> 0 FROM event r
  WHERE r.lane = e.lane AND r.call = e.call AND r.pos > e.pos AND r.pos < e.pos + 4096 AND r.kind IN ('tool_result', 'error')
  ORDER BY r.pos LIMIT 1)`

/** Somebody was asked, or would have been had there been anybody: of the result `x` of a call. */
export const ASKED = `x.marks IS NOT NULL AND (x.marks ->> 'denied' IN ('person', 'rule') OR x.marks ->> 'asked' = 1)`
