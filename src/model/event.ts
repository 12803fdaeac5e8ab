import { hash32 } from './hash.ts'

/** The kinds of things that happen in a session. Most specific wins: a failed result is `error`, not `tool_result`. */
export const EVENT_KINDS = [
  'user_msg',
  'assistant_msg',
  'thinking',
  'tool_call',
  'tool_result',
  'error',
  'test_run',
  'edit',
  'retry',
  'human_intervention',
  'decision',
  'lifecycle',
  'completion',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]
export type Role = 'user' | 'assistant' | 'system' | 'tool'

export const CALL_KINDS = ['tool_call', 'test_run', 'edit', 'retry'] as const satisfies readonly EventKind[]

export function isToolCall(kind: EventKind): boolean {
  return (CALL_KINDS as readonly EventKind[]).includes(kind)
}

/**
 * Where an event stands: `lane` is one numbered stream of a session (its main transcript, a
 * subagent's transcript, …), `pos` its place there. `seq` follows from both and nothing else.
 */
export const MAIN_LANE = ''
export const INFERRED_LANE = '~inferred'
/** What people decided outside the transcript. */
export const DECISIONS_LANE = '~decisions'
/** The inferred end of a session stands after every number a record could take. */
export const COMPLETION_POS = Number.MAX_SAFE_INTEGER - 1

const LANE_SEED = 0x811c9dc5
/** How many numbers a lane owns. */
export const LANE_BLOCK = 2 ** 20
const RESERVED_BLOCKS = 2 ** 12
/** How many lanes there can be beside the main one and the decisions. */
export const HASHED_BLOCKS = 2 ** 32

/**
 * First number of a lane. The main transcript counts from 1 and leaves 0 to the inferred start; every
 * other lane owns a block keyed by its name, so the order in which files arrive never moves a number.
 * Decisions stand behind all of them.
 */
export function laneBase(lane: string): number {
  if (lane === MAIN_LANE) return 1
  if (lane === INFERRED_LANE) return 0
  return (RESERVED_BLOCKS + (lane === DECISIONS_LANE ? HASHED_BLOCKS : hash32(lane, LANE_SEED))) * LANE_BLOCK
}
