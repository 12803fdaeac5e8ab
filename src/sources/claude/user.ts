import { titleText } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { isSystemError, readRegular } from '../../model/regular-file.ts'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { exitCodeOf, refusalOf } from './denials.ts'
import { isHuman, isInterrupt, isSent, slashCommand, withoutContext } from './human.ts'
import { event, type Scribe } from './records.ts'

const MAX_SPILL_BYTES = 16 * 1024 * 1024
const SPILLED = /<persisted-output>[\s\S]{0,400}?saved to:\s*([^\n<]+)/
const SPAWNING_TOOLS: ReadonlySet<string | undefined> = new Set(['Task', 'Agent', undefined])
/** Blocks of what a person said about a call: beyond any number that a record's own blocks take. */
const COMMENTS = 1 << 20

/** A user record: results of tools, words of a person, or words that the client put in a person's mouth. */
export function mapUser(record: Json, scribe: Scribe): void {
  const message = asObject(record['message'])
  const content = message?.['content']
  if (message === null || (typeof content !== 'string' && !Array.isArray(content))) {
    return scribe.problem('user without content', 'warn', 'a user record has no readable content')
  }
  if (typeof content === 'string') return mapWords(record, scribe, content, 0)
  const texts: string[] = []
  let block = 0
  for (const value of content) {
    const part = asObject(value)
    if (part?.['type'] === 'tool_result') mapResult(record, scribe, part, block++)
    else texts.push(wordsOf(part))
  }
  const words = texts.filter((text) => text !== '').join('\n')
  if (words !== '') mapWords(record, scribe, words, block)
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
export function mapResults(record: Json, scribe: Scribe, content: unknown): void {
  let block = 0
  for (const value of asArray(content)) {
    const part = asObject(value)
    if (part?.['type'] === 'tool_result') mapResult(record, scribe, part, block++)
  }
}

function mapWords(record: Json, scribe: Scribe, raw: string, block: number): void {
  const message = scribe.lane.newMessage()
  if (isInterrupt(raw)) return mapInterrupt(record, scribe, { text: raw.trim(), message }, block)
  const command = slashCommand(raw)
  const words = command?.text ?? (withoutContext(raw) || (isSent(record) ? raw.trim() : ''))
  const sent = command === null || command.args !== ''
  const human = block === 0 && scribe.agent === null && sent && isHuman(record, words)
  if (human && !scribe.knows('firstPrompt')) scribe.tell('firstPrompt', titleText(words))
  scribe.queue.spoken(words)
  if (human) scribe.denied = false
  const marks = marksOf(scribe, human, command?.name)
  event(
    record,
    scribe,
    { kind: 'user_msg', role: 'user', text: human ? words : (command?.text ?? raw), human, message, ...marks },
    block,
  )
}

/** What the client put in a person's mouth is no request; what a subagent is told to do is one. */
function marksOf(scribe: Scribe, human: boolean, command: string | undefined): { marks?: Marks } {
  if (command !== undefined) return { marks: { command } }
  return human || scribe.agent !== null ? {} : { marks: { injected: true } }
}

/** A stop. After a no to a call it is what the client makes of that no, in a subagent what came of the stop above it. */
function mapInterrupt(record: Json, scribe: Scribe, said: { text: string; message: number }, block: number): void {
  const follows = scribe.denied || scribe.agent !== null
  const kind = follows ? 'lifecycle' : 'human_intervention'
  const marks: Marks = follows ? { turn: 'interrupted' } : { interrupted: true, turn: 'interrupted' }
  event(record, scribe, { kind, role: 'user', marks, ...said }, block)
}

function mapResult(record: Json, scribe: Scribe, part: Json, block: number): void {
  const call = asText(part['tool_use_id']) ?? ''
  const calledAt = scribe.lane.calledAt(call)
  const tool = scribe.lane.answered(call)
  const output = resultText(part['content'])
  const body = SPILLED.test(output) ? (spilled(output, scribe.spillDir) ?? output) : output
  const agentId = asText(asObject(record['toolUseResult'])?.['agentId'])
  const thread = agentId !== null && SPAWNING_TOOLS.has(tool) ? agentId : null
  const exitCode = exitCodeOf(record, output)
  const failed = part['is_error'] === true || failedSilently(record, part, exitCode)
  const refusal = failed ? refusalOf(record, output) : null
  const { comment, ...refused } = refusal ?? {}
  const marks: Marks = exitCode === undefined ? refused : { exitCode, ...refused }
  event(
    record,
    scribe,
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
  if (refusal?.denied === 'person') scribe.denied = true
  if (comment !== undefined && scribe.agent === null) mapComment(record, scribe, comment, { block, calledAt })
}

/** A result of an older kind that says it failed, but not in its own flag. */
function failedSilently(record: Json, part: Json, exitCode: number | undefined): boolean {
  if (part['is_error'] === false) return false
  return (exitCode !== undefined && exitCode !== 0) || asString(record['toolUseResult'])?.startsWith('Error') === true
}

/** What a person said instead of letting a call happen: their turn, and often the most important words of a session. */
function mapComment(
  record: Json,
  scribe: Scribe,
  text: string,
  at: { readonly block: number; readonly calledAt: number | undefined },
): void {
  const message = scribe.lane.newMessage()
  const marks: Marks = { onDenial: true }
  const parent = at.calledAt ?? scribe.lane.pos - 1
  event(
    record,
    scribe,
    { kind: 'user_msg', role: 'user', text, human: true, message, marks, parent },
    COMMENTS + at.block,
  )
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
