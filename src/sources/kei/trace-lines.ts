import { asArray, asObject, asText, type Json } from '../kit/json.ts'
import type { Item } from '../source.ts'
import type { FlatLane } from './flat-lane.ts'

/** A line of a copied transcript that only a trace has: a `result`, or a `system` line without a subtype. */
export function isRemark(record: Json): boolean {
  return record['type'] === 'result' || (record['type'] === 'system' && asText(record['subtype']) === null)
}

/** Words in the `content` of a system line are told by the agent's reader; what is left is told here. */
export function mapRemark(record: Json, lane: FlatLane, line: number): Item[] {
  const type = asText(record['type']) ?? ''
  const text = asText(record['result']) ?? messageText(record) ?? asText(record['subtype'])
  if (text === null || asText(record['content']) !== null) return []
  const kind = record['is_error'] === true ? 'error' : 'lifecycle'
  return [lane.event(record, line, { kind, role: 'system', text, type })]
}

function messageText(record: Json): string | null {
  const content = asObject(record['message'])?.['content'] ?? record['message']
  const parts = asArray(content).map((part) => asText(asObject(part)?.['text']) ?? '')
  return asText(content) ?? asText(parts.filter((part) => part !== '').join('\n'))
}
