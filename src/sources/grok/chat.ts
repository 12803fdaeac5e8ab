import { titleText, type Facts } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { asText, type Json } from '../kit/json.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import type { Line } from '../kit/lines.ts'
import { ReadAgain, type Checkpoint, type Item, type Lane, type Reading, type Unit } from '../source.ts'
import { callEnding } from './call-ends.ts'
import { CallLog } from './call-log.ts'
import { RowNames, type NamesState } from './row-names.ts'
import { chatEnding } from './chat-results.ts'
import { chatRowOf, type ChatCall, type ChatRow } from './chat-rows.ts'
import { marked, noteDraft, type Draft } from './event-drafts.ts'
import { withoutContext } from './human.ts'
import { LinesReading, noReading, problem, rememberedBy, type LineMapper } from '../kit/lines-reading.ts'
import { hasUpdates, placeOf, type SessionPlace } from './place.ts'
import { ChatClock, type ClockState } from './chat-clock.ts'
import { inheritance, isHeadless, isSubagent, readSummary, sessionFacts, transcriptLane } from './summary.ts'
import { UnknownTypes } from './unknown-types.ts'
import { toolName } from './tool-names.ts'
import { interruption } from './turn-ends.ts'
import { TurnLog } from './turn-log.ts'

/** Told to a reading of a history that `updates.jsonl` has taken the place of. */
const SHADOWED = 'shadowed'

/**
 * Reads `chat_history.jsonl`, the model's view of the conversation, which the client rewrites as it likes. It
 * is the transcript only where `updates.jsonl` is missing; once that appears, what was read from here is given up.
 */
export function readChat(unit: Unit, from: Checkpoint | null, hint: unknown): Reading {
  const place = placeOf(unit)
  if (!hasUpdates(place)) return new LinesReading(unit, from, new ChatMapper(place, rememberedBy(from)))
  if (hint !== SHADOWED) throw new ReadAgain(SHADOWED)
  return noReading()
}

interface State {
  lane: LaneState
  row: number
  run: number
  numbered: boolean
  prompted: boolean
  model: string | null
  seen: NamesState
  clock: ClockState
  types: string[]
  beside: string
  /** The call that a person has just turned down. */
  refused: number | null
}

class ChatMapper implements LineMapper {
  readonly #place: SessionPlace
  readonly #announcement: Lane
  readonly #inherited: ReturnType<typeof inheritance>
  readonly #subagent: boolean
  readonly #headless: boolean
  readonly #log: TurnLog
  /** What the files beside this one say. */
  readonly #beside: string
  readonly #clock: ChatClock
  readonly #types: UnknownTypes
  readonly #lane: LaneCounter
  readonly #names: RowNames
  #row: number
  #run: number
  #numbered: boolean
  #prompted: boolean
  #model: string | null
  #refused: number | null
  #announced = false
  #items: Item[] = []
  #mark = { native: '', line: 0, block: 0 }

  constructor(place: SessionPlace, remembered: Json | null) {
    const state = remembered as unknown as State | null
    this.#place = place
    this.#announcement = transcriptLane(place)
    const summary = readSummary(place)
    this.#inherited = inheritance(summary)
    this.#subagent = isSubagent(summary)
    this.#headless = isHeadless(summary)
    this.#log = TurnLog.whole(place)
    this.#beside = JSON.stringify([this.#log.digest(), this.#log.exists, summary?.['session_kind'], this.#inherited])
    if (state !== null && state.beside !== this.#beside) throw new ReadAgain(null)
    this.#clock = new ChatClock(this.#log, state?.clock ?? null)
    this.#types = new UnknownTypes(state?.types)
    this.#lane = new LaneCounter(this.#announcement, state?.lane)
    this.#names = new RowNames(state?.seen)
    this.#row = state?.row ?? 0
    this.#run = state?.run ?? 0
    this.#numbered = state?.numbered ?? false
    this.#prompted = state?.prompted ?? false
    this.#model = state?.model ?? null
    this.#refused = state?.refused ?? null
  }

  state(): State {
    return {
      lane: this.#lane.state(),
      row: this.#row,
      run: this.#run,
      numbered: this.#numbered,
      prompted: this.#prompted,
      model: this.#model,
      seen: this.#names.state(),
      clock: this.#clock.state(),
      types: this.#types.state(),
      beside: this.#beside,
      refused: this.#refused,
    }
  }

  record(record: Json, line: Line): Item[] {
    const row = chatRowOf(record)
    this.#items = this.#announce()
    this.#mark = { native: this.#nativeOf(record), line: line.number, block: 0 }
    this.#row++
    if (row.is !== 'unknown') this.#write(row)
    else {
      const unknown = problem(row.type || 'row without type', 'info', `unknown row ${JSON.stringify(row.type)}`, line)
      if (this.#types.isNew(unknown)) this.#items.push(unknown)
    }
    return this.#items
  }

  end(whole: boolean): Item[] {
    if (this.#row === 0) return []
    const facts = { ...sessionFacts(this.#place), complete: whole }
    return [...this.#announce(), this.#facts(facts), ...this.#usage()]
  }

  /** Rows tell no tokens; the log of calls may. */
  #usage(): Item[] {
    const { session, lane } = this.#lane
    const model = this.#model ?? this.#log.modelAt(null) ?? asText(readSummary(this.#place)?.['current_model_id'])
    const calls = new CallLog(this.#place).between(0, Infinity)
    return calls.map((call) => ({ item: 'usage', session, lane, ...call, model, message: null, line: 0 }))
  }

  #nativeOf(record: Json): string {
    const inherited = this.#inherited !== null && this.#row < this.#inherited.items
    return this.#names.nameOf(record, inherited ? this.#inherited.from : this.#place.session)
  }

  #write(row: Exclude<ChatRow, { is: 'unknown' }>): void {
    switch (row.is) {
      case 'user':
        return this.#user(row)
      case 'assistant':
        return this.#assistant(row)
      case 'thinking':
        return this.#words('thinking', row.text)
      case 'backend call':
        return this.#call(row.call)
      case 'result':
        return this.#result(row.call, row.body)
      default:
    }
  }

  #user(row: Extract<ChatRow, { is: 'user' }>): void {
    const { text: raw, promptIndex } = row
    if (row.shell !== null) this.#ownCommand(row.shell)
    const about = this.#refused
    this.#refused = null
    if (about !== null && row.human === null && this.#numbered) return this.#comment(withoutContext(raw), about)
    const typed = row.human ?? !this.#numbered
    if (promptIndex !== null) this.#numbered = true
    this.#interrupted(row.interrupted)
    if (typed && !row.interjected) this.#clock.prompt(promptIndex, this.#row - 1)
    this.#run++
    const text = typed ? withoutContext(raw) : raw
    if (text === '') return
    if (typed && !this.#prompted) {
      this.#prompted = true
      this.#items.push(this.#facts({ firstPrompt: titleText(text) }))
    }
    const human = typed && !this.#subagent
    const marks: Marks = {
      ...(typed ? {} : { injected: true }),
      ...(human && row.interjected ? { midTurn: true } : {}),
      ...(row.compacted ? { compacted: 'unknown' } : {}),
    }
    this.#event({ kind: 'user_msg', role: 'user', text, human, message: this.#lane.newMessage(), ...marked(marks) })
  }

  /** A person's own doing beside the conversation: their turn, but no prompt. */
  #ownCommand(command: string): void {
    const message = this.#lane.newMessage()
    this.#run++
    const said = { text: `!${command}`, human: !this.#subagent, message, marks: { command: '!' } }
    this.#event({ kind: 'user_msg', role: 'user', ...said })
  }

  /** What a person said when they turned a call down. */
  #comment(text: string, call: number): void {
    const message = this.#lane.newMessage()
    const marks = { onDenial: true } as const
    this.#run++
    this.#event({ kind: 'user_msg', role: 'user', text, human: !this.#subagent, message, marks, parent: call })
  }

  /** A prompt tells that the turn before it was broken off. The telemetry tells it better. */
  #interrupted(why: string | null): void {
    if (why === null) return
    const text = `turn interrupted (${why.replaceAll('_', ' ')})`
    const byPerson = why === 'mid_turn_abort' && !this.#log.exists
    const note = byPerson ? interruption(text, this.#subagent) : { kind: 'lifecycle' as const, text, marks: {} }
    this.#event(noteDraft(note))
  }

  #assistant(row: Extract<ChatRow, { is: 'assistant' }>): void {
    if (row.model !== null && row.model !== this.#model) {
      this.#model = row.model
      this.#items.push(this.#facts({ model: row.model }))
    }
    this.#clock.answer()
    this.#refused = null
    this.#words('thinking', row.thinking)
    this.#words('assistant_msg', row.text)
    for (const call of row.calls) this.#call(call)
    this.#run++
  }

  #words(kind: 'thinking' | 'assistant_msg', text: string): void {
    if (text !== '') this.#event({ kind, role: 'assistant', text, message: this.#lane.message(`run ${this.#run}`) })
  }

  #call({ id, tool: calledAs, input }: ChatCall): void {
    const key = `run ${this.#run}`
    const tool = toolName(calledAs, input)
    const message = this.#lane.message(key)
    const callIdx = this.#lane.callIndex(key)
    if (id !== '') this.#lane.opened(id, tool)
    const call = id === '' ? {} : { call: id }
    this.#event({ kind: 'tool_call', role: 'assistant', tool, input, message, callIdx, ...call })
  }

  #result(id: string, body: string): void {
    const calledAt = this.#lane.calledAt(id) ?? null
    const tool = this.#lane.answered(id)
    const ending = chatEnding(tool ?? '', body)
    const end = callEnding({ id, tool: tool ?? '', at: null }, ending, null, this.#log, this.#headless)
    this.#clock.result(id)
    if (end.marks.denied === 'person') this.#refused = calledAt
    this.#run++
    const named = {
      ...(tool === undefined ? {} : { tool }),
      ...(ending.child === null ? {} : { thread: ending.child }),
    }
    this.#event({ kind: end.kind, role: 'tool', call: id, body, ...named, ...marked(end.marks) })
  }

  #event(draft: Draft): void {
    const { session, lane } = this.#lane
    const { native, line } = this.#mark
    const block = this.#mark.block++
    const pos = this.#lane.next()
    const parent = pos === 0 ? null : pos - 1
    const { at } = this.#clock
    this.#items.push({ item: 'event', session, lane, pos, parent, at, native, block, line, ...draft })
  }

  #facts(facts: Partial<Facts>): Item {
    return { item: 'facts', session: this.#lane.session, lane: this.#lane.lane, facts }
  }

  #announce(): Item[] {
    if (this.#announced) return []
    this.#announced = true
    return [this.#announcement]
  }
}
