const REMEMBERED_PROMPTS = 2000

export interface BranchState {
  prompts: [index: number, pos: number][]
  tip: number | null
}

/** The living branch of a conversation: where each of its prompts starts, and its last event. */
export class Branch {
  readonly #prompts: [index: number, pos: number][]
  tip: number | null

  constructor(state: BranchState | null) {
    this.#prompts = state?.prompts.map(([index, pos]) => [index, pos]) ?? []
    this.tip = state?.tip ?? null
  }

  state(): BranchState {
    return { prompts: this.#prompts.map(([index, pos]) => [index, pos]), tip: this.tip }
  }

  prompt(index: number | null, pos: number): void {
    this.#prompts.push([index ?? this.#prompts.length, pos])
    if (this.#prompts.length > REMEMBERED_PROMPTS) this.#prompts.shift()
  }

  /** Goes back to before the prompt of this number. Says where that stood and how many prompts are taken back. */
  rewind(target: number, pos: number): { readonly from: number; readonly turns: number } | null {
    const at = this.#prompts.findIndex(([index]) => index >= target)
    const from = at === -1 ? undefined : this.#prompts[at]?.[1]
    if (from === undefined || from >= pos) return null
    const turns = this.#prompts.length - at
    this.#prompts.length = at
    this.tip = from === 0 ? null : from - 1
    return { from, turns }
  }
}
