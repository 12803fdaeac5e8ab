import { asObject, asText, type Json } from '../kit/json.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import type { EventItem, Item, LaneRef, Problem } from '../source.ts'
import type { Facts } from '../../model/facts.ts'
import { Calls, type CallsState } from './calls.ts'
import { Mirrors, type MirrorsState } from './mirrors.ts'
import { Natives, type NativesState } from './natives.ts'
import { Origin, type OriginState } from './origin.ts'
import { Meter, type MeterState } from './tokens.ts'
import { Turns, type TurnsState } from './turns.ts'

export interface ScribeState {
  lane: LaneState
  natives: NativesState
  mirrors: MirrorsState
  calls: CallsState
  turns: TurnsState
  origin: OriginState
  meter: MeterState
  told: Record<string, string>
  model: string | null
  userEvents: boolean
  note: [key: string, pos: number] | null
}

/** Whether an event that names a prompt came with it: `unknown` while it may still come. */
export type Echo = 'echoed' | 'silent' | 'unknown'

/** One record at hand and where it stands. */
export interface Place {
  readonly line: number
  readonly offset: number
  readonly at: number | null
  readonly echo: Echo
}

export type Draft = Pick<EventItem, 'kind' | 'role'> &
  Partial<Pick<EventItem, 'tool' | 'text' | 'input' | 'body' | 'human' | 'call' | 'message' | 'callIdx'>> & {
    /** What a copy of the record keeps. */
    readonly what: string
    /** The turn that the record itself names. */
    readonly turn?: string | null
    readonly parent?: number
  }

type Told = 'agentTitle' | 'firstPrompt' | 'cwd' | 'branch' | 'model' | 'version' | 'parent'

/** Writes down what the records of one rollout say, and remembers what the next ones need. */
export class Scribe {
  items: Item[] = []
  place: Place = { line: 0, offset: 0, at: null, echo: 'unknown' }
  model: string | null
  /** True once an event has named a prompt: in such a file a prompt without one is no person's. */
  userEvents: boolean
  readonly lane: LaneCounter
  readonly natives: Natives
  readonly mirrors: Mirrors
  readonly calls: Calls
  readonly turns: Turns
  readonly origin: Origin
  readonly meter: Meter
  readonly #told: Map<string, string>
  #note: [key: string, pos: number] | null

  constructor(ref: LaneRef, state: ScribeState | null) {
    this.lane = new LaneCounter(ref, state?.lane)
    this.natives = new Natives(ref.session, state?.natives)
    this.mirrors = new Mirrors(state?.mirrors)
    this.calls = new Calls(state?.calls)
    this.turns = new Turns(state?.turns)
    this.origin = new Origin(ref.session, state?.origin)
    this.meter = new Meter(state?.meter)
    this.model = state?.model ?? null
    this.userEvents = state?.userEvents ?? false
    this.#told = new Map(Object.entries(state?.told ?? {}))
    this.#note = state?.note ?? null
  }

  /** Time of the record at hand; a copy has only the time of the copying. */
  get at(): number | null {
    return this.origin.copied ? null : this.place.at
  }

  /** Appends an event and returns its position. It follows what came before, unless it answers a call. */
  event(draft: Draft): number {
    const { what, turn, parent, ...rest } = draft
    const pos = this.lane.next()
    this.items.push({
      item: 'event',
      session: this.lane.session,
      lane: this.lane.lane,
      pos,
      parent: parent ?? (pos === 0 ? null : pos - 1),
      at: this.at,
      native: this.natives.next(what, turn ?? null),
      block: 0,
      line: this.place.line,
      ...rest,
    })
    return pos
  }

  /** A note of the client on the session. The same one with nothing in between is told once. */
  note(key: string, text: string, kind: 'lifecycle' | 'human_intervention' = 'lifecycle'): number | null {
    if (this.#note?.[0] === key && this.#note[1] === this.lane.pos - 1) return null
    const pos = this.event({ kind, role: 'system', text, what: `n:${key}` })
    this.#note = [key, pos]
    return pos
  }

  tell(name: Told, value: string): void {
    if (this.#told.get(name) === value) return
    this.#told.set(name, value)
    this.facts({ [name]: value })
  }

  knows(name: Told): boolean {
    return this.#told.has(name)
  }

  facts(facts: Partial<Facts>): void {
    this.items.push({ item: 'facts', session: this.lane.session, lane: this.lane.lane, facts })
  }

  problem(type: string, level: Problem['level'], message: string): void {
    const { line, offset } = this.place
    this.items.push({ item: 'problem', type, level, message, line, offset })
  }

  state(): ScribeState {
    return {
      lane: this.lane.state(),
      natives: this.natives.state(),
      mirrors: this.mirrors.state(),
      calls: this.calls.state(),
      turns: this.turns.state(),
      origin: this.origin.state(),
      meter: this.meter.state(),
      told: Object.fromEntries(this.#told),
      model: this.model,
      userEvents: this.userEvents,
      note: this.#note,
    }
  }
}

/** The turn that a record itself says it belongs to. */
export function namedTurn(payload: Json): string | null {
  const passed = asObject(payload['internal_chat_message_metadata_passthrough'])
  return asText(payload['turn_id']) ?? asText(passed?.['turn_id'])
}
