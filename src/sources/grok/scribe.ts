import { titleText, type Facts } from '../../model/facts.ts'
import type { Usage } from '../../model/usage.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import type { EventItem, Item, LaneRef, UsageItem } from '../source.ts'
import type { CallLog } from './call-log.ts'
import { sumOf } from './call-log.ts'
import type { Call, UserPiece } from './entries.ts'
import { canBeHuman, withoutContext } from './human.ts'
import type { Outcomes } from './outcomes.ts'
import { hasUpdates, placeAt, sessionDirs, type SessionPlace } from './place.ts'
import type { Ending } from './results.ts'
import type { Entry } from './segment.ts'
import { turnUsage } from './usage.ts'

const REMEMBERED_PROMPTS = 2000

/** A turn that no bill has been told for yet. */
interface OpenTurn {
  readonly from: number
  readonly line: number
  key: string | null
}

export interface ScribeState {
  lane: LaneState
  prompts: [index: number, pos: number][]
  tip: number | null
  model: string | null
  prompted: boolean
  message: number | null
  run: number
  turn: OpenTurn | null
  cancels: Record<string, number>
}

/** Where a transcript lies and what stands beside it. */
export interface Setting {
  readonly place: SessionPlace
  readonly outcomes: Outcomes
  readonly calls: CallLog
  /** The prompts are another agent's. */
  readonly isSubagent: boolean
}

export type Draft = Pick<EventItem, 'kind' | 'role'> &
  Partial<Pick<EventItem, 'tool' | 'text' | 'input' | 'body' | 'human' | 'call' | 'message' | 'callIdx'>>

type Mark = Pick<Entry, 'line' | 'native' | 'at'>

/** Numbers what a transcript says, in the order it is given, and writes it down as items. */
export class Scribe {
  items: Item[] = []
  readonly #lane: LaneCounter
  readonly #setting: Setting
  /** Where each prompt of the living branch starts. */
  readonly #prompts: [index: number, pos: number][]
  /** The last event of the living branch. */
  #tip: number | null
  #model: string | null
  #prompted: boolean
  #message: number | null
  #run: number
  #turn: OpenTurn | null
  readonly #cancels: Map<string, number>
  readonly #originals = new Map<string, boolean>()

  constructor(ref: LaneRef, setting: Setting, state: ScribeState | null) {
    this.#lane = new LaneCounter(ref, state?.lane)
    this.#setting = setting
    this.#prompts = state?.prompts.map(([index, pos]) => [index, pos]) ?? []
    this.#tip = state?.tip ?? null
    this.#model = state?.model ?? null
    this.#prompted = state?.prompted ?? false
    this.#message = state?.message ?? null
    this.#run = state?.run ?? 0
    this.#turn = state?.turn ? { ...state.turn } : null
    this.#cancels = new Map(Object.entries(state?.cancels ?? {}))
  }

  state(): ScribeState {
    return {
      lane: this.#lane.state(),
      prompts: this.#prompts.map(([index, pos]) => [index, pos]),
      tip: this.#tip,
      model: this.#model,
      prompted: this.#prompted,
      message: this.#message,
      run: this.#run,
      turn: this.#turn && { ...this.#turn },
      cancels: Object.fromEntries(this.#cancels),
    }
  }

  write(entry: Entry): void {
    const { what } = entry
    if (this.#turn !== null && !entry.startsTurn) this.#turn.key ??= entry.promptId
    switch (what.is) {
      case 'user':
        return this.#user(entry, what)
      case 'words':
        if (what.text === '') return
        this.#message = this.#lane.message(this.#messageKey(entry))
        return this.#event(entry, { kind: what.kind, role: 'assistant', text: what.text, message: this.#message })
      case 'call':
        return this.#call(entry, what)
      case 'result':
        return this.result(entry, what.id, what.ending, this.#lane.answered(what.id) ?? what.tool)
      case 'note':
        return this.#event(entry, { ...what.note, role: 'system' })
      case 'turn':
        return this.#turnEnd(entry, what)
      case 'rewind':
        return this.#rewind(entry, what.target)
      case 'facts':
        if (what.facts.model !== undefined) this.#model = what.facts.model
        return this.#tell(what.facts)
      default:
    }
  }

  /** The end of a call that never said it ended; nothing if the call has its answer already. */
  unfinished(mark: Mark, call: string, ending: Ending): void {
    const tool = this.#lane.answered(call)
    if (tool !== undefined) this.result(mark, call, ending, tool)
  }

  result(mark: Mark, call: string, ending: Ending, tool: string | null, block = 0): void {
    const failed = ending.failed || this.#setting.outcomes.failed(call)
    this.#run++
    const named = tool === null ? {} : { tool }
    const kind = failed ? 'error' : 'tool_result'
    this.#event(mark, { kind, role: 'tool', call, body: ending.body, ...named }, block)
  }

  /** What the turn that is still open has cost so far. It goes by the name that its own bill will have. */
  openBill(): Item[] {
    return this.#turn === null || this.#turn.key === null ? [] : this.#billFromLog(this.#turn, Infinity)
  }

  #user(entry: Entry, piece: UserPiece): void {
    const words = withoutContext(piece.text)
    const typed = !piece.synthetic && (entry.startsTurn || piece.interjected) && canBeHuman(words)
    if (entry.startsTurn) this.#startTurn(entry)
    this.#run++
    if (piece.model !== null && piece.model !== this.#model) {
      this.#model = piece.model
      this.#tell({ model: piece.model })
    }
    if (typed && !this.#prompted) {
      this.#prompted = true
      this.#tell({ firstPrompt: titleText(words) })
    }
    const text = typed ? words : piece.text
    if (text === '') return
    const human = typed && !this.#setting.isSubagent
    this.#event(entry, { kind: 'user_msg', role: 'user', text, human, message: this.#lane.newMessage() })
  }

  #startTurn(entry: Entry): void {
    this.#endTurn(entry.at)
    this.#prompts.push([entry.promptIndex ?? this.#prompts.length, this.#lane.pos])
    if (this.#prompts.length > REMEMBERED_PROMPTS) this.#prompts.shift()
    this.#message = null
    if (entry.at !== null) this.#turn = { from: entry.at, line: entry.line, key: entry.promptId }
  }

  /** A turn that ends without a bill is billed from the log of calls, as far as that reaches back. */
  #endTurn(to: number | null): void {
    if (this.#turn !== null && to !== null) this.items.push(...this.#billFromLog(this.#turn, to))
    this.#turn = null
  }

  #billFromLog({ from, key, line }: OpenTurn, to: number): Item[] {
    const { session } = this.#lane
    const bill = sumOf(this.#setting.calls.between(from, to), key ?? `turn:${session}:${from}`, this.#model)
    return bill === null ? [] : [this.#usage(bill, line)]
  }

  #call(entry: Entry, { id, tool, input, ending }: Call): void {
    const key = this.#messageKey(entry)
    const name = tool ?? 'unknown'
    this.#message = this.#lane.message(key)
    const callIdx = this.#lane.callIndex(key)
    if (id !== '' && ending === null) this.#lane.opened(id, name)
    const said = { tool: name, input: input ?? {}, message: this.#message, callIdx }
    this.#event(entry, { kind: 'tool_call', role: 'assistant', ...said, ...(id === '' ? {} : { call: id }) })
    if (ending !== null) this.result(entry, id, ending, name, 1)
  }

  #turnEnd(entry: Entry, turn: Extract<Entry['what'], { is: 'turn' }>): void {
    const cancelled = turn.note.kind === 'human_intervention'
    const native = cancelled ? this.#cancelled(entry.origin ?? this.#lane.session) : entry.native
    this.#event({ ...entry, native }, { ...turn.note, role: cancelled ? 'user' : 'system' })
    if (turn.usage === null) return
    const bills = turnUsage(turn.usage, turn.key ?? `turn:${entry.native}`, this.#model, entry.at)
    for (const bill of bills) {
      const usage = this.#usage(bill, entry.line)
      this.items.push(this.#isBilledElsewhere(entry.origin) ? { ...usage, leftOut: 'fork_copy' } : usage)
    }
    if (bills.length > 0) this.#turn = null
  }

  #usage(usage: Usage, line: number): UsageItem {
    const { session, lane } = this.#lane
    return { item: 'usage', session, lane, ...usage, message: this.#message, line }
  }

  /** True if a line was copied from a session whose own transcript is still there. */
  #isBilledElsewhere(origin: string | null): boolean {
    if (origin === null || origin === this.#lane.session) return false
    let known = this.#originals.get(origin)
    if (known === undefined) {
      const { root } = this.#setting.place
      known = sessionDirs(root, origin).some((dir) => hasUpdates(placeAt(dir, root)))
      this.#originals.set(origin, known)
    }
    return known
  }

  /** The telemetry counts cancelled turns too: equal names make the two accounts one. */
  #cancelled(origin: string): string {
    const count = this.#cancels.get(origin) ?? 0
    this.#cancels.set(origin, count + 1)
    return cancelName(origin, count)
  }

  #rewind(entry: Entry, target: number): void {
    const { session, lane, pos } = this.#lane
    this.#endTurn(entry.at)
    const at = this.#prompts.findIndex(([index]) => index >= target)
    const start = at === -1 ? undefined : this.#prompts[at]
    if (start !== undefined && start[1] < pos) {
      this.items.push({ item: 'supersede', session, lane, from: start[1], to: pos - 1 })
      this.#prompts.length = at
      this.#tip = start[1] === 0 ? null : start[1] - 1
    }
    this.#event(entry, { kind: 'lifecycle', role: 'system', text: `rewound to before prompt ${target + 1}` })
  }

  #messageKey(entry: Entry): string {
    return entry.stream ?? `run ${this.#run}`
  }

  #tell(facts: Readonly<Partial<Facts>>): void {
    this.items.push({ item: 'facts', session: this.#lane.session, lane: this.#lane.lane, facts })
  }

  #event({ line, native, at }: Mark, draft: Draft, block = 0): void {
    const { session, lane } = this.#lane
    const pos = this.#lane.next()
    this.items.push({ item: 'event', session, lane, pos, parent: this.#tip, at, native, block, line, ...draft })
    this.#tip = pos
  }
}

export function cancelName(origin: string, count: number): string {
  return `cancel:${origin}:${count}`
}
