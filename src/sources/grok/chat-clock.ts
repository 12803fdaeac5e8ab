import type { LoggedTurn, TurnLog } from './turn-log.ts'

export interface ClockState {
  turn: number | null
  answers: number
  at: number | null
}

/** Rows of a chat history have no times: they get those of their turn, its steps and its calls from the telemetry. */
export class ChatClock {
  readonly #log: TurnLog
  /** When the turn began. */
  #turn: number | null
  #answers: number
  at: number | null

  constructor(log: TurnLog, state: ClockState | null) {
    this.#log = log
    this.#turn = state?.turn ?? null
    this.#answers = state?.answers ?? 0
    this.at = state?.at ?? null
  }

  state(): ClockState {
    return { turn: this.#turn, answers: this.#answers, at: this.at }
  }

  /** A prompt is known by its number or, where it has none, by how many rows stand before it. */
  prompt(index: number | null, row: number): void {
    const found = this.#log.turns.findLast((turn) => (index === null ? turn.rows === row : turn.number === index))
    this.#turn = found?.startedAt ?? null
    this.#answers = 0
    this.at = this.#turn
  }

  answer(): void {
    const began = this.#logged()?.loops[this.#answers++]
    if (began !== undefined) this.at = began
  }

  result(call: string): void {
    const ended = this.#log.endOf(call)?.at
    if (ended !== null && ended !== undefined && this.#turn !== null) this.at = ended
  }

  #logged(): LoggedTurn | undefined {
    return this.#turn === null ? undefined : this.#log.turns.find(({ startedAt }) => startedAt === this.#turn)
  }
}
