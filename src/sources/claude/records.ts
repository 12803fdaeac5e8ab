import { asArray, asCount, asObject, asString, asText, type Json } from '../kit/json.ts'
import type { LaneCounter } from '../kit/lane.ts'
import type { EventItem, Item, Problem } from '../source.ts'
import { titleText, type Facts } from '../../model/facts.ts'
import { recordId } from '../../model/ids.ts'
import type { Marks } from '../../model/marks.ts'
import { parseInstant } from '../../model/time.ts'
import { oneLine } from '../../model/text.ts'
import { mapAssistant } from './assistant.ts'
import { mapUser } from './user.ts'
import { isHuman, isTypedPrompt } from './human.ts'
import { billOf } from './cost-state.ts'
import { mapProgress } from './embedded.ts'
import type { PromptQueue, QueuedPrompt } from './queue.ts'
import type { UuidTrail } from './uuid-trail.ts'
import { IGNORED_ATTACHMENTS, IGNORED_RECORDS, IGNORED_SYSTEM } from './types.ts'

type Told = 'customTitle' | 'agentTitle' | 'firstPrompt' | 'cwd' | 'model' | 'version'

/** What a record is written down with: the lane it belongs to and everywhere its items go. */
export interface Scribe {
  items: Item[]
  line: number
  readonly lane: LaneCounter
  /** Id of the subagent whose file this is. */
  readonly agent: string | null
  readonly trail: UuidTrail
  /** Where the client puts outputs too long for the transcript. */
  readonly spillDir: string
  readonly queue: PromptQueue
  /** A person has just said no to a call, and nothing but the client's words came since. */
  denied: boolean
  problem(type: string, level: Problem['level'], message: string): void
  tell(name: Told & keyof Facts, value: string): void
  knows(name: Told & keyof Facts): boolean
  embedded(agentId: string): LaneCounter
  /** Notes a branch that a record names. */
  branch(name: string): void
  facts(facts: Partial<Facts>): void
  /** Notes that a program runs the session. */
  automated(): void
  /** The first time that the transcript tells. */
  writtenSince(): number | null
}

export type Draft = Pick<EventItem, 'kind' | 'role'> &
  Partial<
    Pick<
      EventItem,
      'tool' | 'text' | 'input' | 'body' | 'human' | 'call' | 'message' | 'callIdx' | 'thread' | 'marks' | 'parent'
    >
  >

/** Appends the items of one record. A record that becomes no event stays a link in the chain of parents. */
export function mapRecord(record: Json, scribe: Scribe): void {
  const before = scribe.lane.pos
  const uuid = idOf(record['uuid'], scribe)
  noteFacts(record, scribe)
  mapByType(record, scribe)
  if (uuid === null) return
  if (scribe.lane.pos > before) scribe.trail.became(uuid, scribe.lane.pos - 1)
  else scribe.trail.skipped(uuid, parentOf(record, scribe))
}

function mapByType(record: Json, scribe: Scribe): void {
  const type = asString(record['type'])
  switch (type) {
    case 'user':
      return mapUser(record, scribe)
    case 'assistant':
      for (const prompt of scribe.queue.delivered()) writeQueued(prompt, scribe)
      scribe.denied = false
      return mapAssistant(record, scribe)
    case 'system':
      return mapSystem(record, scribe)
    case 'attachment':
      return mapAttachment(record, scribe)
    case 'progress':
      return mapProgress(record, scribe)
    case 'ai-title':
      return tellText(scribe, 'agentTitle', record['aiTitle'])
    case 'custom-title':
      return tellText(scribe, 'customTitle', record['customTitle'])
    case 'summary':
      return mapSummary(record, scribe)
    case 'pr-link':
      return mapLink(record, scribe)
    case 'queue-operation':
      return scribe.queue.operation(record)
    case 'cost-state': {
      const billed = billOf(record, scribe.line, scribe.writtenSince())
      return billed === null ? undefined : scribe.facts({ billed })
    }
    case 'derived-from':
      return mapDerived(record, scribe)
    default:
      if (type === null) return scribe.problem('record without type', 'info', 'a record has no type')
      if (!(type in IGNORED_RECORDS)) scribe.problem(type, 'info', `unknown record type ${JSON.stringify(type)}`)
  }
}

/** One event in the record's lane. The first of a record takes the record's parent, the others follow each other. */
export function event(record: Json, scribe: Scribe, draft: Draft, block = 0): void {
  const { lane } = scribe
  const pos = lane.next()
  const thread = draft.thread ?? scribe.agent ?? asText(record['agentId']) ?? undefined
  const sidechain = scribe.agent !== null || record['isSidechain'] === true
  const item: EventItem = {
    item: 'event',
    session: lane.session,
    lane: lane.lane,
    pos,
    parent: block === 0 ? parentOf(record, scribe) : pos === 0 ? null : pos - 1,
    at: parseInstant(record['timestamp']),
    native: idOf(record['uuid'], scribe) ?? `${lane.session}:${lane.lane}:${pos}`,
    block,
    line: scribe.line,
    ...draft,
    ...(sidechain ? { sidechain } : {}),
    ...(thread === undefined ? {} : { thread }),
  }
  scribe.items.push(item)
}

function parentOf(record: Json, scribe: Scribe): number | string | null {
  return scribe.trail.find(idOf(record['parentUuid'], scribe) ?? idOf(record['logicalParentUuid'], scribe))
}

function idOf(uuid: unknown, scribe: Scribe): string | null {
  const id = asText(uuid)
  return id === null ? null : recordId(scribe.lane.session, id)
}

function noteFacts(record: Json, scribe: Scribe): void {
  const cwd = asText(record['cwd'])
  if (cwd !== null && !scribe.knows('cwd')) scribe.tell('cwd', cwd)
  const branch = asText(record['gitBranch'])
  if (branch !== null && branch !== 'HEAD') scribe.branch(branch)
  const version = asText(record['version'])
  if (version !== null) scribe.tell('version', version)
  if (asString(record['entrypoint'])?.startsWith('sdk') === true) scribe.automated()
}

function wordsOf(prompt: unknown): string {
  const blocks = asArray(prompt).map((value) => {
    const block = asObject(value)
    return block?.['type'] === 'image' ? '[image]' : (asText(block?.['text']) ?? '')
  })
  return asText(prompt) ?? blocks.filter((words) => words !== '').join('\n')
}

/** A pull request that the client itself links to the session. */
function mapLink(record: Json, scribe: Scribe): void {
  const url = asText(record['prUrl']) ?? ''
  const marks = /^https?:\S+$/.test(url) ? { marks: { made: [{ kind: 'pr', value: url }] } as const } : {}
  event(record, scribe, { kind: 'lifecycle', role: 'system', text: `pull request ${url}`, ...marks })
}

/** A branch of another session says whose. */
function mapDerived(record: Json, scribe: Scribe): void {
  const from = asArray(record['sessions']).map((value) => asObject(value))
  const id = asText(from.findLast((session) => session?.['via'] === 'branch')?.['id'])
  if (id !== null && id !== scribe.lane.session) scribe.facts({ parent: `claude:${id}` })
}

/** A prompt that was typed while the agent worked and that nothing but the queue tells. */
export function writeQueued({ text, at }: QueuedPrompt, scribe: Scribe): void {
  if (!isTypedPrompt(text) || scribe.agent !== null) return
  const { lane } = scribe
  if (!scribe.knows('firstPrompt')) scribe.tell('firstPrompt', titleText(text))
  const pos = lane.next()
  scribe.items.push({
    item: 'event',
    session: lane.session,
    lane: lane.lane,
    pos,
    parent: pos === 0 ? null : pos - 1,
    at,
    native: `${lane.session}:queue:${at ?? ''}:${text.slice(0, 100)}`,
    block: 0,
    line: scribe.line,
    kind: 'user_msg',
    role: 'user',
    text,
    human: true,
    message: lane.newMessage(),
    marks: { midTurn: true },
  })
}

function tellText(scribe: Scribe, name: 'agentTitle' | 'customTitle', value: unknown): void {
  const text = asText(value)
  if (text !== null) scribe.tell(name, titleText(text))
}

function mapSummary(record: Json, scribe: Scribe): void {
  const title = asText(record['summary'])
  const leaf = asText(record['leafUuid'])
  if (title !== null && leaf !== null) scribe.items.push({ item: 'title', leaf, title: titleText(title) })
}

function mapSystem(record: Json, scribe: Scribe): void {
  const subtype = asString(record['subtype']) ?? ''
  if (IGNORED_SYSTEM.has(subtype)) return
  const content = asText(record['content'])
  const lifecycle = (text: string, marks?: Marks) =>
    event(record, scribe, { kind: 'lifecycle', role: 'system', text, ...(marks ? { marks } : {}) })
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
      return event(record, scribe, { kind: 'error', role: 'system', text: `API error: ${describeError(record)}` })
    case 'local_command':
    case 'informational':
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
      scribe.problem(`system/${subtype}`, 'info', `unknown system record ${JSON.stringify(subtype)}`)
      if (content !== null) lifecycle(content)
  }
}

function describeError(record: Json): string {
  const error = asObject(record['error'])
  const text =
    asText(error?.['message']) ?? asText(error?.['formatted']) ?? JSON.stringify(record['error'] ?? 'unknown')
  return oneLine(text, 500)
}

function mapAttachment(record: Json, scribe: Scribe): void {
  const attachment = asObject(record['attachment'])
  const type = asString(attachment?.['type']) ?? ''
  if (type === 'max_turns_reached') {
    const text = `stopped at its limit of turns (${asCount(attachment?.['maxTurns'])})`
    return event(record, scribe, { kind: 'lifecycle', role: 'system', text, marks: { turn: 'aborted' } })
  }
  if (type !== 'queued_command') {
    if (!IGNORED_ATTACHMENTS.has(type)) scribe.problem(`attachment/${type}`, 'info', `unknown attachment ${type}`)
    return
  }
  const text = wordsOf(attachment?.['prompt'])
  scribe.queue.attached(text.trim())
  const mode = asText(attachment?.['commandMode']) ?? 'prompt'
  const human = mode === 'prompt' && scribe.agent === null && isHuman({ ...record, ...attachment }, text)
  if (human && !scribe.knows('firstPrompt')) scribe.tell('firstPrompt', titleText(text))
  const marks: Marks = human ? { midTurn: true } : { injected: true }
  event(record, scribe, { kind: 'user_msg', role: 'user', text, human, message: scribe.lane.newMessage(), marks })
}
