import { asArray, asObject, asString, asText, isObject, parseObjects, type Json } from '../kit/json.ts'
import { mapLetter, mapMessage, mapReasoning } from './messages.ts'
import type { Form } from './mirrors.ts'
import { digest } from './natives.ts'
import { outputOf, type Output } from './outputs.ts'
import { innerCalls } from './program.ts'
import { namedTurn, type Scribe } from './scribe.ts'
import { IGNORED_ITEMS } from './types.ts'

const PROGRAM_TOOL = 'exec'

/** Appends what a response item says: the source of all words, calls and outputs. `name` is what to call one nobody knows. */
export function mapItem(item: Json, scribe: Scribe, name?: string): void {
  const type = asString(item['type']) ?? ''
  switch (type) {
    case 'message':
      return mapMessage(item, scribe)
    case 'agent_message':
      return mapLetter(item, 'item', scribe)
    case 'reasoning':
      return mapReasoning(item, scribe)
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
    case 'image_generation_call':
      return mapCall(item, type, scribe)
    case 'web_search_call':
      return mapWebSearch(item, 'item', scribe)
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return mapOutput(item, outputOf(item['output']), scribe)
    case 'tool_search_output':
      return mapOutput(item, { body: JSON.stringify(item['tools'] ?? []), failed: item['status'] === 'failed' }, scribe)
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return void scribe.note('compaction', 'conversation compacted')
    default:
      if (Object.hasOwn(IGNORED_ITEMS, type)) return
      scribe.problem(name ?? `response_item/${type}`, 'info', `unknown response item ${JSON.stringify(type)}`)
  }
}

interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  readonly turn: string | null
  readonly byEvent?: boolean
  /** Key of the message it stands in, if any. */
  readonly message?: string
}

/** Appends a call and returns its position. It belongs to no message unless it stands inside one. */
export function writeCall({ id, tool, input, turn, byEvent = false, message }: Call, scribe: Scribe): number {
  const { lane } = scribe
  const within = message === undefined ? {} : { message: lane.message(message) }
  const callIdx = message === undefined ? lane.orphanIndex() : lane.callIndex(message)
  const what = `c:${id === '' ? digest(`${tool} ${JSON.stringify(input)}`) : id}`
  const call = id === '' ? {} : { call: id }
  const pos = scribe.event({
    kind: 'tool_call',
    role: 'assistant',
    tool,
    input,
    ...call,
    ...within,
    callIdx,
    what,
    turn,
  })
  scribe.calls.add(id, { pos, tool, byEvent, failed: false })
  return pos
}

function mapCall(item: Json, type: string, scribe: Scribe): void {
  const id = asText(item['call_id']) ?? asText(item['id']) ?? ''
  if (scribe.calls.get(id)?.byEvent) return
  const turn = namedTurn(item)
  const { tool, input } = callOf(item, type)
  const program = type === 'custom_tool_call' && tool === PROGRAM_TOOL ? asText(item['input']) : null
  const inner = program === null ? [] : innerCalls(program)
  if (inner.length === 0) return void writeCall({ id, tool, input, turn }, scribe)
  const whole = inner.every((call) => call.whole)
  for (const [index, call] of inner.entries()) {
    const kept = index === 0 && !whole ? { ...call.input, program } : call.input
    writeCall({ id: index === 0 ? id : `${id}#${index + 1}`, tool: call.tool, input: kept, turn }, scribe)
  }
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

/** Arguments as an object; a text that is none stands under `input`. */
export function argumentsOf(value: unknown, isJson: boolean): unknown {
  if (isObject(value)) return value
  if (isJson && typeof value === 'string') {
    const parsed = value.trimStart().startsWith('{') ? parseObjects(value) : null
    if (parsed?.length === 1) return parsed[0]
    if (value.trim() === '') return {}
  }
  return value === undefined || value === null ? {} : { input: value }
}

/** A search that the service made. It has no output; the page it led to is in what follows. */
export function mapWebSearch(item: Json, form: Form, scribe: Scribe): void {
  const action = asObject(item['action'])
  const query = asText(item['query'])
  const input = action ?? (query === null ? {} : { type: 'search', query })
  const asked = action === null ? [query] : [action['query'], action['url'], action['pattern'], action['queries']]
  const what = `w:${digest(JSON.stringify(asked))}`
  if (!scribe.mirrors.isNews(form, what, '')) return
  const id = asText(item['call_id']) ?? asText(item['id'])
  const call = id === null ? {} : { call: id }
  const callIdx = scribe.lane.orphanIndex()
  const tool = 'web_search'
  scribe.event({ kind: 'tool_call', role: 'assistant', tool, input, ...call, callIdx, what, turn: namedTurn(item) })
}

/** Appends what a call gave back; its parent is the call. */
export function mapOutput(item: Json, output: Output, scribe: Scribe): void {
  const id = asText(item['call_id']) ?? ''
  const known = scribe.calls.get(id)
  if (known?.byEvent) return
  writeOutput({ id, output, turn: namedTurn(item) }, scribe)
}

interface Answer {
  readonly id: string
  readonly output: Output
  readonly turn: string | null
}

export function writeOutput({ id, output, turn }: Answer, scribe: Scribe): void {
  const known = scribe.calls.get(id)
  const failed = output.failed || known?.failed === true
  scribe.event({
    kind: failed ? 'error' : 'tool_result',
    role: 'tool',
    body: output.body,
    what: `o:${id === '' ? digest(output.body) : id}`,
    turn,
    ...(id === '' ? {} : { call: id }),
    ...(known === null ? {} : { parent: known.pos, tool: known.tool }),
  })
}

/** The calls inside a message of the oldest kind. */
export function mapToolUse(part: Json, message: string, scribe: Scribe): void {
  const input = argumentsOf(part['input'] ?? part['parameters'] ?? part['arguments'], true)
  const id = asText(part['id']) ?? asText(part['call_id']) ?? ''
  writeCall({ id, tool: asText(part['name']) ?? 'unknown', input, turn: null, message }, scribe)
}

/** The outputs inside such a message. */
export function mapToolResults(payload: Json, scribe: Scribe): void {
  for (const value of asArray(payload['content'])) {
    const part = asObject(value)
    if (part?.['type'] !== 'tool_result') continue
    const output = outputOf(part['content'] ?? part['output'])
    const failed = output.failed || part['is_error'] === true
    const id = asText(part['tool_use_id']) ?? asText(part['call_id']) ?? ''
    writeOutput({ id, output: { ...output, failed }, turn: null }, scribe)
  }
}
