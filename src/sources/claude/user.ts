import { titleText } from '../../model/facts.ts'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { isHuman, isInterrupt, slashCommand, withoutContext } from './human.ts'
import { event, type Scribe } from './records.ts'

const MAX_SPILL_BYTES = 16 * 1024 * 1024
const SPILLED = /<persisted-output>[\s\S]{0,400}?saved to:\s*([^\n<]+)/
const SPAWNING_TOOLS: ReadonlySet<string | undefined> = new Set(['Task', 'Agent', undefined])

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

function mapWords(record: Json, scribe: Scribe, raw: string, block: number): void {
  const message = scribe.lane.newMessage()
  if (isInterrupt(raw)) {
    const text = raw.trim()
    return event(record, scribe, { kind: 'human_intervention', role: 'user', text, message }, block)
  }
  const words = withoutContext(raw)
  const human = block === 0 && scribe.agent === null && isHuman(record, words)
  if (human && !scribe.knows('firstPrompt')) scribe.tell('firstPrompt', titleText(words))
  const text = human ? words : (slashCommand(raw) ?? raw)
  event(record, scribe, { kind: 'user_msg', role: 'user', text, human, message }, block)
}

function mapResult(record: Json, scribe: Scribe, part: Json, block: number): void {
  const call = asText(part['tool_use_id']) ?? ''
  const tool = scribe.lane.answered(call)
  const output = resultText(part['content'])
  const body = SPILLED.test(output) ? (spilled(output, scribe.spillDir) ?? output) : output
  const agentId = asText(asObject(record['toolUseResult'])?.['agentId'])
  const thread = agentId !== null && SPAWNING_TOOLS.has(tool) ? agentId : null
  event(
    record,
    scribe,
    {
      kind: part['is_error'] === true ? 'error' : 'tool_result',
      role: 'tool',
      call,
      body,
      ...(tool === undefined ? {} : { tool }),
      ...(thread === null ? {} : { thread }),
    },
    block,
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
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile() || !file.endsWith('.txt') || stat.size > MAX_SPILL_BYTES) return null
  return readFileSync(file, 'utf8')
}
