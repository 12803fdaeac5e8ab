import { asObject, asString, asText, type Json } from '../kit/json.ts'
import { argumentsOf } from './arguments.ts'
import { mapOutput, writeCall } from './call-events.ts'
import { mapLetter } from './agent-messages.ts'
import { mapMessage, mapReasoning } from './messages.ts'
import type { Form } from './duplicate-tellings.ts'
import { digest } from './text-hash.ts'
import { outputOf } from './outputs.ts'
import { mapProgram, mapProgramOutput, programIn } from './programs.ts'
import type { ItemWriter } from './item-writer.ts'
import { namedTurn } from './turns.ts'
import { noteCompaction } from './turn-events.ts'
import { IGNORED_ITEMS } from './types.ts'

/** Appends what a response item says: the source of all words, calls and outputs. `name` is what to call one nobody knows. */
export function mapItem(item: Json, writer: ItemWriter, name?: string): void {
  const type = asString(item['type']) ?? ''
  switch (type) {
    case 'message':
      return mapMessage(item, writer)
    case 'agent_message':
      return mapLetter(item, 'item', writer)
    case 'reasoning':
      return mapReasoning(item, writer)
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
    case 'image_generation_call':
      return mapCall(item, type, writer)
    case 'web_search_call':
      return mapWebSearch(item, 'item', writer)
    case 'custom_tool_call_output':
      if (mapProgramOutput(item, outputOf(item['output']), writer)) return
      return mapOutput(item, outputOf(item['output']), writer)
    case 'function_call_output':
    case 'local_shell_call_output':
      return mapOutput(item, outputOf(item['output']), writer)
    case 'tool_search_output':
      return mapOutput(item, { body: JSON.stringify(item['tools'] ?? []), failed: item['status'] === 'failed' }, writer)
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return noteCompaction('block', null, writer)
    default:
      if (Object.hasOwn(IGNORED_ITEMS, type)) return
      writer.problem(name ?? `response_item/${type}`, 'info', `unknown response item ${JSON.stringify(type)}`)
  }
}

function mapCall(item: Json, type: string, writer: ItemWriter): void {
  const id = asText(item['call_id']) ?? asText(item['id']) ?? ''
  if (writer.calls.get(id)?.byEvent) return
  const turn = namedTurn(item)
  const { tool, input } = callOf(item, type)
  const program = programIn(item)
  if (program === null || !mapProgram({ id, program, turn }, writer)) writeCall({ id, tool, input, turn }, writer)
}

function callOf(item: Json, type: string): { tool: string; input: unknown } {
  switch (type) {
    case 'custom_tool_call':
      return { tool: toolName(item), input: argumentsOf(item['input'], false) }
    case 'local_shell_call':
      return { tool: 'local_shell', input: item['action'] ?? {} }
    case 'tool_search_call':
      return { tool: 'tool_search', input: argumentsOf(item['arguments'], true) }
    case 'image_generation_call':
      return { tool: 'image_generation', input: { prompt: item['revised_prompt'] ?? null } }
    default:
      return { tool: toolName(item), input: argumentsOf(item['arguments'], true) }
  }
}

function toolName(item: Json): string {
  const name = asText(item['name']) ?? 'unknown'
  const space = asText(item['namespace']) ?? ''
  if (!space.startsWith('mcp__') || name.startsWith(space)) return name
  return space.endsWith('__') ? space + name : `${space}__${name}`
}

/** A search that the service made. It has no output; the page it led to is in what follows. */
export function mapWebSearch(item: Json, form: Form, writer: ItemWriter): void {
  const action = asObject(item['action'])
  const query = asText(item['query'])
  const input = action ?? (query === null ? {} : { type: 'search', query })
  const asked = action === null ? [query] : [action['query'], action['url'], action['pattern'], action['queries']]
  const what = `w:${digest(JSON.stringify(asked))}`
  if (!writer.duplicates.isNews(form, what, '')) return
  const id = asText(item['call_id']) ?? asText(item['id'])
  const call = id === null ? {} : { call: id }
  const callIdx = writer.lane.orphanIndex()
  const tool = 'web_search'
  writer.event({ kind: 'tool_call', role: 'assistant', tool, input, ...call, callIdx, what, turn: namedTurn(item) })
}

/** The calls inside a message of the oldest kind. */
export function mapToolUse(part: Json, message: string, writer: ItemWriter): void {
  const input = argumentsOf(part['input'] ?? part['parameters'] ?? part['arguments'], true)
  const id = asText(part['id']) ?? asText(part['call_id']) ?? ''
  writeCall({ id, tool: asText(part['name']) ?? 'unknown', input, turn: null, message }, writer)
}
