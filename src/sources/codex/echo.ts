import { asObject, asString, type Json } from '../kit/json.ts'
import { wordsOf } from './human.ts'
import { digest } from './natives.ts'
import type { Echo } from './scribe.ts'

const LOOK_AHEAD = 8

/**
 * Whether the event that names a prompt follows the response item which holds it, as it does for what a
 * person typed. `unknown` if `following` ends before that shows; records that say nothing of it give `silent`.
 */
export function echoOf(record: Json, following: Iterable<Json>): Echo {
  const prompt = promptIn(record)
  if (prompt === null) return 'silent'
  let seen = 0
  for (const next of following) {
    const named = namedPrompt(next)
    if (named !== null && digest(named) === prompt) return 'echoed'
    if (named === null && promptIn(next) === null && !isContext(next)) return 'silent'
    if (++seen === LOOK_AHEAD) return 'silent'
  }
  return 'unknown'
}

function promptIn(record: Json): string | null {
  const item = record['type'] === 'response_item' ? asObject(record['payload']) : null
  return item?.['type'] === 'message' && item['role'] === 'user' ? digest(wordsOf(item).plain) : null
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
