const REMEMBERED_CALLS = 64

/** A call as its result finds it. */
export interface OpenCall {
  readonly id: string
  /** The client's own name of the tool. */
  readonly tool: string
  readonly at: number | null
}

/** The calls that have no result yet. */
export class OpenCalls {
  readonly #calls: Map<string, OpenCall>

  constructor(state: readonly OpenCall[] | undefined) {
    this.#calls = new Map(state?.map((call) => [call.id, call]))
  }

  state(): OpenCall[] {
    return [...this.#calls.values()]
  }

  open(call: OpenCall): void {
    this.#calls.set(call.id, call)
    if (this.#calls.size > REMEMBERED_CALLS) this.#calls.delete(this.#calls.keys().next().value ?? '')
  }

  take(id: string): OpenCall | undefined {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    return call
  }
}
