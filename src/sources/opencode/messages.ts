import { titleText } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { oneLine } from '../../model/text.ts'
import { isBareCommand } from '../kit/typed.ts'
import { asObject, asText, type Json } from '../kit/json.ts'
import { mapCall } from './calls.ts'
import type { ItemWriter } from './item-writer.ts'
import type { Message } from './rows.ts'
import { timeOf } from './database-session.ts'
import { tellUsage } from './usage.ts'

const MAX_NOTE = 2000

export function mapMessage(message: Message, writer: ItemWriter): void {
  const { data, at } = message
  writer.at = at > 0 ? at : null
  if (data === null) return writer.problem('broken message', 'warn', 'not a JSON object, or over 64 MiB')
  for (const part of message.parts)
    if (part === null) writer.problem('broken part', 'warn', 'not a JSON object, or over 64 MiB')
  const parts = message.parts.filter((part) => part !== null)
  const role = asText(data['role'])
  if (role === 'user') mapUser(message, parts, writer)
  else if (role === 'assistant') mapAnswer(message, parts, writer)
  else writer.problem(`message of ${role ?? 'nobody'}`, 'info', 'a role not known')
}

/** Words of a person, and what the client puts beside them. */
function mapUser(message: Message, parts: readonly Json[], writer: ItemWriter): void {
  const key = writer.keyOf(message)
  const own = parts.filter((part) => part['type'] === 'text' && part['synthetic'] !== true && part['ignored'] !== true)
  const text = own.map((part) => asText(part['text']) ?? '').join('\n') || fileNames(parts)
  const isFirst = !writer.told.has('prompt')
  if (writer.isOrdered && isFirst)
    writer.note(`${key}:started`, `subagent of opencode:${writer.session.parent} started`, { subagent: 'started' })
  if (text.trim() !== '') writePrompt(unquoted(text.trim()), key, writer)
  for (const [n, part] of parts.entries()) mapUserPart(part, `${key}:${n}`, writer)
}

function writePrompt(text: string, key: string, writer: ItemWriter): void {
  const human = !writer.isOrdered
  if (human && !writer.told.has('prompt')) writer.facts({ firstPrompt: titleText(text) })
  writer.told.add('prompt')
  const midTurn = human && writer.busyUntil !== null && writer.at !== null && writer.busyUntil > writer.at
  const command = human && isBareCommand(text) ? { command: text.trim() } : {}
  const marks: Marks = { ...(midTurn ? { midTurn: true } : {}), ...command }
  const message = writer.lane.message(key)
  writer.event({ kind: 'user_msg', role: 'user', native: key, text, human, message, marks })
}

function mapUserPart(part: Json, native: string, writer: ItemWriter): void {
  const text = asText(part['text'])
  switch (part['type']) {
    case 'text':
      if (text === null) return
      if (part['synthetic'] === true) writeInjected(text, native, writer)
      else if (part['ignored'] === true) writer.note(native, oneLine(text, MAX_NOTE))
      return
    case 'subtask':
      return writeSubtask(part, native, writer)
    case 'compaction':
      writer.compaction = part['auto'] === true ? 'auto' : part['auto'] === false ? 'manual' : 'unknown'
      return
    case 'file':
    case 'agent':
    case 'snapshot':
    case 'patch':
      return
    default:
      writer.problem(`part ${asText(part['type']) ?? 'without type'}`, 'info', 'a type of part not known')
  }
}

function writeInjected(text: string, native: string, writer: ItemWriter): void {
  const message = writer.lane.message(native)
  writer.event({ kind: 'user_msg', role: 'user', native, text, human: false, message, marks: { injected: true } })
}

/** A command of the person's own that a subagent carries out. */
function writeSubtask(part: Json, native: string, writer: ItemWriter): void {
  const command = asText(part['command'])
  const text = asText(part['prompt']) ?? asText(part['description']) ?? ''
  const message = writer.lane.message(native)
  const human = !writer.isOrdered
  const marks: Marks = command === null ? {} : { command: `/${command}` }
  writer.event({ kind: 'user_msg', role: 'user', native, text, human, message, marks })
}

function fileNames(parts: readonly Json[]): string {
  const names = parts
    .filter((part) => part['type'] === 'file')
    .map((part) => asText(part['filename']) ?? asText(part['mime']))
  return names.map((name) => `[${name ?? 'file'}]`).join(' ')
}

/** A prompt that is an argument of `opencode run` is logged as a shell would have it. */
function unquoted(text: string): string {
  const quoted = /^"((?:[^"\\]|\\[\s\S])*)"$/.exec(text)?.[1]
  return quoted === undefined || !/\s/.test(quoted) ? text : quoted.replaceAll('\\"', '"')
}

/** An answer: thoughts, words, calls, and how it ended. */
function mapAnswer(message: Message, parts: readonly Json[], writer: ItemWriter): void {
  const data = message.data ?? {}
  const key = writer.keyOf(message)
  const model = asText(data['modelID'])
  if (model !== null && model !== writer.model) writer.facts({ model: (writer.model = model) })
  const cwd = asText(asObject(data['path'])?.['cwd'])
  if (writer.session.directory === null && cwd !== null) writer.facts({ cwd })
  const before = writer.lane.pos
  const isSummary = data['summary'] === true
  const index = isSummary ? null : writer.lane.message(key)
  if (isSummary) writeSummary(parts, key, writer)
  else
    for (const [n, part] of parts.entries()) mapPart(part, { key, native: `${key}:${n}`, message: index ?? 0 }, writer)
  const isEmpty = writer.lane.pos === before
  tellUsage(message, parts, { key, index: isEmpty ? null : index, pos: Math.max(0, writer.lane.pos - 1) }, writer)
  const completed = timeOf(asObject(data['time'])?.['completed'])
  writer.busyUntil = completed
  mapEnding(data, parts, { key, completed, isSummary }, writer)
}

/** The conversation as a summary, which takes its place. */
function writeSummary(parts: readonly Json[], key: string, writer: ItemWriter): void {
  const words = parts
    .map((part) => (part['type'] === 'text' ? asText(part['text']) : null))
    .filter((text) => text !== null)
  const text = words.length === 0 ? 'conversation compacted' : `conversation compacted\n\n${words.join('\n')}`
  writer.note(`${key}:compacted`, text, { compacted: writer.compaction ?? 'unknown' })
  writer.compaction = null
}

interface Place {
  readonly key: string
  readonly native: string
  readonly message: number
}

function mapPart(part: Json, place: Place, writer: ItemWriter): void {
  const { native, message } = place
  const text = asText(part['text'])
  const at = timeOf(asObject(part['time'])?.['start'])
  switch (part['type']) {
    case 'text':
      if (text !== null) writer.event({ kind: 'assistant_msg', role: 'assistant', native, text, message, at })
      return
    case 'reasoning':
      if (text !== null) writer.event({ kind: 'thinking', role: 'assistant', native, text, message, at })
      return
    case 'tool':
      return mapCall(part, place, writer)
    case 'retry':
      writer.note(native, oneLine(`tried again: ${errorText(part['error'])}`, MAX_NOTE))
      return
    case 'step-start':
    case 'step-finish':
    case 'snapshot':
    case 'patch':
    case 'file':
    case 'agent':
    case 'compaction':
      return
    default:
      writer.problem(`part ${asText(part['type']) ?? 'without type'}`, 'info', 'a type of part not known')
  }
}

const GOES_ON: ReadonlySet<string> = new Set(['tool-calls', 'unknown'])

function mapEnding(
  data: Json,
  parts: readonly Json[],
  {
    key,
    completed,
    isSummary,
  }: { readonly key: string; readonly completed: number | null; readonly isSummary: boolean },
  writer: ItemWriter,
): void {
  const native = `${key}:end`
  const error = asObject(data['error'])
  const subagent = (end: NonNullable<Marks['subagent']>): Marks => (writer.isOrdered ? { subagent: end } : {})
  if (error?.['name'] === 'MessageAbortedError') {
    if (writer.isOrdered)
      return void writer.note(native, 'aborted', { turn: 'aborted', ...subagent('cancelled') }, completed)
    const marks: Marks = { interrupted: true, turn: 'interrupted' }
    writer.event({ kind: 'human_intervention', role: 'user', native, text: 'aborted', at: completed, marks })
    return
  }
  if (error !== null) {
    const marks: Marks = { turn: 'failed', ...subagent('failed') }
    writer.event({
      kind: 'error',
      role: 'system',
      native,
      text: oneLine(errorText(error), MAX_NOTE),
      at: completed,
      marks,
    })
    return
  }
  const step = parts.findLast((part) => part['type'] === 'step-finish')
  const finish = asText(data['finish']) ?? asText(step?.['reason'])
  if (isSummary || completed === null || finish === null || GOES_ON.has(finish)) return
  writer.note(native, 'turn completed', { turn: 'completed', ...subagent('completed') }, completed)
}

function errorText(error: unknown): string {
  const object = asObject(error)
  return (
    asText(asObject(object?.['data'])?.['message']) ??
    asText(object?.['message']) ??
    asText(object?.['name']) ??
    'error'
  )
}
