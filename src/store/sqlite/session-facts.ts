import { MAIN_LANE } from '../../model/event.ts'
import type { Facts, SessionBill } from '../../model/facts.ts'
import { LOST } from './lane-names.ts'
import { isTranscript, ORIGINALITY, type SessionLane } from './session-lanes.ts'

// What a session's lanes say of it as a whole. Nothing here reads or writes.

/** Lanes that another lane says better; with the only exception that a lane alone never yields. */
export function yieldingLanes(lanes: readonly SessionLane[]): SessionLane[] {
  return lanes.filter(({ yieldsTo }) => {
    if (yieldsTo === null) return false
    return lanes.some((other) =>
      yieldsTo === '*' ? other.yieldsTo !== '*' && !other.name.endsWith(LOST) : other.name === yieldsTo,
    )
  })
}

/** What the transcript that was written last says of a session holds. */
const LATEST_HOLDS: ReadonlySet<string> = new Set(['customTitle', 'agentTitle', 'model', 'version', 'endedAt'])

/**
 * Facts of the most original lane first, of several transcripts those of the first but for what the last knows better,
 * and of a lane what the files beside it say; a session is complete only if all its transcripts are.
 */
export function mergeFacts(lanes: readonly SessionLane[]): Partial<Facts> {
  const merged: Record<string, unknown> = {}
  for (const lane of lanes) {
    if (lane.facts.complete === false) merged['complete'] = false
    for (const [name, value] of Object.entries(lane.facts)) {
      if (LATEST_HOLDS.has(name) && isTranscript(lane)) merged[name] = value
      else merged[name] ??= value
    }
  }
  return merged as Partial<Facts>
}

/** Every branch that a session's transcripts name, or of its subagents' where those are all that is left. */
export function branchesOf(lanes: readonly SessionLane[]): string[] {
  const named = (of: readonly SessionLane[]) => [...new Set(of.flatMap(({ facts }) => facts.branches ?? []))]
  const own = named(lanes.filter(isTranscript))
  return own.length > 0 ? own : named(lanes)
}

/** Whose fork a session is by the records that it shares. */
export function forkOf(lanes: readonly SessionLane[]): string | null {
  return lanes.find((lane) => isTranscript(lane) && lane.forkOf !== null)?.forkOf ?? null
}

/** What the agent itself says was billed, and the lane of the transcript that says so. */
export function billedBy(lanes: readonly SessionLane[]): { lane: number; bill: SessionBill } | null {
  const lane = lanes.findLast((one) => isTranscript(one) && one.facts.billed !== undefined)
  return lane?.facts.billed === undefined ? null : { lane: lane.id, bill: lane.facts.billed }
}

export function sumRedactions(lanes: readonly SessionLane[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { redactions } of lanes) {
    for (const [rule, count] of Object.entries(redactions)) sums.set(rule, (sums.get(rule) ?? 0) + count)
  }
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The lane whose file is the session's own. */
export function mainLane(lanes: readonly SessionLane[]): SessionLane | undefined {
  return lanes.find(({ name }) => name === MAIN_LANE) ?? lanes[0]
}

/** The lanes that a session begins and ends with: where there is no transcript, another main one or a copy of it. */
export function endLanes(lanes: readonly SessionLane[]): readonly [first?: SessionLane, last?: SessionLane] {
  const transcripts = lanes.filter(isTranscript)
  const like = (originality: number) => lanes.find((lane) => lane.originality === originality)
  const first = transcripts[0] ?? like(ORIGINALITY.own) ?? like(ORIGINALITY.copy)
  return first === undefined ? [] : [first, transcripts.at(-1) ?? first]
}
