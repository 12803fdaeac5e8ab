import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { event, type Draft, type ItemWriter } from './item-writer.ts'
import { modelOf, SYNTHETIC_MODEL, usageOf } from './usage.ts'

/** An assistant record: as a rule one content block of a message whose other blocks stand in other records. */
export function mapAssistant(record: Json, writer: ItemWriter): void {
  const message = asObject(record['message'])
  if (message === null) return writer.problem('assistant without message', 'warn', 'an assistant record has no message')
  const key = asText(message['id']) ?? asText(record['uuid']) ?? `line ${writer.line}`
  const idx = writer.lane.message(key)
  const model = modelOf(message)
  if (model !== null && writer.agent === null && record['isSidechain'] !== true) writer.tell('model', model)
  const usage = usageOf(record, message)
  if (usage !== null) {
    const { session, lane } = writer.lane
    writer.items.push({ item: 'usage', session, lane, message: idx, line: writer.line, ...usage })
  }
  mapContent(record, message, writer, key)
}

/** The blocks of a message that was seen in passing. */
export function mapBlocks(record: Json, message: Json, writer: ItemWriter): void {
  mapContent(record, message, writer, asText(message['id']) ?? asText(record['uuid']) ?? `${writer.line}`)
}

function mapContent(record: Json, message: Json, writer: ItemWriter, key: string): void {
  const content = message['content']
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asArray(content)
  const idx = writer.lane.message(key)
  const marks = marksOf(record)
  let block = 0
  for (const value of blocks) {
    const draft = draftOf(asObject(value) ?? {}, record, writer, key)
    if (draft !== null) event(record, writer, { message: idx, ...marks, ...draft }, block++)
  }
}

/** An error of the service ends a turn; other words that no model said are the client's. */
function marksOf(record: Json): Pick<Draft, 'marks'> {
  if (record['isApiErrorMessage'] === true) return { marks: { turn: 'failed' } }
  return isSynthetic(record) ? { marks: { injected: true } } : {}
}

/** True for words that the client put into the model's mouth. */
function isSynthetic(record: Json): boolean {
  return asObject(record['message'])?.['model'] === SYNTHETIC_MODEL
}

function draftOf(part: Json, record: Json, writer: ItemWriter, key: string): Draft | null {
  const type = asString(part['type']) ?? ''
  switch (type) {
    case 'text': {
      const kind = record['isApiErrorMessage'] === true ? 'error' : isSynthetic(record) ? 'lifecycle' : 'assistant_msg'
      return { kind, role: 'assistant', text: asString(part['text']) ?? '' }
    }
    case 'thinking':
    case 'redacted_thinking':
      return { kind: 'thinking', role: 'assistant', text: asString(part['thinking']) ?? '' }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const tool = asText(part['name']) ?? 'unknown'
      const call = asText(part['id']) ?? ''
      writer.lane.opened(call, tool)
      return {
        kind: 'tool_call',
        role: 'assistant',
        tool,
        call,
        input: part['input'],
        callIdx: writer.lane.callIndex(key),
      }
    }
    default:
      if (type.endsWith('_tool_result')) return serverResult(part, writer)
      writer.problem(`assistant/${type}`, 'info', `unknown content block ${JSON.stringify(type)}`)
      return null
  }
}

/** The result of a tool that ran on the provider's side stands in the assistant's own message. */
function serverResult(part: Json, writer: ItemWriter): Draft {
  const call = asText(part['tool_use_id']) ?? ''
  const tool = writer.lane.answered(call)
  return {
    kind: 'tool_result',
    role: 'tool',
    call,
    body: JSON.stringify(part['content'] ?? null),
    ...(tool ? { tool } : {}),
  }
}
