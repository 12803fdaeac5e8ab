import { asObject, asText, type Json } from '../kit/json.ts'

const REMEMBERED = 128

export interface TurnsState {
  starts: number[]
  task: number | null
  inTask: boolean
}

/** Where the latest turns of the person began, so that turns taken back can be found. Bounded. */
export class Turns {
  readonly #starts: number[]
  #task: number | null
  #inTask: boolean

  constructor(state?: TurnsState) {
    this.#starts = [...(state?.starts ?? [])]
    this.#task = state?.task ?? null
    this.#inTask = state?.inTask ?? false
  }

  taskStarted(pos: number): void {
    this.#task = pos
    this.#inTask = true
  }

  taskEnded(): void {
    this.#inTask = false
    this.#task = null
  }

  get inTask(): boolean {
    return this.#inTask
  }

  /** True if a prompt that comes now reaches an agent that is at work on another one. */
  get isRunning(): boolean {
    return this.#inTask && this.#task === null
  }

  /** A prompt begins a turn, unless it was typed into a running one. */
  prompted(pos: number): void {
    if (this.isRunning) return
    this.#starts.push(this.#task ?? pos)
    this.#task = null
    if (this.#starts.length > REMEMBERED) this.#starts.shift()
  }

  /** Takes back the last `count` turns; the position where the first of them began. */
  takeBack(count: number): number | null {
    if (count < 1) return null
    const taken = this.#starts.splice(-count)
    this.taskEnded()
    return taken[0] ?? null
  }

  state(): TurnsState {
    return { starts: [...this.#starts], task: this.#task, inTask: this.#inTask }
  }
}

/** The turn that a record itself says it belongs to. */
export function namedTurn(payload: Json): string | null {
  const passed = asObject(payload['internal_chat_message_metadata_passthrough'])
  return asText(payload['turn_id']) ?? asText(passed?.['turn_id'])
}
