import { asObject, asString, type Json } from '../kit/json.ts'
import { wordsOf } from './human.ts'
import { digest } from './text-hash.ts'
import { programIn } from './programs.ts'
import type { After, Echo, Ran } from './item-writer.ts'

const PROMPT_AHEAD = 8
const PROGRAM_AHEAD = 64
const COMPACTION_AHEAD = 16

/** What the records that follow say about one record. */
export interface Ahead {
  readonly echo: Echo
  readonly ran: Ran
  readonly after: After
}

export const NOTHING_AHEAD: Ahead = { echo: 'silent', ran: 'silent', after: 'more' }

/** Something is `unknown` if `following` ends before it shows. */
export function aheadOf(record: Json, following: Iterable<Json>): Ahead {
  if (record['type'] === 'compacted') return { ...NOTHING_AHEAD, after: afterOf(following) }
  const item = record['type'] === 'response_item' ? asObject(record['payload']) : null
  if (item === null) return NOTHING_AHEAD
  if (item['type'] === 'message' && item['role'] === 'user') return { ...NOTHING_AHEAD, echo: echoOf(item, following) }
  return programIn(item) === null ? NOTHING_AHEAD : { ...NOTHING_AHEAD, ran: ranOf(item, following) }
}

/** Whether the event that names a prompt follows the response item which holds it, as it does for what a person typed. */
function echoOf(item: Json, following: Iterable<Json>): Echo {
  let prompt: string | null = null
  let seen = 0
  for (const next of following) {
    const named = namedPrompt(next)
    if (named !== null && digest(named) === (prompt ??= digest(wordsOf(item).plain))) return 'echoed'
    if (named === null && !isPrompt(next) && !isContext(next)) return 'silent'
    if (++seen === PROMPT_AHEAD) return 'silent'
  }
  return 'unknown'
}

/** Whether the ends of calls inside a program are told before its own. */
function ranOf(item: Json, following: Iterable<Json>): Ran {
  let seen = 0
  for (const next of following) {
    const payload = asObject(next['payload'])
    if (tellsInnerEnd(next, payload)) return 'told'
    if (endsProgram(next, payload, item['call_id'])) return 'silent'
    if (++seen === PROGRAM_AHEAD) return 'silent'
  }
  return 'unknown'
}

function tellsInnerEnd(record: Json, event: Json | null): boolean {
  if (record['type'] !== 'event_msg') return false
  const id = event?.['type'] === 'item_completed' ? asObject(event['item'])?.['id'] : event?.['call_id']
  return typeof id === 'string' && id.startsWith('exec-') && /_(?:end|completed)$/.test(String(event?.['type']))
}

function endsProgram(record: Json, payload: Json | null, id: unknown): boolean {
  const type = payload?.['type']
  if (record['type'] === 'session_meta') return true
  if (record['type'] === 'event_msg')
    return type === 'task_complete' || type === 'turn_aborted' || type === 'task_started'
  const isOutput =
    record['type'] === 'response_item' && type === 'custom_tool_call_output' && payload?.['call_id'] === id
  return isOutput && !isStillRunning(payload?.['output'])
}

/** Whether the turn in which a conversation was compacted was about nothing else. */
function afterOf(following: Iterable<Json>): After {
  let seen = 0
  for (const next of following) {
    const type = asObject(next['payload'])?.['type']
    if (type === 'task_complete' || type === 'turn_complete') return 'end'
    if (next['type'] === 'response_item' && !/compaction/.test(String(type))) return 'more'
    if (type === 'task_started' || type === 'turn_aborted' || ++seen === COMPACTION_AHEAD) return 'more'
  }
  return 'unknown'
}

function isStillRunning(output: unknown): boolean {
  const text = Array.isArray(output) ? asObject(output[0])?.['text'] : output
  return typeof text === 'string' && text.startsWith('Script running with cell ID')
}

function isPrompt(record: Json): boolean {
  const item = record['type'] === 'response_item' ? asObject(record['payload']) : null
  return item?.['type'] === 'message' && item['role'] === 'user'
}

function namedPrompt(record: Json): string | null {
  const event = record['type'] === 'event_msg' ? asObject(record['payload']) : null
  if (event?.['type'] === 'user_message') return asString(event['message']) ?? ''
  const item = event?.['type'] === 'item_completed' ? asObject(event['item']) : null
  return item?.['type'] === 'UserMessage' ? wordsOf(item).plain : null
}

function isContext(record: Json): boolean {
  return record['type'] === 'turn_context' || record['type'] === 'world_state'
}
