const REMEMBERED = 256
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A short name of a text, blind to white space, in which the two tellings of a text differ. */
export function digest(text: string): string {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c <= 32 || c === 0xa0) continue
    low = Math.imul(low ^ c, 0x01000193)
    high = Math.imul(high ^ c, 0x85ebca6b)
    high ^= high >>> 15
  }
  return hex(low) + hex(high)
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}

export function isUuid(id: string): boolean {
  return UUID.test(id)
}

export interface NativeIdsState {
  root: string
  chain: string
  turn: string | null
  counts: [what: string, count: number][]
}

/**
 * Ids of records that have none. A fork holds its parent's records under other times and, in later
 * versions, without those in between, so an id is made of what a copy keeps: the turn and the content.
 * Before there were turn ids forks copied everything: there each id follows from the one before and the
 * content, beginning with the id of the first ancestor, and the ids of two forks part where they do.
 */
export class NativeIds {
  #root: string
  #chain: string
  #turn: string | null
  readonly #counts: Map<string, number>

  constructor(session: string, state?: NativeIdsState) {
    this.#root = state?.root ?? session
    this.#chain = state?.chain ?? digest(session)
    this.#turn = state?.turn ?? null
    this.#counts = new Map(state?.counts)
  }

  /** Names the ancestor whose records come first. */
  setRoot(session: string): void {
    this.#root = session
    this.#chain = digest(session)
  }

  startTurn(id: string): void {
    if (id === this.#turn) return
    this.#turn = id
    this.#counts.clear()
  }

  /** Id of the next record with this content; `turn` if the record itself names one. */
  next(what: string, turn: string | null = null): string {
    const known = turn ?? this.#turn
    if (known === null) {
      this.#chain = digest(`${this.#chain}:${what}`)
      return this.#chain
    }
    const key = `${isUuid(known) ? known : `${this.#root}:${known}`}:${what}`
    const short = digest(key)
    const count = this.#counts.get(short) ?? 0
    this.#counts.set(short, count + 1)
    if (this.#counts.size > REMEMBERED) this.#counts.delete(this.#counts.keys().next().value ?? '')
    return count === 0 ? key : `${key}:${count}`
  }

  state(): NativeIdsState {
    return { root: this.#root, chain: this.#chain, turn: this.#turn, counts: [...this.#counts] }
  }
}
