const REMEMBERED = 128

/** The ways in which a rollout tells one thing. */
export type Form = 'item' | 'event' | 'turnItem' | 'block'

interface Heard {
  /** How often it became an event. */
  told: number
  item: number
  event: number
  turnItem: number
  block: number
  key: string
}

export type DuplicateTellingsState = [what: string, heard: Heard][]

/**
 * Pairs the tellings of one thing, whichever comes first: what one form says for the n-th time is news
 * only if no other form has said it n times. Bounded, and forgotten when the next turn begins.
 */
export class DuplicateTellings {
  readonly #heard: Map<string, Heard>

  constructor(state: DuplicateTellingsState = []) {
    this.#heard = new Map(state.map(([what, heard]) => [what, { ...heard }]))
  }

  /** True if this is news. `key` then names what it becomes. */
  isNews(form: Form, what: string, key: string): boolean {
    const heard = this.#heard.get(what) ?? { told: 0, item: 0, event: 0, turnItem: 0, block: 0, key: '' }
    this.#heard.delete(what)
    this.#heard.set(what, heard)
    if (this.#heard.size > REMEMBERED) this.#heard.delete(this.#heard.keys().next().value ?? '')
    heard[form]++
    if (heard[form] <= heard.told) return false
    heard.told++
    heard.key = key
    return true
  }

  /** True if another form has said this and this one not yet. */
  isTold(form: Form, what: string): boolean {
    const heard = this.#heard.get(what)
    return heard !== undefined && heard[form] < heard.told
  }

  /** What it became when it was news. */
  keyOf(what: string): string | null {
    return this.#heard.get(what)?.key ?? null
  }

  forget(): void {
    this.#heard.clear()
  }

  state(): DuplicateTellingsState {
    return Array.from(this.#heard, ([what, heard]) => [what, { ...heard }])
  }
}
