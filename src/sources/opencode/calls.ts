import type { Marks } from '../../model/marks.ts'
import { asObject, asText, type Json } from '../kit/json.ts'
import { timeOf } from './database-session.ts'
import type { ItemWriter } from './item-writer.ts'
import { isAutomated } from './session-notes.ts'

interface Place {
  readonly key: string
  readonly native: string
  readonly message: number
}

/** A call and, once there is one, its result. */
export function mapCall(part: Json, { key, native, message }: Place, writer: ItemWriter): void {
  const state = asObject(part['state']) ?? {}
  const time = asObject(state['time'])
  const tool = asText(part['tool']) ?? ''
  const id = asText(part['callID'])
  const call = id === null ? {} : { call: id }
  const pos = writer.event({
    kind: 'tool_call',
    role: 'assistant',
    native,
    tool,
    input: asObject(state['input']) ?? {},
    ...call,
    message,
    callIdx: writer.lane.callIndex(key),
    at: timeOf(time?.['start']),
  })
  const status = state['status']
  if (status !== 'completed' && status !== 'error') {
    if (status !== 'pending' && status !== 'running')
      writer.problem(`call ${asText(status) ?? 'without state'}`, 'info', 'a state not known')
    return
  }
  const ending = status === 'completed' ? completed(state) : failed(state, writer)
  const thread =
    asText(asObject(state['metadata'])?.['sessionId']) ?? asText(asObject(state['metadata'])?.['sessionID'])
  const at = timeOf(time?.['end']) ?? timeOf(time?.['start'])
  writer.event({
    kind: ending.isError ? 'error' : 'tool_result',
    role: 'tool',
    native: `${native}:result`,
    tool,
    body: ending.body,
    ...call,
    parent: pos,
    at,
    ...(thread === null ? {} : { thread }),
    marks: ending.marks,
  })
  if (ending.words !== undefined) writeWords(ending.words, `${native}:words`, { parent: pos, at }, writer)
}

interface Ending {
  readonly body: string
  readonly isError: boolean
  readonly marks: Marks
  /** What a person said with their no. */
  readonly words?: string
}

/** A command that exits with 1 is complete for the client. */
function completed(state: Json): Ending {
  const exit = asObject(state['metadata'])?.['exit']
  const body = asText(state['output']) ?? ''
  const exitCode = typeof exit === 'number' && Number.isSafeInteger(exit) ? exit : null
  return exitCode === null
    ? { body, isError: false, marks: {} }
    : { body, isError: exitCode !== 0, marks: { exitCode } }
}

const REJECTED = /^The user (?:rejected permission to use this specific tool call|dismissed this question)/
const FEEDBACK = /^The user rejected permission to use this specific tool call with the following feedback: ([\s\S]+)$/
const BY_RULE = /^The user has specified a rule which prevents you from using this specific tool call/
const STOPPED = /^(?:Tool execution aborted|Aborted$)/

/** The client has no field for why a call failed: these are its own words. In a script nobody is asked. */
function failed(state: Json, writer: ItemWriter): Ending {
  const body = asText(state['error']) ?? ''
  if (BY_RULE.test(body)) return { body, isError: false, marks: { denied: 'rule' } }
  if (STOPPED.test(body)) return { body, isError: false, marks: { stopped: true } }
  if (!REJECTED.test(body)) return { body, isError: true, marks: {} }
  if (isAutomated(writer.session)) return { body, isError: false, marks: { denied: 'rule' } }
  const words = FEEDBACK.exec(body)?.[1]?.trim()
  const marks: Marks = { denied: 'person', asked: true }
  return { body, isError: false, marks, ...(words === undefined || words === '' ? {} : { words }) }
}

function writeWords(
  text: string,
  native: string,
  { parent, at }: { readonly parent: number; readonly at: number | null },
  writer: ItemWriter,
): void {
  const human = !writer.isOrdered
  const message = writer.lane.message(native)
  writer.event({ kind: 'user_msg', role: 'user', native, text, human, message, parent, at, marks: { onDenial: true } })
}
