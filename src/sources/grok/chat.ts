import { createHash } from 'node:crypto'
import { titleText, type Facts } from '../../model/facts.ts'
import { asText, type Json } from '../kit/json.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import type { Line } from '../kit/lines.ts'
import { ReadAgain, type Checkpoint, type Item, type Lane, type Reading, type Unit } from '../source.ts'
import { CallLog } from './call-log.ts'
import { chatRowOf, type ChatCall, type ChatRow } from './chat-rows.ts'
import { withoutContext } from './human.ts'
import { LinesReading, problem, rememberedBy, type LineMapper } from './lines-reading.ts'
import { Outcomes } from './outcomes.ts'
import { hasUpdates, placeOf, type SessionPlace } from './place.ts'
import type { Draft } from './scribe.ts'
import { inheritance, isSubagent, readSummary, sessionFacts, transcriptLane } from './summary.ts'

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
  return {
    provisional: false,
    bytesRead: 0,
    checkpoint: () => ({ offset: 0, line: 0, state: null }),
    *[Symbol.iterator]() {},
  }
}

const REMEMBERED_ROWS = 1000

interface State {
  lane: LaneState
  row: number
  run: number
  numbered: boolean
  prompted: boolean
  model: string | null
  seen: [digest: string, count: number][]
}

class ChatMapper implements LineMapper {
  readonly #place: SessionPlace
  readonly #announcement: Lane
  readonly #inherited: ReturnType<typeof inheritance>
  readonly #subagent: boolean
  readonly #outcomes: Outcomes
  readonly #lane: LaneCounter
  readonly #seen: Map<string, number>
  #row: number
  #run: number
  #numbered: boolean
  #prompted: boolean
  #model: string | null
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
    this.#outcomes = new Outcomes(place)
    this.#lane = new LaneCounter(this.#announcement, state?.lane)
    this.#seen = new Map(state?.seen)
    this.#row = state?.row ?? 0
    this.#run = state?.run ?? 0
    this.#numbered = state?.numbered ?? false
    this.#prompted = state?.prompted ?? false
    this.#model = state?.model ?? null
  }

  state(): State {
    return {
      lane: this.#lane.state(),
      row: this.#row,
      run: this.#run,
      numbered: this.#numbered,
      prompted: this.#prompted,
      model: this.#model,
      seen: [...this.#seen],
    }
  }

  record(record: Json, line: Line): Item[] {
    const row = chatRowOf(record)
    this.#items = this.#announce()
    this.#mark = { native: this.#nativeOf(record), line: line.number, block: 0 }
    this.#row++
    if (row.is === 'unknown') {
      this.#items.push(problem(row.type || 'row without type', 'info', `unknown row ${JSON.stringify(row.type)}`, line))
    } else this.#write(row)
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
    const model = this.#model ?? asText(readSummary(this.#place)?.['current_model_id'])
    const calls = new CallLog(this.#place).between(0, Infinity)
    return calls.map((call) => ({ item: 'usage', session, lane, ...call, model, message: null, line: 0 }))
  }

  /**
   * Rows have no ids. What they say, and how often it was said before, names them well enough to know them
   * again after the file was rewritten, and in the history of a fork, which bears its parent's name.
   */
  #nativeOf(record: Json): string {
    const inherited = this.#inherited !== null && this.#row < this.#inherited.items
    const owner = inherited ? this.#inherited.from : this.#place.session
    const digest = createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16)
    const nth = this.#seen.get(digest) ?? 0
    this.#seen.delete(digest)
    this.#seen.set(digest, nth + 1)
    if (this.#seen.size > REMEMBERED_ROWS) this.#seen.delete(this.#seen.keys().next().value ?? '')
    return `${owner}:${digest}:${nth}`
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
    const { interrupted, text: raw } = row
    const typed = row.human ?? !this.#numbered
    if (row.numbered) this.#numbered = true
    if (interrupted !== null) {
      const text = `turn interrupted (${interrupted.replaceAll('_', ' ')})`
      this.#event({ kind: 'human_intervention', role: 'user', text })
    }
    this.#run++
    const text = typed ? withoutContext(raw) : raw
    if (text === '') return
    if (typed && !this.#prompted) {
      this.#prompted = true
      this.#items.push(this.#facts({ firstPrompt: titleText(text) }))
    }
    const human = typed && !this.#subagent
    this.#event({ kind: 'user_msg', role: 'user', text, human, message: this.#lane.newMessage() })
  }

  #assistant(row: Extract<ChatRow, { is: 'assistant' }>): void {
    if (row.model !== null && row.model !== this.#model) {
      this.#model = row.model
      this.#items.push(this.#facts({ model: row.model }))
    }
    this.#words('thinking', row.thinking)
    this.#words('assistant_msg', row.text)
    for (const call of row.calls) this.#call(call)
    this.#run++
  }

  #words(kind: 'thinking' | 'assistant_msg', text: string): void {
    if (text !== '') this.#event({ kind, role: 'assistant', text, message: this.#lane.message(`run ${this.#run}`) })
  }

  #call({ id, tool, input }: ChatCall): void {
    const key = `run ${this.#run}`
    const message = this.#lane.message(key)
    const callIdx = this.#lane.callIndex(key)
    if (id !== '') this.#lane.opened(id, tool)
    const call = id === '' ? {} : { call: id }
    this.#event({ kind: 'tool_call', role: 'assistant', tool, input, message, callIdx, ...call })
  }

  #result(call: string, body: string): void {
    const tool = this.#lane.answered(call)
    this.#run++
    const kind = this.#outcomes.failed(call) ? 'error' : 'tool_result'
    this.#event({ kind, role: 'tool', call, body, ...(tool === undefined ? {} : { tool }) })
  }

  #event(draft: Draft): void {
    const { session, lane } = this.#lane
    const { native, line } = this.#mark
    const block = this.#mark.block++
    const pos = this.#lane.next()
    const parent = pos === 0 ? null : pos - 1
    this.#items.push({ item: 'event', session, lane, pos, parent, at: null, native, block, line, ...draft })
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
