import { isToolCall } from '../model/event.ts'
import { callId, messageId, orphanCallId } from '../model/ids.ts'
import type { EventLine, LaneRecord, PortableRecord, SessionLine } from '../model/records.ts'

export const TABLES = ['sessions', 'messages', 'tool_calls'] as const
export type TableName = (typeof TABLES)[number]
export type Cell = null | number | string
export type TableRow = readonly [table: TableName, cells: readonly Cell[]]

/** The most that a column of whole numbers holds. */
const MOST = 2 ** 31 - 1
const SUPERSEDED = 2
const COPY = 4
const COMPOUND = 32
const MESSAGE_START = 64
const IN_PASSING = 3

/** What is known of a message until its lane ends: parts of it may stand far apart. */
interface Message {
  start: EventLine | null
  readonly content: string[]
  readonly thinking: string[]
  hasThinking: boolean
}

/**
 * The rows that the records of a session, as they stand here, are in three tables: each behind those it refers to. What
 * was taken back, and what is another session's, is in none.
 */
export function* tableRows(records: Iterable<PortableRecord>): Generator<TableRow> {
  let lane: LaneRows | null = null
  let session: SessionLine | null = null
  for (const record of records) {
    if (record.record === 'session') {
      session = record
      yield ['sessions', sessionCells(record)]
    } else if (record.record === 'event' && session !== null) {
      if (lane?.name !== record.place.lane) {
        if (lane !== null) yield* lane.rows()
        lane = new LaneRows(session, record.place.lane)
      }
      lane.add(record)
    }
  }
  if (lane !== null) yield* lane.rows()
}

function sessionCells(session: SessionLine): Cell[] {
  const { started_at: start, ended_at: end, here } = session
  const seconds = start === null || end === null ? null : Math.round((Date.parse(end) - Date.parse(start)) / 1000)
  return [
    session.id,
    session.source,
    session.source_path,
    session.native_id,
    start,
    end,
    seconds === null ? null : Math.max(-MOST, Math.min(MOST, seconds)),
    session.model,
    session.cwd,
    session.git_repo,
    session.git_branch,
    Math.min(MOST, session.message_count),
    Math.min(MOST, session.tool_count),
    here?.input_tokens ?? null,
    here?.output_tokens ?? null,
    here?.is_complete === false ? 'false' : 'true',
    here?.file_mtime ?? 0,
    here?.file_size ?? 0,
    here?.indexed_at ?? null,
  ]
}

/** The rows of one stream of a session. */
class LaneRows {
  readonly name: string
  readonly #session: string
  readonly #lane: LaneRecord | undefined
  readonly #messages = new Map<number, Message>()
  readonly #calls: EventLine[] = []

  constructor(session: SessionLine, name: string) {
    this.name = name
    this.#session = session.id
    this.#lane = session.lanes.find((lane) => lane.name === name)
  }

  add(event: EventLine): void {
    const { kind, text, place } = event
    const isHere = (place.flags & (SUPERSEDED | COPY)) === 0
    if (isToolCall(kind) && isHere && this.#lane?.originality !== IN_PASSING) this.#calls.push(event)
    if (place.message === null) return
    const message = this.#messageOf(place.message)
    if (kind === 'thinking') message.hasThinking = true
    if (text && !isToolCall(kind)) (kind === 'thinking' ? message.thinking : message.content).push(text)
    if ((place.flags & MESSAGE_START) !== 0 && isHere) message.start ??= event
  }

  *rows(): Generator<TableRow> {
    const { messages_from: from = 0, positions_from: positions = 0 } = this.#lane?.here ?? {}
    const written = new Set<string>()
    for (const [number, { start, content, thinking, hasThinking }] of this.#messages) {
      if (start === null || start.role === 'tool') continue
      const id = messageId(this.#session, from + number)
      written.add(id)
      const texts = [joined(content), joined(thinking)]
      const cells = [id, this.#session, positions + number, start.role, ...texts, start.ts, String(hasThinking)]
      yield ['messages', [...cells, null, null]]
    }
    for (const { tool, input, text, place } of this.#calls) {
      if (place.call_idx === null) continue
      const message = place.message === null ? null : messageId(this.#session, from + place.message)
      const id = message === null ? orphanCallId(this.#session, place.call_idx) : callId(message, place.call_idx)
      const cells = [id, this.#session, message !== null && written.has(message) ? message : null, place.call_idx]
      const json = input === null ? null : JSON.stringify(input)
      const compound = String((place.flags & COMPOUND) !== 0)
      yield ['tool_calls', [...cells, tool ?? '', json, text, place.base, place.sub, compound, null]]
    }
  }

  #messageOf(number: number): Message {
    const known = this.#messages.get(number)
    if (known !== undefined) return known
    const message: Message = { start: null, content: [], thinking: [], hasThinking: false }
    this.#messages.set(number, message)
    return message
  }
}

function joined(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join('\n')
}
