import { statRegular } from '../../model/regular-file.ts'
import { asCount, asText, type Json } from '../kit/json.ts'
import { asIndex } from './envelope.ts'
import { LogPrefix, reasonOf } from './log-prefix.ts'
import type { SessionPlace } from './place.ts'

/** A turn as `events.jsonl` tells it. */
export interface LoggedTurn {
  readonly number: number | null
  /** How many rows the chat history had when the turn began. */
  readonly rows: number | null
  readonly startedAt: number
  readonly model: string | null
  /** When each call of the model began. */
  readonly loops: number[]
  endedAt: number | null
  category: string | null
}

/** Permission for a call, asked for and given or not. */
export interface Question {
  readonly tool: string
  readonly at: number
  readonly allowed: boolean
  readonly waitedMs: number
  /** The client was told to ask nobody. */
  readonly unasked: boolean
}

interface CallEnd {
  readonly outcome: string
  readonly at: number | null
  readonly question: Question | null
}

const MAX_RECORDS = 50_000
/** Decisions by which a call does not happen. */
export const REFUSALS: ReadonlySet<string> = new Set(['deny', 'cancelled', 'followup'])
/** The transcript and the telemetry tell the same moment at most so far apart. */
const NEAR_MS = 5000
const BEFORE_CALL_MS = 100
const AFTER_RESULT_MS = 1500

/**
 * What `events.jsonl` says about the calls and the turns of a transcript, which itself leaves open how some of them
 * ended. It knows what it was told to read, and nothing later.
 */
export class TurnLog {
  readonly #prefix: LogPrefix
  readonly #turns: LoggedTurn[] = []
  readonly #ends = new Map<string, CallEnd>()
  readonly #questions: Question[] = []
  readonly #errors: { readonly at: number; readonly reason: string }[] = []
  #unasked = false
  #waiting: Question[] = []

  constructor(place: SessionPlace) {
    this.#prefix = new LogPrefix(place)
  }

  static whole(place: SessionPlace): TurnLog {
    const log = new TurnLog(place)
    log.readTo(Infinity)
    return log
  }

  get exists(): boolean {
    return statRegular(this.#prefix.file) !== null
  }

  get turns(): readonly LoggedTurn[] {
    return this.#turns
  }

  readTo(until: number): void {
    for (const { record, at } of this.#prefix.upTo(until)) this.#take(record, at)
  }

  /** Of all that was read. */
  digest(): string {
    return this.#prefix.digest()
  }

  endOf(call: string): CallEnd | undefined {
    return this.#ends.get(call)
  }

  /** The question about a call; where no record names the call, the only one about such a tool while it was open. */
  question(call: string, tool: string, from: number | null, to: number | null): Question | null {
    const end = this.endOf(call)
    if (end?.question) return end.question
    if (from === null || to === null) return null
    const open = this.#questions.filter(
      (asked) => asked.tool === tool && asked.at >= from - BEFORE_CALL_MS && asked.at <= to + AFTER_RESULT_MS,
    )
    return open.length === 1 ? (open[0] ?? null) : null
  }

  /** The turn that began with the prompt of this number, said at this time. */
  startedNear(at: number, index: number | null): LoggedTurn | undefined {
    const numbered = this.turns.filter(({ number }) => number !== null && number === index)
    return nearest(numbered, at, ({ startedAt }) => startedAt) ?? nearest(this.turns, at, ({ startedAt }) => startedAt)
  }

  /** True if an error of the turn that began at `from` is told here: the same words, or the same moment. */
  tellsError(text: string, from: number, at: number): boolean {
    return this.#errors.some((error) => {
      if (error.at < from - NEAR_MS || error.at > at + NEAR_MS) return false
      return at - error.at <= NEAR_MS || text.includes(error.reason)
    })
  }

  /** Why the turn that ended at this time was broken off, if the telemetry says so. */
  categoryNear(at: number): string | null {
    return nearest(this.turns, at, ({ endedAt }) => endedAt)?.category ?? null
  }

  /** The model that was at work at this time. */
  modelAt(at: number | null): string | null {
    const turn = this.turns.findLast(({ startedAt, model }) => model !== null && (at === null || startedAt <= at))
    return turn?.model ?? null
  }

  /** True if somebody was at work at this time. */
  isTurn(at: number): boolean {
    return this.turns.some(({ startedAt, endedAt }) => startedAt < at && (endedAt === null || at < endedAt))
  }

  #take(record: Json, at: number | null): void {
    const turn = this.#turns.at(-1)
    switch (record['type']) {
      case 'turn_started':
        this.#unasked = record['yolo_mode'] === true
        return this.#startTurn(record, at)
      case 'turn_ended':
        if (turn === undefined) return
        turn.endedAt = at ?? turn.startedAt
        turn.category = asText(record['cancellation_category'])
        return
      case 'loop_started':
        if (turn !== undefined && at !== null && turn.loops.length < MAX_RECORDS) turn.loops.push(at)
        return
      case 'yolo_toggled':
        this.#unasked = record['enabled'] === true
        return
      case 'permission_resolved':
        return this.#ask(record, at)
      case 'error':
        if (at !== null && this.#errors.length < MAX_RECORDS) this.#errors.push({ at, reason: reasonOf(record) })
        return
      default:
        return this.#endCall(record, at)
    }
  }

  #startTurn(record: Json, at: number | null): void {
    this.#waiting = []
    if (at === null || this.#turns.length >= MAX_RECORDS) return
    const number = asIndex(record['turn_number'])
    const rows = asIndex(record['conversation_message_count'])
    const model = asText(record['model_id'])
    this.#turns.push({ number, rows, startedAt: at, model, loops: [], endedAt: null, category: null })
  }

  #ask(record: Json, at: number | null): void {
    const tool = asText(record['tool_name'])
    if (tool === null || at === null || this.#questions.length >= MAX_RECORDS) return
    const allowed = record['decision'] === 'allow'
    if (!allowed && !REFUSALS.has(asText(record['decision']) ?? '')) return
    const waitedMs = asCount(record['wait_ms'])
    const question = { tool, at, allowed, waitedMs, unasked: this.#unasked }
    this.#questions.push(question)
    const call = asText(record['tool_call_id'])
    if (call === null) this.#waiting.push(question)
    else this.#ends.set(call, { outcome: '', at: null, question })
  }

  #endCall(record: Json, at: number | null): void {
    const call = asText(record['tool_call_id'])
    if (call === null || record['source'] === 'workspace' || this.#ends.size >= MAX_RECORDS) return
    const outcome = asText(record['outcome']) ?? ''
    const question = this.#ends.get(call)?.question ?? this.#answered(asText(record['tool_name']), outcome)
    this.#ends.set(call, { outcome, at, question })
  }

  /** Questions name no call: they are answered in the order in which calls of the tool end. */
  #answered(tool: string | null, outcome: string): Question | null {
    const refused = outcome.startsWith('permission_')
    const nth = this.#waiting.findIndex((asked) => asked.tool === tool && asked.allowed !== refused)
    return nth === -1 ? null : (this.#waiting.splice(nth, 1)[0] ?? null)
  }
}

function nearest(turns: readonly LoggedTurn[], at: number, timeOf: (turn: LoggedTurn) => number | null) {
  let best: LoggedTurn | undefined
  let least = NEAR_MS
  for (const turn of turns) {
    const time = timeOf(turn)
    const distance = time === null ? Infinity : Math.abs(time - at)
    if (distance > least || (best !== undefined && distance === least)) continue
    best = turn
    least = distance
  }
  return best
}
