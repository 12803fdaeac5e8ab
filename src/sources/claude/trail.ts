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
 * that a chain through them stays whole. Bounded; what is forgotten or was read earlier is looked up by id.
 */
export class UuidTrail {
  readonly #known = new Map<string, Place>()
  readonly #skipped: Map<string, Place>
  readonly #hasPast: boolean
  #forgot = false

  constructor(state: TrailState | undefined, hasPast: boolean) {
    this.#skipped = new Map(state?.skipped)
    this.#hasPast = hasPast
  }

  find(uuid: string | null): Place {
    if (uuid === null) return null
    const known = this.#known.get(uuid) ?? this.#skipped.get(uuid)
    if (known !== undefined) return known
    return this.#hasPast || this.#forgot ? uuid : null
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
    if (this.#known.size > REMEMBERED) {
      this.#known.delete(this.#known.keys().next().value ?? '')
      this.#forgot = true
    }
  }
}
