const REMEMBERED = 128

export interface KnownCall {
  readonly pos: number
  readonly tool: string
  /** Told by an event alone; a response item with the same id repeats it. */
  readonly byEvent: boolean
  /** An event has said that it failed. */
  failed: boolean
}

export interface CallsState {
  known: [id: string, pos: number, tool: string, byEvent: boolean, failed: boolean][]
  forgot: boolean
}

/** The latest calls by id: which call an output answers, and whether an event repeats one. Bounded. */
export class Calls {
  readonly #known: Map<string, KnownCall>
  #forgot: boolean

  constructor(state?: CallsState) {
    this.#known = new Map(state?.known.map(([id, pos, tool, byEvent, failed]) => [id, { pos, tool, byEvent, failed }]))
    this.#forgot = state?.forgot ?? false
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
      known: Array.from(this.#known, ([id, { pos, tool, byEvent, failed }]) => [id, pos, tool, byEvent, failed]),
      forgot: this.#forgot,
    }
  }
}
