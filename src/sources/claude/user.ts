import { titleText } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { isSystemError, readRegular } from '../../model/regular-file.ts'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { answerOf, exitCodeOf, refusalOf } from './denials.ts'
import { wordsAnswered } from './answers.ts'
import { isHuman, isInterrupt, isSent, ownCommand, slashCommand, withoutContext } from './human.ts'
import { event, type ItemWriter } from './item-writer.ts'

const MAX_SPILL_BYTES = 16 * 1024 * 1024
const SPILL = '<persisted-output>'
const SPILLED = /<persisted-output>[\s\S]{0,400}?saved to:\s*([^\n<]+)/
const SPAWNING_TOOLS: ReadonlySet<string | undefined> = new Set(['Task', 'Agent', undefined])
/** Blocks of what a person said instead of letting a call happen: beyond any number that a record's own blocks take. */
const COMMENTS = 1 << 20

/** A user record: results of tools, words of a person, or words that the client put in a person's mouth. */
export function mapUser(record: Json, writer: ItemWriter): void {
  const message = asObject(record['message'])
  const content = message?.['content']
  if (message === null || (typeof content !== 'string' && !Array.isArray(content))) {
    return writer.problem('user without content', 'warn', 'a user record has no readable content')
  }
  if (typeof content === 'string') return mapWords(record, writer, content, 0)
  const texts: string[] = []
  let block = 0
  let calledAt: number | undefined
  for (const value of content) {
    const part = asObject(value)
    if (part?.['type'] === 'tool_result') calledAt = mapResult(record, writer, part, block++)
    else texts.push(wordsOf(part))
  }
  const words = texts.filter((text) => text !== '').join('\n')
  if (words === '') return
  if (block > 0 && isComment(record, writer, words)) {
    mapComment(record, writer, words, { block, calledAt, marks: { onApproval: true } })
  } else mapWords(record, writer, words, block)
}

/** Behind the result of a call stands what a person said when they let it happen, or what the client adds. */
function isComment(record: Json, writer: ItemWriter, words: string): boolean {
  return writer.agent === null && !isInterrupt(words) && isHuman(record, withoutContext(words))
}

function wordsOf(part: Json | null): string {
  switch (part?.['type']) {
    case 'text':
      return asString(part['text']) ?? ''
    case 'image':
      return '[image]'
    case 'document':
      return '[document]'
    default:
      return ''
  }
}

/** The results in a record that may hold nothing else worth keeping. */
export function mapResults(record: Json, writer: ItemWriter, content: unknown): void {
  let block = 0
  for (const value of asArray(content)) {
    const part = asObject(value)
    if (part?.['type'] === 'tool_result') mapResult(record, writer, part, block++)
  }
}

function mapWords(record: Json, writer: ItemWriter, raw: string, block: number): void {
  const message = writer.lane.newMessage()
  noteQuestions(record, writer)
  if (isInterrupt(raw)) return mapInterrupt(record, writer, { text: raw.trim(), message }, block)
  const own = block === 0 && writer.agent === null && !isSent(record) ? ownCommand(raw) : null
  if (own !== null) return mapOwnCommand(record, writer, own, message)
  const command = slashCommand(raw)
  const words = command?.text ?? (withoutContext(raw) || (isSent(record) ? raw.trim() : ''))
  const sent = command === null || command.args !== ''
  const human = block === 0 && writer.agent === null && sent && isHuman(record, words)
  if (human && !writer.knows('firstPrompt')) writer.tell('firstPrompt', titleText(words))
  writer.queue.spoken(words)
  if (human) writer.denied = false
  const marks = marksOf(writer, human, command?.name)
  event(
    record,
    writer,
    { kind: 'user_msg', role: 'user', text: human ? words : (command?.text ?? raw), human, message, ...marks },
    block,
  )
}

/** A person's own doing beside the conversation: their turn, but no prompt. */
function mapOwnCommand(
  record: Json,
  writer: ItemWriter,
  own: { name: '!' | '#'; text: string },
  message: number,
): void {
  writer.queue.spoken(own.text)
  const marks = { command: own.name }
  event(record, writer, { kind: 'user_msg', role: 'user', text: own.text, human: true, message, marks })
}

/** What the client put in a person's mouth is no request; what a subagent is told to do is one. */
function marksOf(writer: ItemWriter, human: boolean, command: string | undefined): { marks?: Marks } {
  if (command !== undefined) return { marks: { command } }
  return human || writer.agent !== null ? {} : { marks: { injected: true } }
}

/** A stop. After a no to a call it is what the client makes of that no, in a subagent what came of the stop above it. */
function mapInterrupt(record: Json, writer: ItemWriter, said: { text: string; message: number }, block: number): void {
  const follows = writer.denied || writer.agent !== null
  const kind = follows ? 'lifecycle' : 'human_intervention'
  const marks: Marks = follows ? { turn: 'interrupted' } : { interrupted: true, turn: 'interrupted' }
  event(record, writer, { kind, role: 'user', marks, ...said }, block)
}

const UNASKING: ReadonlySet<unknown> = new Set(['bypassPermissions', 'dontAsk', 'auto'])

/** Whether the transcript tells of every question, or there are none. */
function noteQuestions(record: Json, writer: ItemWriter): void {
  if (writer.knows('questions')) return
  if (UNASKING.has(record['permissionMode'])) writer.tell('questions', 'none')
  else if (asObject(record['permissionDecision']) !== null) writer.tell('questions', 'told')
}

/** Gives back where its call stands. */
function mapResult(record: Json, writer: ItemWriter, part: Json, block: number): number | undefined {
  const call = asText(part['tool_use_id']) ?? ''
  noteQuestions(record, writer)
  const calledAt = writer.lane.calledAt(call)
  const tool = writer.lane.answered(call)
  const output = resultText(part['content'])
  const body = output.includes(SPILL) ? (spilled(output, writer.spillDir) ?? output) : output
  const agentId = asText(asObject(record['toolUseResult'])?.['agentId'])
  const thread = agentId !== null && SPAWNING_TOOLS.has(tool) ? agentId : null
  const exitCode = exitCodeOf(record, output)
  const failed = part['is_error'] === true || failedSilently(record, part, exitCode)
  const refusal = failed ? refusalOf(record, output) : null
  const { comment, ...refused } = refusal ?? {}
  const marks: Marks = { ...(exitCode === undefined ? {} : { exitCode }), ...refused, ...answerOf(record) }
  event(
    record,
    writer,
    {
      kind: failed && refusal === null ? 'error' : 'tool_result',
      role: 'tool',
      call,
      body,
      ...(tool === undefined ? {} : { tool }),
      ...(thread === null ? {} : { thread }),
      ...(Object.keys(marks).length === 0 ? {} : { marks }),
    },
    block,
  )
  if (refusal?.denied === 'person') writer.denied = true
  if (comment !== undefined && writer.agent === null) {
    mapComment(record, writer, comment, { block: COMMENTS + block, calledAt, marks: { onDenial: true } })
  }
  const answered = writer.agent === null ? wordsAnswered(asObject(record['toolUseResult'])) : ''
  if (answered !== '') {
    mapComment(record, writer, answered, { block: COMMENTS + block, calledAt, marks: { onApproval: true } })
  }
  return calledAt
}

/** A result of an older kind that says it failed, but not in its own flag. */
function failedSilently(record: Json, part: Json, exitCode: number | undefined): boolean {
  if (part['is_error'] === false) return false
  return (exitCode !== undefined && exitCode !== 0) || asString(record['toolUseResult'])?.startsWith('Error') === true
}

/** What a person said when asked about a call: their turn, and often the most important words of a session. */
function mapComment(
  record: Json,
  writer: ItemWriter,
  text: string,
  at: { readonly block: number; readonly calledAt: number | undefined; readonly marks: Marks },
): void {
  const message = writer.lane.newMessage()
  const parent = at.calledAt ?? writer.lane.pos - 1
  const { block, marks } = at
  event(record, writer, { kind: 'user_msg', role: 'user', text, human: true, message, marks, parent }, block)
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((value) => {
      const part = asObject(value)
      if (part === null) return ''
      if (part['type'] === 'tool_reference') return `[tool ${asString(part['tool_name']) ?? ''}]`
      return wordsOf(part)
    })
    .filter((text) => text !== '')
    .join('\n')
}

/** The whole output that the transcript only points to. Read from the session's own directory, never from where the text points. */
function spilled(output: string, dir: string): string | null {
  const named = SPILLED.exec(output)?.[1]
  if (!named) return null
  const file = path.join(dir, path.basename(named.trim().replaceAll('\\', '/')))
  return file.endsWith('.txt') && isInPlace(file) ? readRegular(file, MAX_SPILL_BYTES) : null
}

/** Between the directory of a project and an output of one of its sessions there are no links. */
function isInPlace(file: string): boolean {
  const project = path.resolve(file, '../../..')
  try {
    return realpathSync(file) === path.join(realpathSync(project), path.relative(project, file))
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}
