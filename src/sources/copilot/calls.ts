import type { DeniedBy, Marks } from '../../model/marks.ts'
import { asObject, asText, type Json } from '../kit/json.ts'
import { remember, type Decision, type ItemWriter } from './item-writer.ts'
import { inputOf, toolName } from './messages.ts'

/** What older versions put behind the output of a command, where others have a field. */
const EXIT = /\n?<(?:shellId|command|exited)[^<>\n]{0,80} (?:completed|exited) with exit code (-?\d+)>\s*$/

/** A call that an answer asked for begins; one that none did is told here: a command of the person's own. */
export function mapCallStart(writer: ItemWriter): void {
  const { data, lane } = writer
  const id = asText(data['toolCallId'])
  if (id !== null && lane.calledAt(id) !== undefined) return
  const tool = toolName(data, 'toolName')
  if (id !== null) lane.opened(id, tool)
  const call = id === null ? {} : { call: id }
  const input = inputOf(data['arguments'])
  writer.event({ kind: 'tool_call', role: 'assistant', tool, input, ...call, callIdx: lane.orphanIndex() })
}

export function mapQuestion(writer: ItemWriter): void {
  const { data } = writer
  const request = asObject(data['permissionRequest'])
  const call = asText(request?.['toolCallId']) ?? asText(data['toolCallId'])
  const id = asText(data['requestId'])
  if (id !== null && call !== null) remember(writer.questions, id, { call, at: writer.at })
}

const REFUSALS: readonly (readonly [RegExp, DeniedBy])[] = [
  [/hook/, 'hook'],
  [/interactively|^reject/, 'person'],
  [/./, 'rule'],
]

/** What became of a question. Who answered it is told by newer versions; before, only a person did. */
export function mapPermission(writer: ItemWriter): void {
  const { data } = writer
  const question = writer.questions.get(asText(data['requestId']) ?? '')
  const call = asText(data['toolCallId']) ?? question?.call
  const result = asObject(data['result'])
  const kind = asText(result?.['kind']) ?? ''
  if (call === undefined || kind === '' || kind === 'no-result') return
  writer.questions.delete(asText(data['requestId']) ?? '')
  const source = asText(data['decisionSource'])
  const byPerson =
    source === null ? !/could-not-request|by-rules|by-hook|policy|hook/.test(kind) : source === 'human_response'
  const words = asText(result?.['feedback'])
  const said = words === null ? {} : { words }
  const decision: Decision = {
    ...outcomeOf(kind, byPerson),
    ...(byPerson ? waited(question?.at, writer.at) : {}),
    ...said,
  }
  remember(writer.decisions, call, decision)
}

function outcomeOf(kind: string, byPerson: boolean): Decision {
  const asked = byPerson ? { asked: true as const } : {}
  if (kind.startsWith('approve')) return byPerson ? { ...asked, approved: true } : {}
  const by = REFUSALS.find(([words]) => words.test(kind))?.[1] ?? 'rule'
  return { ...asked, denied: by === 'hook' ? by : byPerson ? 'person' : 'rule' }
}

function waited(from: number | null | undefined, to: number | null): { waitedMs?: number } {
  return typeof from === 'number' && to !== null && to >= from ? { waitedMs: to - from } : {}
}

/** What a call gave back. */
export function mapResult(writer: ItemWriter): void {
  const { data, lane } = writer
  const call = asText(data['toolCallId'])
  const calledAt = call === null ? undefined : lane.calledAt(call)
  const tool = (call === null ? undefined : lane.answered(call)) ?? asText(data['toolName']) ?? undefined
  const decision = call === null ? undefined : writer.decisions.get(call)
  const ending = endingOf(data, decision)
  const thread = call === null ? undefined : writer.started.get(call)
  const pos = writer.event({
    kind: ending.failed ? 'error' : 'tool_result',
    role: 'tool',
    body: ending.body,
    ...(tool === undefined ? {} : { tool }),
    ...(call === null ? {} : { call }),
    ...(calledAt === undefined ? {} : { parent: calledAt }),
    ...(thread === undefined ? {} : { thread }),
    marks: ending.marks,
  })
  if (call !== null) writer.decisions.delete(call)
  if (decision?.words !== undefined) writeWords(decision, calledAt ?? pos, writer)
}

/** A person's words with a no or a yes. */
function writeWords({ words = '', denied }: Decision, parent: number, writer: ItemWriter): void {
  const marks: Marks = denied === undefined ? { onApproval: true } : { onDenial: true }
  const message = writer.lane.newMessage()
  writer.event({ kind: 'user_msg', role: 'user', text: words, human: true, message, marks, parent })
}

interface Ending {
  readonly body: string
  readonly failed: boolean
  readonly marks: Marks
}

/** A command that exits with 1 is a success to the client; what was not let happen is no failure. */
function endingOf(data: Json, decision: Decision | undefined): Ending {
  const { words: _, ...decided } = decision ?? {}
  const error = asObject(data['error'])
  const code = asText(error?.['code'])
  if (data['success'] === false) {
    const body = asText(error?.['message']) ?? textOf(data['result'])
    const denied = decided.denied ?? (code === 'denied' ? 'rule' : code === 'rejected' ? 'person' : undefined)
    if (denied !== undefined) return { body, failed: false, marks: { ...decided, denied } }
    return { body, failed: true, marks: decided }
  }
  const text = textOf(data['result'])
  const exit = EXIT.exec(text)
  const own = asObject(data['shellExecution'])?.['exitCode']
  const exitCode = typeof own === 'number' ? own : exit === null ? undefined : Number(exit[1])
  const body = exit === null ? text : text.slice(0, exit.index)
  if (exitCode === undefined || !Number.isSafeInteger(exitCode)) return { body, failed: false, marks: decided }
  return { body, failed: exitCode !== 0, marks: { ...decided, exitCode } }
}

function textOf(result: unknown): string {
  const object = asObject(result)
  if (object === null) return typeof result === 'string' ? result : ''
  return asText(object['content']) ?? asText(object['detailedContent']) ?? ''
}
