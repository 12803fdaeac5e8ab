import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { mapCommandEnd, mapOtherEnd, mapPatchEnd, mapServerEnd, serverOutput } from './call-ends.ts'
import { wordsOf } from './human.ts'
import { mapWebSearch } from './items.ts'
import { mapAnswer, mapPromptEvent, mapThoughts } from './messages.ts'
import type { ItemWriter } from './item-writer.ts'
import { noteCompaction } from './turn-events.ts'
import { IGNORED_TURN_ITEMS } from './types.ts'

/** The item of `item_completed`, in which later versions say what they used to say in events of many types. */
export function mapTurnItem(event: Json, turn: string | null, writer: ItemWriter): void {
  const item = asObject(event['item']) ?? {}
  const type = asString(item['type']) ?? ''
  const { started_at_ms, completed_at_ms } = event
  if (mapWords(type, item, turn, writer)) return
  if (mapCallEnd(type, { ...item, started_at_ms, completed_at_ms }, turn, writer)) return
  switch (type) {
    case 'ContextCompaction':
      return noteCompaction('turnItem', null, writer)
    case 'EnteredReviewMode':
      return void writer.note('review', 'entered review mode')
    case 'ExitedReviewMode':
      return void writer.note('reviewed', 'exited review mode')
    default:
      if (Object.hasOwn(IGNORED_TURN_ITEMS, type)) return
      writer.problem(`item_completed/${type}`, 'info', `unknown completed item ${JSON.stringify(type)}`)
  }
}

function mapWords(type: string, item: Json, turn: string | null, writer: ItemWriter): boolean {
  switch (type) {
    case 'UserMessage':
      mapPromptEvent(wordsOf(item).plain, 'turnItem', writer, turn)
      return true
    case 'AgentMessage':
      mapAnswer(wordsOf(item).whole, 'turnItem', writer, turn)
      return true
    case 'Plan':
      mapAnswer(asString(item['text']) ?? '', 'turnItem', writer, turn)
      return true
    case 'Reasoning': {
      const sections = [...asArray(item['summary_text']), ...asArray(item['raw_content'])]
      const texts = sections.map((text) => asString(text) ?? '')
      mapThoughts(texts, 'turnItem', writer, turn)
      return true
    }
    default:
      return false
  }
}

function mapCallEnd(type: string, item: Json, turn: string | null, writer: ItemWriter): boolean {
  const id = asText(item['id']) ?? ''
  switch (type) {
    case 'CommandExecution':
      if (item['source'] !== 'user_shell' && item['source'] !== 'userShell') mapCommandEnd(id, item, turn, writer)
      return true
    case 'FileChange':
      mapPatchEnd(id, item, turn, writer)
      return true
    case 'McpToolCall': {
      const error = asText(asObject(item['error'])?.['message'])
      const output = error === null ? serverOutput(item['result']) : { body: error, failed: true }
      mapServerEnd(id, item, output, turn, writer)
      return true
    }
    case 'CollabAgentToolCall':
      mapOtherEnd(id, agentTool(asText(item['tool']) ?? ''), item, turn, writer)
      return true
    case 'DynamicToolCall':
      mapOtherEnd(id, asText(item['tool']) ?? 'unknown', item, turn, writer)
      return true
    case 'WebSearch':
      mapWebSearch(item, 'turnItem', writer)
      return true
    default:
      return false
  }
}

/** The name by which agents call the tool: `spawnAgent` is `spawn_agent`. */
function agentTool(name: string): string {
  return name === 'wait' ? 'wait_agent' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
