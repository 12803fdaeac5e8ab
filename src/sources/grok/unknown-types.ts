import type { Problem } from '../source.ts'

const REMEMBERED = 64

/** Which unknown types of records a session was told to have: each is told once. */
export class UnknownTypes {
  readonly #types: Set<string>

  constructor(remembered: unknown) {
    this.#types = new Set(Array.isArray(remembered) ? remembered.map(String) : [])
  }

  state(): string[] {
    return [...this.#types]
  }

  isNew({ type, level }: Problem): boolean {
    if (level !== 'info') return true
    if (this.#types.has(type) || this.#types.size >= REMEMBERED) return false
    this.#types.add(type)
    return true
  }
}
