import type { DigestEvent } from '../model/digest.ts'
import { isToolCall } from '../model/event.ts'
import { inTime as mergedByTime } from '../model/in-time.ts'
import { isRemark } from '../model/marks.ts'

/** Events as they happened, without what was taken back. */
export function inTime(events: readonly DigestEvent[]): DigestEvent[] {
  return mergedByTime(events.filter((event) => !event.superseded))
}

/** True if a call changes files, whatever kind it is kept as. */
export function isEdit(event: DigestEvent): boolean {
  return event.kind === 'edit' || (event.files.length > 0 && isToolCall(event.kind) && event.files.some(changed))
}

function changed(file: { readonly edit: boolean }): boolean {
  return file.edit
}

/** A person stopped the agent; to be asked for permission or to say something in between is none. */
export function isStop(event: DigestEvent): boolean {
  return event.marks.interrupted === true
}

export function isCompaction(event: DigestEvent): boolean {
  return event.marks.compacted !== undefined
}

/** A person, or a rule of theirs, did not let a call happen. */
export function isDenial(event: DigestEvent): boolean {
  return event.marks.denied !== undefined
}

/** The calls that were not let happen. */
export function deniedCalls(events: readonly DigestEvent[]): ReadonlySet<string | null> {
  return new Set(events.filter(isDenial).map(({ call }) => call))
}

/** Asked for: by a person or by a program, not put into the conversation by the client. */
export function isRequest({ kind, role, text, marks }: DigestEvent): boolean {
  return (
    kind === 'user_msg' &&
    role === 'user' &&
    text !== null &&
    text !== '' &&
    !marks.injected &&
    marks.command === undefined &&
    !isRemark(marks)
  )
}

/** A message that a person sent: what they said about a call is none. */
export function isPrompt({ human, sidechain, marks }: DigestEvent): boolean {
  return human && !sidechain && !isRemark(marks)
}
