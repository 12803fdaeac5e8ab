import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import type { LaneCounter } from '../kit/lane.ts'
import type { EventItem, Item, Problem } from '../source.ts'
import { titleText, type Facts } from '../../model/facts.ts'
import { recordId } from '../../model/ids.ts'
import { parseInstant } from '../../model/time.ts'
import { oneLine } from '../../model/text.ts'
import { mapAssistant } from './assistant.ts'
import { mapUser } from './user.ts'
import { isHuman } from './human.ts'
import { usageOf } from './usage.ts'
import type { UuidTrail } from './trail.ts'
import { IGNORED_ATTACHMENTS, IGNORED_PROGRESS, IGNORED_RECORDS, IGNORED_SYSTEM } from './types.ts'

type Told = 'customTitle' | 'agentTitle' | 'firstPrompt' | 'cwd' | 'branch' | 'model' | 'version'

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
  problem(type: string, level: Problem['level'], message: string): void
  tell(name: Told & keyof Facts, value: string): void
  knows(name: Told & keyof Facts): boolean
  embedded(agentId: string): LaneCounter
}

export type Draft = Pick<EventItem, 'kind' | 'role'> &
  Partial<Pick<EventItem, 'tool' | 'text' | 'input' | 'body' | 'human' | 'call' | 'message' | 'callIdx' | 'thread'>>

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
      return event(record, scribe, { kind: 'lifecycle', role: 'system', text: `pull request ${record['prUrl']}` })
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
    parent: block === 0 ? parentOf(record, scribe) : pos - 1,
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
  if (scribe.agent !== null) return
  const cwd = asText(record['cwd'])
  if (cwd !== null && !scribe.knows('cwd')) scribe.tell('cwd', cwd)
  const branch = asText(record['gitBranch'])
  if (branch !== null && branch !== 'HEAD' && !scribe.knows('branch')) scribe.tell('branch', branch)
  const version = asText(record['version'])
  if (version !== null) scribe.tell('version', version)
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
  const lifecycle = (text: string) => event(record, scribe, { kind: 'lifecycle', role: 'system', text })
  switch (subtype) {
    case 'compact_boundary': {
      const meta = asObject(record['compactMetadata'])
      return lifecycle(`conversation compacted (${meta?.['trigger'] ?? 'auto'}, ${meta?.['preTokens'] ?? '?'} tokens)`)
    }
    case 'microcompact_boundary':
      return lifecycle('old tool results compacted')
    case 'turn_duration':
      return lifecycle(`turn took ${Math.round(Number(record['durationMs'] ?? 0) / 1000)}s`)
    case 'api_error':
      return event(record, scribe, { kind: 'error', role: 'system', text: `API error: ${describeError(record)}` })
    case 'local_command':
    case 'informational':
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
  if (type !== 'queued_command') {
    if (!IGNORED_ATTACHMENTS.has(type)) scribe.problem(`attachment/${type}`, 'info', `unknown attachment ${type}`)
    return
  }
  const prompt = attachment?.['prompt']
  const text =
    asText(prompt) ??
    asArray(prompt)
      .map((block) => asText(asObject(block)?.['text']) ?? '')
      .join('\n')
  const human = attachment?.['commandMode'] === 'prompt' && scribe.agent === null && isHuman(record, text)
  if (human && !scribe.knows('firstPrompt')) scribe.tell('firstPrompt', titleText(text))
  event(record, scribe, { kind: 'user_msg', role: 'user', text, human, message: scribe.lane.newMessage() })
}

/** A subagent's turn as the parent saw it pass by: the only copy where the subagent's own file is gone. */
function mapProgress(record: Json, scribe: Scribe): void {
  const data = asObject(record['data'])
  const type = asString(data?.['type']) ?? ''
  if (type !== 'agent_progress') {
    if (!IGNORED_PROGRESS.has(type)) scribe.problem(`progress/${type}`, 'info', `unknown progress record ${type}`)
    return
  }
  const inner = asObject(data?.['message'])
  const message = asObject(inner?.['message'])
  const agentId = asText(data?.['agentId'])
  if (inner === null || message === null || agentId === null || inner['type'] !== 'assistant') return
  const lane = scribe.embedded(agentId)
  const usage = usageOf(inner, message)
  if (usage !== null) {
    const { session, lane: name } = lane
    scribe.items.push({ item: 'usage', session, lane: name, ...usage, message: null, line: scribe.line })
  }
  mapEmbeddedWords(inner, message, { ...scribe, lane, agent: agentId })
}

function mapEmbeddedWords(inner: Json, message: Json, scribe: Scribe): void {
  const key = asText(message['id']) ?? asText(inner['uuid']) ?? `${scribe.line}`
  for (const [block, value] of asArray(message['content']).entries()) {
    const content = asObject(value)
    const text = asText(content?.['text']) ?? asText(content?.['thinking'])
    if (text === null) continue
    const kind = content?.['type'] === 'thinking' ? 'thinking' : 'assistant_msg'
    event(inner, scribe, { kind, role: 'assistant', text, message: scribe.lane.message(key) }, block)
  }
}
