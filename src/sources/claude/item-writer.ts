import { recordId } from '../../model/ids.ts'
import type { Facts } from '../../model/facts.ts'
import { parseInstant } from '../../model/time.ts'
import { asText, type Json } from '../kit/json.ts'
import type { LaneCounter } from '../kit/lane.ts'
import type { EventItem, Item, Problem } from '../source.ts'
import type { PromptQueue } from './queue.ts'
import type { UuidTrail } from './uuid-trail.ts'

type Fact = 'customTitle' | 'agentTitle' | 'firstPrompt' | 'cwd' | 'model' | 'version' | 'questions'

/** What a record is written down with: the lane it belongs to and everywhere its items go. */
export interface ItemWriter {
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
  tell(name: Fact & keyof Facts, value: string): void
  knows(name: Fact & keyof Facts): boolean
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

/** One event in the record's lane. The first of a record takes the record's parent, the others follow each other. */
export function event(record: Json, writer: ItemWriter, draft: Draft, block = 0): void {
  const { lane } = writer
  const pos = lane.next()
  const thread = draft.thread ?? writer.agent ?? asText(record['agentId']) ?? undefined
  const sidechain = writer.agent !== null || record['isSidechain'] === true
  const item: EventItem = {
    item: 'event',
    session: lane.session,
    lane: lane.lane,
    pos,
    parent: block === 0 ? parentOf(record, writer) : pos === 0 ? null : pos - 1,
    at: parseInstant(record['timestamp']),
    native: idOf(record['uuid'], writer) ?? `${lane.session}:${lane.lane}:${pos}`,
    block,
    line: writer.line,
    ...draft,
    ...(sidechain ? { sidechain } : {}),
    ...(thread === undefined ? {} : { thread }),
  }
  writer.items.push(item)
}

export function parentOf(record: Json, writer: ItemWriter): number | string | null {
  return writer.trail.find(idOf(record['parentUuid'], writer) ?? idOf(record['logicalParentUuid'], writer))
}

export function idOf(uuid: unknown, writer: ItemWriter): string | null {
  const id = asText(uuid)
  return id === null ? null : recordId(writer.lane.session, id)
}
