import { asArray, asCount, asObject, asString, asText, type Json } from '../kit/json.ts'
import { titleText } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { oneLine } from '../../model/text.ts'
import { mapAssistant } from './assistant.ts'
import { mapUser } from './user.ts'
import { isHuman, isTypedPrompt } from './human.ts'
import { billOf } from './cost-state.ts'
import { mapProgress } from './embedded.ts'
import { event, idOf, parentOf, type ItemWriter } from './item-writer.ts'
import type { QueuedPrompt } from './queue.ts'
import { IGNORED_ATTACHMENTS, IGNORED_RECORDS, IGNORED_SYSTEM } from './types.ts'

/** The block of a prompt in a record of the client's. */
const BLOCKED_PROMPT = 1

/** Appends the items of one record. A record that becomes no event stays a link in the chain of parents. */
export function mapRecord(record: Json, writer: ItemWriter): void {
  const before = writer.lane.pos
  const uuid = idOf(record['uuid'], writer)
  noteFacts(record, writer)
  mapByType(record, writer)
  if (uuid === null) return
  if (writer.lane.pos > before) writer.trail.became(uuid, writer.lane.pos - 1)
  else writer.trail.skipped(uuid, parentOf(record, writer))
}

function mapByType(record: Json, writer: ItemWriter): void {
  const type = asString(record['type'])
  switch (type) {
    case 'user':
      return mapUser(record, writer)
    case 'assistant':
      for (const prompt of writer.queue.delivered()) writeQueued(prompt, writer)
      writer.denied = false
      return mapAssistant(record, writer)
    case 'system':
      return mapSystem(record, writer)
    case 'attachment':
      return mapAttachment(record, writer)
    case 'progress':
      return mapProgress(record, writer)
    case 'ai-title':
      return tellText(writer, 'agentTitle', record['aiTitle'])
    case 'custom-title':
      return tellText(writer, 'customTitle', record['customTitle'])
    case 'summary':
      return mapSummary(record, writer)
    case 'pr-link':
      return mapLink(record, writer)
    case 'queue-operation':
      return writer.queue.operation(record)
    case 'cost-state': {
      const billed = billOf(record, writer.line, writer.writtenSince())
      return billed === null ? undefined : writer.facts({ billed })
    }
    case 'derived-from':
      return mapDerived(record, writer)
    default:
      if (type === null) return writer.problem('record without type', 'info', 'a record has no type')
      if (!(type in IGNORED_RECORDS)) writer.problem(type, 'info', `unknown record type ${JSON.stringify(type)}`)
  }
}

function noteFacts(record: Json, writer: ItemWriter): void {
  const cwd = asText(record['cwd'])
  if (cwd !== null && !writer.knows('cwd')) writer.tell('cwd', cwd)
  const branch = asText(record['gitBranch'])
  if (branch !== null && branch !== 'HEAD') writer.branch(branch)
  const version = asText(record['version'])
  if (version !== null) writer.tell('version', version)
  if (asString(record['entrypoint'])?.startsWith('sdk') === true) writer.automated()
}

function wordsOf(prompt: unknown): string {
  const blocks = asArray(prompt).map((value) => {
    const block = asObject(value)
    return block?.['type'] === 'image' ? '[image]' : (asText(block?.['text']) ?? '')
  })
  return asText(prompt) ?? blocks.filter((words) => words !== '').join('\n')
}

/** A pull request that the client itself links to the session. */
function mapLink(record: Json, writer: ItemWriter): void {
  const url = asText(record['prUrl']) ?? ''
  const marks = /^https?:\S+$/.test(url) ? { marks: { made: [{ kind: 'pr', value: url }] } as const } : {}
  event(record, writer, { kind: 'lifecycle', role: 'system', text: `pull request ${url}`, ...marks })
}

/** A branch of another session says whose. */
function mapDerived(record: Json, writer: ItemWriter): void {
  const from = asArray(record['sessions']).map((value) => asObject(value))
  const id = asText(from.findLast((session) => session?.['via'] === 'branch')?.['id'])
  if (id !== null && id !== writer.lane.session) writer.facts({ parent: `claude:${id}` })
}

/** A prompt that was typed while the agent worked and that nothing but the queue tells. */
export function writeQueued({ text, at }: QueuedPrompt, writer: ItemWriter): void {
  if (!isTypedPrompt(text) || writer.agent !== null) return
  const { lane } = writer
  if (!writer.knows('firstPrompt')) writer.tell('firstPrompt', titleText(text))
  const pos = lane.next()
  writer.items.push({
    item: 'event',
    session: lane.session,
    lane: lane.lane,
    pos,
    parent: pos === 0 ? null : pos - 1,
    at,
    native: `${lane.session}:queue:${at ?? ''}:${text.slice(0, 100)}`,
    block: 0,
    line: writer.line,
    kind: 'user_msg',
    role: 'user',
    text,
    human: true,
    message: lane.newMessage(),
    marks: { midTurn: true },
  })
}

function tellText(writer: ItemWriter, name: 'agentTitle' | 'customTitle', value: unknown): void {
  const text = asText(value)
  if (text !== null) writer.tell(name, titleText(text))
}

function mapSummary(record: Json, writer: ItemWriter): void {
  const title = asText(record['summary'])
  const leaf = asText(record['leafUuid'])
  if (title !== null && leaf !== null) writer.items.push({ item: 'title', leaf, title: titleText(title) })
}

function mapSystem(record: Json, writer: ItemWriter): void {
  const subtype = asString(record['subtype']) ?? ''
  if (IGNORED_SYSTEM.has(subtype)) return
  const content = asText(record['content'])
  const lifecycle = (text: string, marks?: Marks) =>
    event(record, writer, { kind: 'lifecycle', role: 'system', text, ...(marks ? { marks } : {}) })
  switch (subtype) {
    case 'compact_boundary': {
      const meta = asObject(record['compactMetadata'])
      const trigger = meta?.['trigger'] === 'manual' ? 'manual' : 'auto'
      return lifecycle(`conversation compacted (${trigger}, ${meta?.['preTokens'] ?? '?'} tokens)`, {
        compacted: trigger,
      })
    }
    case 'microcompact_boundary':
      return lifecycle('old tool results compacted')
    case 'turn_duration':
      return lifecycle(`turn took ${Math.round(asCount(record['durationMs']) / 1000)}s`, { turn: 'completed' })
    case 'api_error':
      return event(record, writer, { kind: 'error', role: 'system', text: `API error: ${describeError(record)}` })
    case 'informational':
      mapBlocked(record, content ?? '', writer)
      return lifecycle(content ?? subtype)
    case 'local_command':
    case 'agents_killed':
    case 'file_attachments_missing':
    case 'late_allow_not_run':
    case 'memory_saved':
    case 'model_consent_fallback':
    case 'model_fallback':
    case 'model_refusal_fallback':
    case 'model_refusal_no_fallback':
    case 'permission_retry':
    case 'scheduled_task_fire':
    case 'session_writes_lost':
      return lifecycle(content ?? subtype)
    default:
      writer.problem(`system/${subtype}`, 'info', `unknown system record ${JSON.stringify(subtype)}`)
      if (content !== null) lifecycle(content)
  }
}

const BLOCKED = /^UserPromptSubmit operation blocked by hook:[\s\S]*?\n\nOriginal prompt: ([\s\S]+)$/

/** A prompt that a hook turned away: nobody else tells it. */
function mapBlocked(record: Json, content: string, writer: ItemWriter): void {
  const text = BLOCKED.exec(content)?.[1]?.trim() ?? ''
  if (text === '' || writer.agent !== null) return
  if (!writer.knows('firstPrompt')) writer.tell('firstPrompt', titleText(text))
  writer.queue.spoken(text)
  const message = writer.lane.newMessage()
  event(record, writer, { kind: 'user_msg', role: 'user', text, human: true, message }, BLOCKED_PROMPT)
}

function describeError(record: Json): string {
  const error = asObject(record['error'])
  const text =
    asText(error?.['message']) ?? asText(error?.['formatted']) ?? JSON.stringify(record['error'] ?? 'unknown')
  return oneLine(text, 500)
}

function mapAttachment(record: Json, writer: ItemWriter): void {
  const attachment = asObject(record['attachment'])
  const type = asString(attachment?.['type']) ?? ''
  if (type === 'max_turns_reached') {
    const text = `stopped at its limit of turns (${asCount(attachment?.['maxTurns'])})`
    return event(record, writer, { kind: 'lifecycle', role: 'system', text, marks: { turn: 'aborted' } })
  }
  if (type !== 'queued_command') {
    if (!IGNORED_ATTACHMENTS.has(type)) writer.problem(`attachment/${type}`, 'info', `unknown attachment ${type}`)
    return
  }
  const text = wordsOf(attachment?.['prompt'])
  writer.queue.attached(text.trim())
  const mode = asText(attachment?.['commandMode']) ?? 'prompt'
  if (mode === 'bash' && writer.agent === null) {
    const marks: Marks = { command: '!' }
    const message = writer.lane.newMessage()
    return event(record, writer, { kind: 'user_msg', role: 'user', text: `!${text}`, human: true, message, marks })
  }
  const human = mode === 'prompt' && writer.agent === null && isHuman({ ...record, ...attachment }, text)
  if (human && !writer.knows('firstPrompt')) writer.tell('firstPrompt', titleText(text))
  const marks: Marks = human ? { midTurn: true } : { injected: true }
  event(record, writer, { kind: 'user_msg', role: 'user', text, human, message: writer.lane.newMessage(), marks })
}
