import { titleText, type Facts } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import type { Item, LaneRef } from '../source.ts'
import { Branch, type BranchState } from './branch.ts'
import { callEnding } from './call-ends.ts'
import { chatResult } from './chat-file.ts'
import { chatEnding } from './chat-results.ts'
import { cancelName, marked, noteDraft, type Draft } from './event-drafts.ts'
import type { Call, Result, TurnEnd, UserPiece } from './entries.ts'
import { isBareCommand } from '../kit/typed.ts'
import { canBeHuman, userMarks, withoutContext } from './human.ts'
import { OpenCalls, type OpenCall } from './open-calls.ts'
import type { Ending } from './results.ts'
import type { Entry } from './segment.ts'
import type { SessionFiles } from './session-files.ts'
import { toolName } from './tool-names.ts'
import { TurnUsage, type Bill, type TurnUsageState } from './turn-usage.ts'
import { OpenTurns, type OpenTurnsState } from './open-turns.ts'
import { turnNote } from './turn-ends.ts'

export interface ItemWriterState {
  lane: LaneState
  branch: BranchState
  model: string | null
  prompted: boolean
  message: number | null
  run: number
  bills: TurnUsageState
  course: OpenTurnsState
  calls: OpenCall[]
  cancels: Record<string, number>
  /** The call that a person has just turned down. */
  refused: number | null
}

/** What the telemetry says of a call that did not come to its end. */
const NOT_OVER: ReadonlySet<string> = new Set(['', 'cancelled'])

export type Mark = Pick<Entry, 'line' | 'native' | 'at'>

/** Numbers what a transcript says, in the order it is given, and writes it down as items. */
export class ItemWriter {
  items: Item[] = []
  readonly #lane: LaneCounter
  readonly #setting: SessionFiles
  readonly #branch: Branch
  readonly #bills: TurnUsage
  readonly openTurns: OpenTurns
  readonly #calls: OpenCalls
  readonly #cancels: Map<string, number>
  #model: string | null
  #prompted: boolean
  #message: number | null
  #run: number
  #refused: number | null

  constructor(ref: LaneRef, setting: SessionFiles, state: ItemWriterState | null) {
    this.#lane = new LaneCounter(ref, state?.lane)
    this.#setting = setting
    this.#branch = new Branch(state?.branch ?? null)
    this.#bills = new TurnUsage(setting.place, setting.calls, state?.bills ?? null)
    this.openTurns = new OpenTurns(setting.log, state?.course ?? null)
    this.#calls = new OpenCalls(state?.calls)
    this.#cancels = new Map(Object.entries(state?.cancels ?? {}))
    this.#model = state?.model ?? null
    this.#prompted = state?.prompted ?? false
    this.#message = state?.message ?? null
    this.#run = state?.run ?? 0
    this.#refused = state?.refused ?? null
  }

  state(): ItemWriterState {
    return {
      lane: this.#lane.state(),
      branch: this.#branch.state(),
      model: this.#model,
      prompted: this.#prompted,
      message: this.#message,
      run: this.#run,
      bills: this.#bills.state(),
      course: this.openTurns.state(),
      calls: this.#calls.state(),
      cancels: Object.fromEntries(this.#cancels),
      refused: this.#refused,
    }
  }

  write(entry: Entry): void {
    const { what } = entry
    if (!entry.startsTurn) this.#bills.name(entry.promptId)
    this.openTurns.saw(entry.at)
    if (what.is === 'words' || what.is === 'call' || what.is === 'turn') this.#refused = null
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
        return this.#answer(entry, what)
      case 'note':
        return this.#event(entry, noteDraft(this.openTurns.note(what.note, entry.at)))
      case 'child':
        this.#bills.child(what.child, entry.at)
        return this.#event(entry, noteDraft(what.note))
      case 'turn':
        return this.#turnEnd(entry, what)
      case 'rewind':
        return this.#rewind(entry, what.target)
      case 'boundary':
        return this.#command(entry, what.command)
      case 'facts':
        if (what.facts.model !== undefined) this.#model = what.facts.model
        return this.#tell(what.facts)
      default:
    }
  }

  /**
   * The end of a call that the transcript never told; nothing if the call has its answer already. One that was over
   * when the client was killed ended as the telemetry and the chat history say.
   */
  unfinished(mark: Mark, call: string, shown: Ending, stopped: boolean): void {
    const tool = this.#lane.answered(call)
    if (tool === undefined) return
    const end = this.#setting.log.endOf(call)
    if (end === undefined || NOT_OVER.has(end.outcome)) {
      this.result(mark, call, shown, tool, 0, stopped ? { stopped: true } : undefined)
      return
    }
    const body = chatResult(this.#setting.place, call)
    this.result({ ...mark, at: end.at ?? mark.at }, call, body === null ? shown : chatEnding(tool, body), tool)
  }

  #answer(entry: Entry, { id, ending, tool }: Result): void {
    const calledAt = this.#lane.calledAt(id) ?? null
    const { denied } = this.result(entry, id, ending, this.#lane.answered(id) ?? tool)
    if (denied === 'person') this.#refused = calledAt
    if (ending.said) this.#comment(entry, ending.said, calledAt, { onApproval: true }, 1)
  }

  result(mark: Mark, id: string, ending: Ending, tool: string | null, block = 0, known?: Marks): Marks {
    const { log, isHeadless } = this.#setting
    const call = this.#calls.take(id) ?? { id, tool: tool ?? '', at: null }
    const end = callEnding(call, ending, mark.at, log, isHeadless)
    const { kind, marks } = known === undefined ? end : { kind: 'tool_result' as const, marks: known }
    if (marks.denied !== undefined) this.openTurns.denied = true
    this.#run++
    const named = { ...(tool === null ? {} : { tool }), ...(ending.child === null ? {} : { thread: ending.child }) }
    this.#event(mark, { kind, role: 'tool', call: id, body: ending.body, ...named, ...marked(marks) }, block)
    return marks
  }

  /** What the turn that is still open has cost so far. */
  openBill(): Item[] {
    return this.#bills.open(this.#modelAt(null)).map((bill) => this.#usage(bill))
  }

  /** What there is to say at the end of the transcript of a session that runs no more: its last turn never ended. */
  cutOff(line: number): void {
    const stop = this.openTurns.cutOff()
    if (stop !== null) this.#event({ line, native: stop.native, at: stop.at }, noteDraft(stop.note))
  }

  /** The next prompt comes after this line. */
  endTurn(line: number): void {
    this.cutOff(line)
    this.openTurns.settle()
  }

  #user(entry: Entry, piece: UserPiece): void {
    const words = withoutContext(piece.text)
    const about = this.#refused
    this.#refused = null
    if (about !== null && !entry.startsTurn && !piece.synthetic && !piece.interjected && canBeHuman(words)) {
      return this.#comment(entry, words, about, { onDenial: true })
    }
    const typed = !piece.synthetic && (entry.startsTurn || piece.interjected) && canBeHuman(words)
    const human = typed && !this.#setting.isSubagent
    if (entry.startsTurn) this.#startTurn(entry, human)
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
    const marks = userMarks(typed, human && piece.interjected, piece.command)
    const message = this.#lane.newMessage()
    const theirs = human || (piece.command === '!' && !this.#setting.isSubagent)
    this.#event(entry, { kind: 'user_msg', role: 'user', text, human: theirs, message, ...marked(marks) })
  }

  /** What a person said when they were asked, or turned a call down. */
  #comment(entry: Entry, text: string, call: number | null, marks: Marks, block = 0): void {
    const human = !this.#setting.isSubagent
    const message = this.#lane.newMessage()
    this.#run++
    const parent = call === null ? {} : { parent: call }
    this.#event(entry, { kind: 'user_msg', role: 'user', text, human, message, marks, ...parent }, block)
  }

  #startTurn(entry: Entry, human: boolean): void {
    this.#bill(this.#bills.end(entry.at, this.#modelAt(entry.at)))
    this.cutOff(entry.line)
    this.openTurns.start(entry, human)
    this.#branch.prompt(entry.promptIndex, this.#lane.pos)
    this.#message = null
    this.#bills.start(entry)
  }

  #call(entry: Entry, { id, tool, input, ending }: Call): void {
    const key = this.#messageKey(entry)
    const name = toolName(tool ?? 'unknown', input)
    this.#message = this.#lane.message(key)
    const callIdx = this.#lane.callIndex(key)
    if (id !== '') this.#calls.open({ id, tool: tool ?? '', at: entry.at })
    if (id !== '' && ending === null) this.#lane.opened(id, name)
    const said = { tool: name, input: input ?? {}, message: this.#message, callIdx }
    this.#event(entry, { kind: 'tool_call', role: 'assistant', ...said, ...(id === '' ? {} : { call: id }) })
    if (ending !== null) this.result(entry, id, ending, name, 1)
  }

  #turnEnd(entry: Entry, end: TurnEnd): void {
    const native = end.stop === 'cancelled' ? this.#cancelled(entry.origin ?? this.#lane.session) : entry.native
    this.#event({ ...entry, native }, noteDraft(turnNote(end, this.openTurns.soFar(entry.at))))
    this.#bill(this.#bills.billed(entry, end, this.#modelAt(entry.at)))
    this.openTurns.end()
  }

  #command(entry: Entry, command: string | null): void {
    if (command === null) return
    this.openTurns.command = command
    const marks = { command: command.split(/\s/, 1)[0] ?? command }
    const human = !isBareCommand(command) && !this.#setting.isSubagent
    const message = human ? { message: this.#lane.newMessage() } : {}
    this.#event(entry, { kind: 'user_msg', role: 'user', text: command, human, marks, ...message })
  }

  #bill(bills: readonly Bill[]): void {
    this.items.push(...bills.map((bill) => this.#usage(bill)))
  }

  #usage({ usage, line, leftOut }: Bill): Item {
    const { session, lane } = this.#lane
    const item = { item: 'usage', session, lane, ...usage, message: this.#message, line } as const
    return leftOut ? { ...item, leftOut: 'fork_copy' } : item
  }

  /** The telemetry counts cancelled turns too: equal names make the two accounts one. */
  #cancelled(origin: string): string {
    const count = this.#cancels.get(origin) ?? 0
    this.#cancels.set(origin, count + 1)
    return cancelName(origin, count)
  }

  #rewind(entry: Entry, target: number): void {
    const { session, lane, pos } = this.#lane
    this.#bill(this.#bills.end(entry.at, this.#modelAt(entry.at)))
    this.openTurns.end()
    const back = this.#branch.rewind(target, pos)
    if (back !== null) this.items.push({ item: 'supersede', session, lane, from: back.from, to: pos - 1 })
    const text = `rewound to before prompt ${target + 1}`
    this.#event(entry, { kind: 'lifecycle', role: 'system', text, marks: { takenBack: back?.turns ?? 0 } })
  }

  #modelAt(at: number | null): string | null {
    return this.#model ?? this.#setting.log.modelAt(at)
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
    this.items.push({ item: 'event', session, lane, pos, parent: this.#branch.tip, at, native, block, line, ...draft })
    this.#branch.tip = pos
  }
}
