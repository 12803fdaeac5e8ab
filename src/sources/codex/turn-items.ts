import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { mapCommand, mapEnded, mcpOutput } from './events.ts'
import { wordsOf } from './human.ts'
import { argumentsOf, mapWebSearch } from './items.ts'
import { mapAnswer, mapPromptEvent, mapThoughts } from './messages.ts'
import type { Scribe } from './scribe.ts'
import { IGNORED_TURN_ITEMS } from './types.ts'

/** The item of `item_completed`, in which later versions repeat what they used to say in events of many types. */
export function mapTurnItem(item: Json, turn: string | null, scribe: Scribe): void {
  const type = asString(item['type']) ?? ''
  const id = asText(item['id']) ?? ''
  switch (type) {
    case 'UserMessage':
      return mapPromptEvent(wordsOf(item).plain, 'turnItem', scribe, turn)
    case 'AgentMessage':
      return mapAnswer(wordsOf(item).whole, 'turnItem', scribe, turn)
    case 'Plan':
      return mapAnswer(asString(item['text']) ?? '', 'turnItem', scribe, turn)
    case 'Reasoning': {
      const sections = [...asArray(item['summary_text']), ...asArray(item['raw_content'])]
      return mapThoughts(
        sections.map((text) => asString(text) ?? ''),
        'turnItem',
        scribe,
        turn,
      )
    }
    case 'CommandExecution':
      if (item['source'] !== 'user_shell') mapCommand(id, { ...item, turn_id: turn }, scribe)
      return
    case 'McpToolCall': {
      const tool = `mcp__${asText(item['server']) ?? ''}__${asText(item['tool']) ?? ''}`
      const error = asText(asObject(item['error'])?.['message'])
      const output = error === null ? mcpOutput(item['result']) : { body: error, failed: true }
      const input = argumentsOf(item['arguments'], true)
      return mapEnded({ id, tool, input, output }, { turn_id: turn }, scribe)
    }
    case 'WebSearch':
      return mapWebSearch(item, 'turnItem', scribe)
    case 'ContextCompaction':
      return void scribe.note('compaction', 'conversation compacted')
    case 'EnteredReviewMode':
      return void scribe.note('review', 'entered review mode')
    case 'ExitedReviewMode':
      return void scribe.note('reviewed', 'exited review mode')
    default:
      if (Object.hasOwn(IGNORED_TURN_ITEMS, type)) return
      scribe.problem(`item_completed/${type}`, 'info', `unknown completed item ${JSON.stringify(type)}`)
  }
}
