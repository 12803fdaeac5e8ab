import { asObject, asString, asText, type Json } from '../kit/json.ts'
import { mapBlocks } from './assistant.ts'
import type { ItemWriter } from './item-writer.ts'
import { IGNORED_PROGRESS } from './types.ts'
import { usageOf } from './usage.ts'
import { mapResults } from './user.ts'

/** A subagent's turn as the parent saw it pass by: the only copy where the subagent's own file is gone. */
export function mapProgress(record: Json, writer: ItemWriter): void {
  const data = asObject(record['data'])
  const type = asString(data?.['type']) ?? ''
  if (type !== 'agent_progress') {
    if (!IGNORED_PROGRESS.has(type)) writer.problem(`progress/${type}`, 'info', `unknown progress record ${type}`)
    return
  }
  const inner = asObject(data?.['message'])
  const message = asObject(inner?.['message'])
  const agentId = asText(data?.['agentId'])
  if (inner === null || message === null || agentId === null) return
  if (inner['type'] !== 'assistant' && inner['type'] !== 'user') return
  const lane = writer.embedded(agentId)
  const within = { ...writer, lane, agent: agentId }
  if (inner['type'] === 'user') return mapResults(inner, within, message['content'])
  const usage = usageOf(inner, message)
  if (usage !== null) {
    const { session, lane: name } = lane
    writer.items.push({ item: 'usage', session, lane: name, message: null, line: writer.line, ...usage })
  }
  mapBlocks(inner, message, within)
}
