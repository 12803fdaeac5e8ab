import { titleText } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { asFigure, asObject, asText, type Json } from '../kit/json.ts'
import { objects, remember, type ItemWriter } from './item-writer.ts'

/** Words to the agent: a person's, those of the agent that started it, or the client's. */
export function mapPrompt(writer: ItemWriter): void {
  const { data } = writer
  const text = asText(data['content']) ?? attachmentNames(data)
  if (text === '') return
  const source = asText(data['source'])
  const isOrder = source?.startsWith('agent-') === true || !writer.isOwn
  const human = source === null && !isOrder && data['isAutopilotContinuation'] !== true
  if (human && !writer.knows('firstPrompt')) writer.tell('firstPrompt', titleText(text))
  const steers = data['delivery'] === 'steering'
  const marks: Marks = human ? (steers ? { midTurn: true } : {}) : isOrder ? {} : { injected: true }
  const message = writer.lane.newMessage()
  const pos = writer.event({ kind: 'user_msg', role: 'user', text, human, message, marks })
  const id = asText(writer.record['id'])
  if (human && id !== null) remember(writer.prompts, id, pos)
  writer.agent.done = false
}

function attachmentNames(data: Json): string {
  const names = objects(data['attachments']).map(
    (file) => asText(file['displayName']) ?? asText(file['path']) ?? asText(file['title']) ?? '',
  )
  return names
    .filter((name) => name !== '')
    .map((name) => `[${name}]`)
    .join(' ')
}

/** What the client says to the agent in the middle of a session. */
export function mapNotification(writer: ItemWriter): void {
  const text = asText(writer.data['content'])
  if (text === null) return
  const message = writer.lane.newMessage()
  writer.event({ kind: 'user_msg', role: 'system', text, human: false, message, marks: { injected: true } })
}

/** An answer: thoughts, words, and the calls it asks for. A long one stands in several records. */
export function mapAnswer(writer: ItemWriter): void {
  const { data, lane } = writer
  const key = callKey(data) ?? asText(data['messageId'])
  const message = key === null ? lane.newMessage() : lane.message(key)
  const thought = asText(data['reasoningText'])
  const words = asText(data['content'])
  const requests = objects(data['toolRequests'])
  const model = asText(data['model'])
  if (model !== null) writer.tell('model', model)
  if (thought !== null) writer.event({ kind: 'thinking', role: 'assistant', text: thought, message })
  if (words !== null) writer.event({ kind: 'assistant_msg', role: 'assistant', text: words, message })
  for (const request of requests) writeCall(request, { key, message }, writer)
  writer.agent.done = requests.length === 0
  writer.agent.last = words ?? writer.agent.last
  countWords(data, message, writer)
}

/** The answer and what was billed for it name the same response of the service. */
export function callKey(data: Json): string | null {
  const id = asText(data['apiCallId'])
  return id === null ? null : `call:${id}`
}

/** Before usage was recorded apart, an answer told how long it is and nothing else. */
function countWords(data: Json, message: number, writer: ItemWriter): void {
  const id = callKey(data) ?? asText(data['messageId'])
  if (id === null || data['outputTokens'] === undefined) return
  const output = asFigure(data['outputTokens'])
  const none = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0, costUsd: null }
  writer.usage({ key: id, model: asText(data['model']), ...none, output }, message)
}

function writeCall(
  request: Json,
  { key, message }: { readonly key: string | null; readonly message: number },
  writer: ItemWriter,
): void {
  const { lane } = writer
  const id = asText(request['toolCallId'])
  const tool = toolName(request, 'name')
  if (id !== null) lane.opened(id, tool)
  const callIdx = key === null ? 0 : lane.callIndex(key)
  const input = inputOf(request['arguments'])
  const call = id === null ? {} : { call: id }
  writer.event({ kind: 'tool_call', role: 'assistant', tool, input, ...call, message, callIdx })
}

/** A tool of a server is called as everywhere. */
export function toolName(said: Json, field: string): string {
  const [server, tool] = [asText(said['mcpServerName']), asText(said['mcpToolName'])]
  return server !== null && tool !== null ? `mcp__${server}__${tool}` : (asText(said[field]) ?? '')
}

/** A tool with a grammar of its own gets a text. */
export function inputOf(value: unknown): unknown {
  if (asObject(value) !== null) return value
  return value === undefined || value === null ? {} : { input: value }
}
