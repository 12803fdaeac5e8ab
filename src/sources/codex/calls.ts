import type { DeniedBy } from '../../model/marks.ts'

const REMEMBERED = 128

export interface KnownCall {
  readonly pos: number
  readonly tool: string
  /** Told by an event alone; a response item with the same id repeats it. */
  readonly byEvent: boolean
  /** An event has said that it failed. */
  failed: boolean
  /** Who refused it, as an event has said. */
  denied?: DeniedBy
  /** How the command ended, as an event has said. */
  exitCode?: number
  /** When it was made. */
  readonly at: number | null
  /** A permission beyond the sandbox was asked for with the call. */
  asked?: true
  /** How long it stood still before it began. */
  waitedMs?: number
  /** Its result has come: `open` if the command was still running then. */
  answered?: 'open' | 'done'
}

export interface CallsState {
  known: [id: string, call: KnownCall][]
  forgot: boolean
  polled: number
}

/** The latest calls by id: which call an output answers, and whether an event repeats one. Bounded. */
export class Calls {
  /** Ends of commands told by a look at them less those told by an event: each end is told by both, in either order. */
  polled: number
  readonly #known: Map<string, KnownCall>
  #forgot: boolean

  constructor(state?: CallsState) {
    this.#known = new Map(state?.known.map(([id, call]) => [id, { ...call }]))
    this.#forgot = state?.forgot ?? false
    this.polled = state?.polled ?? 0
  }

  get(id: string): KnownCall | null {
    return this.#known.get(id) ?? null
  }

  /** True if no call with this id can have come before. */
  isNew(id: string): boolean {
    return !this.#forgot && !this.#known.has(id)
  }

  add(id: string, call: KnownCall): void {
    if (id === '') return
    this.#known.delete(id)
    this.#known.set(id, call)
    if (this.#known.size <= REMEMBERED) return
    this.#known.delete(this.#known.keys().next().value ?? '')
    this.#forgot = true
  }

  state(): CallsState {
    return {
      known: Array.from(this.#known, ([id, call]) => [id, { ...call }]),
      forgot: this.#forgot,
      polled: this.polled,
    }
  }
}
