import type { DigestEvent } from '../model/digest.ts'
import { isToolCall } from '../model/event.ts'

/** Numbers of different lanes lie further apart than this. */
const LANE_GAP = 2 ** 16

/**
 * Events as they happened, without what was taken back: lanes are merged by time, and within a lane the order of
 * the log holds even where its clock goes back. An event without a time stays behind the one before it.
 */
export function inTime(events: readonly DigestEvent[]): DigestEvent[] {
  const timed: { event: DigestEvent; at: number }[] = []
  let at = -Infinity
  let seq = 0
  let latest = -Infinity
  let ordered = true
  for (const event of events) {
    if (event.superseded) continue
    if (event.seq - seq > LANE_GAP) at = -Infinity
    seq = event.seq
    at = Math.max(at, event.at ?? -Infinity)
    timed.push({ event, at })
    if (at < latest) ordered = false
    latest = Math.max(latest, at)
  }
  if (!ordered) timed.sort((a, b) => (a.at === b.at ? a.event.seq - b.event.seq : a.at - b.at))
  return timed.map((item) => item.event)
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
  return event.kind === 'human_intervention' && !/^(?:permission:|interjected)/.test(event.text ?? event.summary)
}

export function isCompaction(event: DigestEvent): boolean {
  return event.kind === 'lifecycle' && (event.text ?? event.summary).startsWith('conversation compacted')
}

const DENIED =
  /doesn't want to (?:proceed|take this action)|tool use was rejected|(?:rejected|denied|declined|cancelled) by (?:the )?(?:user|policy)|user (?:rejected|denied|declined|cancelled)|permission to use [^\n]{1,120} has been denied|haven't granted it/i

/** A person, or a rule of theirs, did not let a call happen. */
export function isDenial(event: DigestEvent): boolean {
  const text = event.text ?? event.summary
  if (event.kind === 'human_intervention') return text.startsWith('permission:')
  return event.kind === 'error' && event.role === 'tool' && DENIED.test(text.slice(0, 400))
}
