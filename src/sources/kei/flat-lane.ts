import { MAIN_LANE } from '../../model/event.ts'
import { isMistimed, parseInstant } from '../../model/time.ts'
import { asText, type Json } from '../kit/json.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import { ORIGINALITY, type EventItem, type Item, type Lane, type LaneRef } from '../source.ts'

const REMEMBERED_CALLS = 64
const LAST_SECONDS = 1e11

export interface FlatLaneState {
  readonly counter: LaneState
  readonly open: readonly (readonly [call: string, tool: string])[]
}

export type Draft = Pick<EventItem, 'kind' | 'role'> &
  Partial<Pick<EventItem, 'tool' | 'text' | 'input' | 'body' | 'call' | 'callIdx' | 'eventClass'>> & {
    /** The log's own word for the line. */
    readonly type?: string
  }

/**
 * Flat lines of one session. In its main lane they are all there is of it. In any other they tell a session of
 * another agent, and yield to its own transcript, since nothing in them says which records they repeat.
 */
export class FlatLane {
  readonly counter: LaneCounter
  readonly #open: (readonly [call: string, tool: string])[]

  constructor(ref: LaneRef, state?: FlatLaneState) {
    this.counter = new LaneCounter(ref, state?.counter)
    this.#open = [...(state?.open ?? [])]
  }

  state(): FlatLaneState {
    return { counter: this.counter.state(), open: [...this.#open] }
  }

  announcement(mainPath: string, flavor: string): Lane {
    const { session, lane } = this.counter
    const own = { item: 'lane', session, lane, mainPath } as const
    if (lane === MAIN_LANE) return { ...own, originality: ORIGINALITY.main }
    return { ...own, originality: ORIGINALITY.copy, flavor, yieldsTo: MAIN_LANE }
  }

  complete(complete: boolean): Item {
    return { item: 'facts', session: this.counter.session, lane: this.counter.lane, facts: { complete } }
  }

  event(record: Json, line: number, draft: Draft): EventItem {
    const { session, lane } = this.counter
    const pos = this.counter.next()
    const at = timeOf(record)
    const parent = pos === 0 ? null : pos - 1
    return {
      item: 'event',
      session,
      lane,
      pos,
      parent,
      at,
      native: `${session}:${pos}:${at}`,
      block: 0,
      line,
      ...draft,
    }
  }

  /** Flat calls have no ids; this one gets its own from its number. */
  callId(index: number): string {
    return `${this.counter.session}:${this.counter.lane}:call:${index}`
  }

  opened(call: string, tool: string): void {
    this.#open.push([call, tool])
    if (this.#open.length > REMEMBERED_CALLS) this.#open.shift()
  }

  /** The oldest call of this tool that has no answer yet. */
  answered(tool: string): string | null {
    const at = this.#open.findIndex(([, name]) => name === tool)
    return at === -1 ? null : (this.#open.splice(at, 1)[0]?.[0] ?? null)
  }
}

/** NaN for a time that cannot be: whoever takes the event in tells it. */
function timeOf(record: Json): number | null {
  const ts = record['ts']
  if (typeof ts === 'number' && ts !== 0) return Math.round(ts < LAST_SECONDS ? ts * 1000 : ts)
  const text = asText(ts) ?? record['timestamp']
  return isMistimed(text) ? Number.NaN : parseInstant(text)
}
