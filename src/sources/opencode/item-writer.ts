import { MAIN_LANE } from '../../model/event.ts'
import type { Facts } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import type { Usage } from '../../model/usage.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import { ORIGINALITY, placeOf, type EventItem, type Item, type Problem, type Unit } from '../source.ts'
import type { Message, SessionRow } from './rows.ts'

const REMEMBERED = 64

/** A stretch of events that a person took back. */
interface TakenBack {
  readonly from: number
  readonly to: number
  readonly prompts: number
  /** When the last of them was said. */
  readonly at: number | null
}

interface State {
  lane: LaneState
  told: string[]
  unknown: string[]
  keys: string[]
  reverting: boolean
  taken: TakenBack | null
  compaction: Marks['compacted'] | null
  busyUntil: number | null
  model: string | null
}

export type Draft = Pick<EventItem, 'kind' | 'role' | 'native'> &
  Partial<Pick<EventItem, 'tool' | 'text' | 'input' | 'body' | 'human' | 'call' | 'message' | 'callIdx' | 'thread'>> & {
    readonly at?: number | null
    readonly marks?: Marks
    readonly parent?: number
  }

/** Writes down what the messages of one session say, and remembers what the next ones need. */
export class ItemWriter {
  readonly lane: LaneCounter
  readonly session: SessionRow
  readonly told: Set<string>
  reverting: boolean
  compaction: Marks['compacted'] | null
  /** When the latest answer ended; null while it has not. */
  busyUntil: number | null
  model: string | null
  at: number | null = null
  readonly #mainPath: string
  readonly #unknown: Set<string>
  readonly #keys: string[]
  #taken: TakenBack | null
  #items: Item[] = []
  #line = 0

  constructor(unit: Unit, session: SessionRow, saved: unknown) {
    const state = saved as State | null
    const ref = { session: session.id, lane: MAIN_LANE }
    this.session = session
    this.#mainPath = placeOf(unit)
    this.lane = new LaneCounter(ref, state?.lane)
    this.told = new Set(state?.told)
    this.#unknown = new Set(state?.unknown)
    this.#keys = [...(state?.keys ?? [])]
    this.reverting = state?.reverting ?? false
    this.#taken = state?.taken ?? null
    this.compaction = state?.compaction ?? null
    this.busyUntil = state?.busyUntil ?? null
    this.model = state?.model ?? null
  }

  /** True for what another agent was told to do, or a script: no person sat before it. */
  get isOrdered(): boolean {
    return this.session.parent !== null
  }

  begin(line: number): void {
    this.#line = line
  }

  take(): Item[] {
    const items = this.#items
    this.#items = []
    return items
  }

  announce(): void {
    const { session, lane } = this.lane
    this.#items.push({ item: 'lane', session, lane, originality: ORIGINALITY.main, mainPath: this.#mainPath })
  }

  /** Appends an event and returns its position. It follows what came before, unless it answers a call. */
  event(draft: Draft): number {
    const { session, lane } = this.lane
    const { marks, parent, at, ...rest } = draft
    const pos = this.lane.next()
    this.#items.push({
      item: 'event',
      session,
      lane,
      pos,
      parent: parent ?? (pos === 0 ? null : pos - 1),
      at: at ?? this.at,
      block: 0,
      line: this.#line,
      ...rest,
      ...(marks !== undefined && Object.keys(marks).length > 0 ? { marks } : {}),
    })
    return pos
  }

  note(native: string, text: string, marks: Marks = {}, at?: number | null): number {
    return this.event({ kind: 'lifecycle', role: 'system', native, text, marks, ...(at === undefined ? {} : { at }) })
  }

  usage(usage: Usage, message: number | null, pos: number): void {
    const { session, lane } = this.lane
    const where = message === null ? { message, pos } : { message }
    this.#items.push({ item: 'usage', session, lane, ...usage, ...where, line: this.#line })
  }

  facts(facts: Partial<Facts>): void {
    const { session, lane } = this.lane
    this.#items.push({ item: 'facts', session, lane, facts })
  }

  problem(type: string, level: Problem['level'], message: string): void {
    if (level === 'info') {
      if (this.#unknown.has(type) || this.#unknown.size >= REMEMBERED) return
      this.#unknown.add(type)
    }
    this.#items.push({ item: 'problem', type, level, message, line: this.#line, offset: 0 })
  }

  /** What names a message in every copy of it: who spoke and when. Two of one moment are told apart by their order. */
  keyOf({ at, data }: Message): string {
    const key = `${data?.['role'] === 'user' ? 'u' : 'a'}${at}`
    this.#keys.push(key)
    if (this.#keys.length > REMEMBERED) this.#keys.shift()
    const before = this.#keys.filter((known) => known === key).length - 1
    return before === 0 ? key : `${key}.${before}`
  }

  get isTakingBack(): boolean {
    return this.#taken !== null
  }

  /** The events of the message at hand are no longer part of the conversation. */
  takeBack({ data }: Message, first: number): void {
    const prompts = data?.['role'] === 'user' ? 1 : 0
    const { from, prompts: before } = this.#taken ?? { from: first, prompts: 0 }
    this.#taken = { from, to: this.lane.pos - 1, prompts: before + prompts, at: this.at }
  }

  /** Ends a stretch that was taken back; null if there was none. */
  takenBack(): TakenBack | null {
    const taken = this.#taken
    if (taken === null) return null
    const { session, lane } = this.lane
    const { from, to } = taken
    if (from <= to) this.#items.push({ item: 'supersede', session, lane, from, to })
    this.#taken = null
    this.reverting = false
    return taken
  }

  state(): State {
    return {
      lane: this.lane.state(),
      told: [...this.told],
      unknown: [...this.#unknown],
      keys: [...this.#keys],
      reverting: this.reverting,
      taken: this.#taken,
      compaction: this.compaction,
      busyUntil: this.busyUntil,
      model: this.model,
    }
  }
}
