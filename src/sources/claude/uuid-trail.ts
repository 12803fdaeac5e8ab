const REMEMBERED = 50_000
const REMEMBERED_SKIPPED = 32

/** Position, or the id of a record that only the store can place, or null if there is no such record. */
type Place = number | string | null

export interface TrailState {
  /** Records that became no event, each with what it hangs on. */
  skipped: [uuid: string, place: Place][]
}

/**
 * Which position a record's uuid leads to. Records that became no event lead to what they hang on, so
 * that a chain through them stays whole. Bounded; what is forgotten, was read earlier or stands in another transcript is
 * looked up by id.
 */
export class UuidTrail {
  readonly #known = new Map<string, Place>()
  readonly #skipped: Map<string, Place>

  constructor(state: TrailState | undefined) {
    this.#skipped = new Map(state?.skipped)
  }

  find(uuid: string | null): Place {
    if (uuid === null) return null
    return this.#known.get(uuid) ?? this.#skipped.get(uuid) ?? uuid
  }

  became(uuid: string, pos: number): void {
    this.#remember(uuid, pos)
  }

  skipped(uuid: string, parent: Place): void {
    this.#remember(uuid, parent)
    this.#skipped.delete(uuid)
    this.#skipped.set(uuid, parent)
    if (this.#skipped.size > REMEMBERED_SKIPPED) this.#skipped.delete(this.#skipped.keys().next().value ?? '')
  }

  state(): TrailState {
    return { skipped: [...this.#skipped] }
  }

  #remember(uuid: string, place: Place): void {
    this.#known.set(uuid, place)
    if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value ?? '')
  }
}
