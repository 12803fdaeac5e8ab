import { LaneCounter, type LaneState } from '../kit/lane.ts'
import type { EventItem, Item, LaneRef, Problem } from '../source.ts'
import type { Facts } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { Approvals, type ApprovalsState } from './approvals.ts'
import { Calls, type CallsState } from './calls.ts'
import { DuplicateTellings, type DuplicateTellingsState } from './duplicate-tellings.ts'
import { NativeIds, type NativeIdsState } from './text-hash.ts'
import { Origin, type OriginState } from './fork-origin.ts'
import { Programs, type ProgramsState } from './programs.ts'
import { Meter, type MeterState } from './tokens.ts'
import { Turns, type TurnsState } from './turns.ts'

export interface ItemWriterState {
  lane: LaneState
  nativeIds: NativeIdsState
  mirrors: DuplicateTellingsState
  calls: CallsState
  turns: TurnsState
  origin: OriginState
  meter: MeterState
  programs: ProgramsState
  approvals: ApprovalsState
  unknown: string[]
  branches: string[]
  told: Record<string, string>
  model: string | null
  userEvents: boolean
  sandboxed: boolean
  mayAsk: boolean
  asksPerson: boolean
  answer: number | null
  unpaid: number | null
  note: [key: string, pos: number] | null
  refused: boolean
}

const REMEMBERED_TYPES = 64
const MAX_BRANCHES = 64

/** Whether an event that names a prompt came with it: `unknown` while it may still come. */
export type Echo = 'echoed' | 'silent' | 'unknown'

/** Whether the log itself tells of the calls inside a program: `unknown` while it may still do so. */
export type Ran = 'told' | 'silent' | 'unknown'

/** Whether a turn ends with the compaction at hand or goes on after it: `unknown` while neither shows. */
export type After = 'end' | 'more' | 'unknown'

/** One record at hand and where it stands. */
export interface Place {
  readonly line: number
  readonly offset: number
  readonly at: number | null
  readonly echo: Echo
  readonly ran: Ran
  readonly after: After
}

export type Draft = Pick<EventItem, 'kind' | 'role'> &
  Partial<Pick<EventItem, 'tool' | 'text' | 'input' | 'body' | 'human' | 'call' | 'message' | 'callIdx' | 'marks'>> & {
    /** What a copy of the record keeps. */
    readonly what: string
    /** The turn that the record itself names. */
    readonly turn?: string | null
    readonly parent?: number
    /** When it happened, if that was before the record was written. */
    readonly at?: number | undefined
  }

type FactName = 'agentTitle' | 'firstPrompt' | 'cwd' | 'branch' | 'model' | 'version' | 'parent'

/** Writes down what the records of one rollout say, and remembers what the next ones need. */
export class ItemWriter {
  items: Item[] = []
  place: Place = { line: 0, offset: 0, at: null, echo: 'unknown', ran: 'unknown', after: 'unknown' }
  model: string | null
  /** True once an event has named a prompt: in such a file a prompt without one is no person's. */
  userEvents: boolean
  /** True while commands run in a sandbox. */
  sandboxed: boolean
  /** False while nobody may be asked for permission. */
  mayAsk: boolean
  /** False while another program answers what is asked. */
  asksPerson: boolean
  /** The latest message of the assistant that no tokens have been counted for, and the first event since the last that were. */
  answer: number | null
  unpaid: number | null
  readonly lane: LaneCounter
  readonly nativeIds: NativeIds
  readonly duplicates: DuplicateTellings
  readonly calls: Calls
  readonly turns: Turns
  readonly origin: Origin
  readonly meter: Meter
  readonly programs: Programs
  readonly approvals: Approvals
  readonly #unknown: Set<string>
  readonly #branches: string[]
  readonly #told: Map<string, string>
  #note: [key: string, pos: number] | null
  #refused: boolean

  constructor(ref: LaneRef, state: ItemWriterState | null) {
    this.lane = new LaneCounter(ref, state?.lane)
    this.nativeIds = new NativeIds(ref.session, state?.nativeIds)
    this.duplicates = new DuplicateTellings(state?.mirrors)
    this.calls = new Calls(state?.calls)
    this.turns = new Turns(state?.turns)
    this.origin = new Origin(ref.session, state?.origin)
    this.meter = new Meter(state?.meter)
    this.programs = new Programs(state?.programs)
    this.approvals = new Approvals(state?.approvals)
    this.sandboxed = state?.sandboxed ?? false
    this.mayAsk = state?.mayAsk ?? true
    this.asksPerson = state?.asksPerson ?? true
    this.answer = state?.answer ?? null
    this.unpaid = state?.unpaid ?? null
    this.#unknown = new Set(state?.unknown)
    this.#branches = [...(state?.branches ?? [])]
    this.model = state?.model ?? null
    this.userEvents = state?.userEvents ?? false
    this.#told = new Map(Object.entries(state?.told ?? {}))
    this.#note = state?.note ?? null
    this.#refused = state?.refused ?? false
  }

  /** Time of the record at hand; a copy has only the time of the copying. */
  get at(): number | null {
    return this.origin.copied ? null : this.place.at
  }

  /** True if a person refused a call and nothing has happened since but what follows from it. */
  get refused(): boolean {
    return this.#refused
  }

  /** Appends an event and returns its position. It follows what came before, unless it answers a call. */
  event(draft: Draft): number {
    const { what, turn, parent, marks, at, ...rest } = draft
    const pos = this.lane.next()
    if (rest.role === 'assistant') this.unpaid ??= pos
    this.#refused = marks?.denied === 'person' || (this.#refused && followsRefusal(marks))
    this.items.push({
      item: 'event',
      session: this.lane.session,
      lane: this.lane.lane,
      pos,
      parent: parent ?? (pos === 0 ? null : pos - 1),
      at: this.at === null ? null : Math.min(at ?? this.at, this.at),
      native: this.nativeIds.next(what, turn ?? null),
      block: 0,
      line: this.place.line,
      ...rest,
      ...(marks !== undefined && hasAny(marks) ? { marks } : {}),
    })
    return pos
  }

  /** A note of the client on the session. The same one with nothing in between is told once. */
  note(key: string, text: string, marks: Marks = {}, kind: Draft['kind'] = 'lifecycle'): number | null {
    if (this.#note?.[0] === key && this.#note[1] === this.lane.pos - 1) return null
    const pos = this.event({ kind, role: 'system', text, what: `n:${key}`, marks })
    this.#note = [key, pos]
    return pos
  }

  tell(name: FactName, value: string): void {
    if (this.#told.get(name) === value) return
    this.#told.set(name, value)
    this.facts({ [name]: value })
  }

  knows(name: FactName): boolean {
    return this.#told.has(name)
  }

  facts(facts: Partial<Facts>): void {
    this.items.push({ item: 'facts', session: this.lane.session, lane: this.lane.lane, facts })
  }

  /** A branch that a header names. */
  onBranch(branch: string): void {
    if (this.#branches.includes(branch) || this.#branches.length === MAX_BRANCHES) return
    this.#branches.push(branch)
    this.facts({ branches: [...this.#branches] })
  }

  /** A type that nobody knows is told once, something broken each time. */
  problem(type: string, level: Problem['level'], message: string): void {
    const { line, offset } = this.place
    if (level === 'info') {
      if (this.#unknown.has(type) || this.#unknown.size === REMEMBERED_TYPES) return
      this.#unknown.add(type)
    }
    this.items.push({ item: 'problem', type, level, message, line, offset })
  }

  state(): ItemWriterState {
    return {
      lane: this.lane.state(),
      nativeIds: this.nativeIds.state(),
      mirrors: this.duplicates.state(),
      calls: this.calls.state(),
      turns: this.turns.state(),
      origin: this.origin.state(),
      meter: this.meter.state(),
      programs: this.programs.state(),
      approvals: this.approvals.state(),
      unknown: [...this.#unknown],
      branches: [...this.#branches],
      told: Object.fromEntries(this.#told),
      model: this.model,
      userEvents: this.userEvents,
      sandboxed: this.sandboxed,
      mayAsk: this.mayAsk,
      asksPerson: this.asksPerson,
      answer: this.answer,
      unpaid: this.unpaid,
      note: this.#note,
      refused: this.#refused,
    }
  }
}

/** The other calls of the answer are left out, and the agent is told that it was stopped. */
function followsRefusal(marks: Marks | undefined): boolean {
  return marks?.stopped === true || marks?.injected === true
}

function hasAny(marks: Marks): boolean {
  for (const _ in marks) return true
  return false
}
