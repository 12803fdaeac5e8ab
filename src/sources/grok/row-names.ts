import { createHash } from 'node:crypto'
import type { Json } from '../kit/json.ts'

const REMEMBERED_ROWS = 1000

export type NamesState = [digest: string, count: number][]

/**
 * Rows have no ids. What they say, and how often it was said before, names them well enough to know them
 * again after the file was rewritten, and in the history of a fork, which bears its parent's name.
 */
export class RowNames {
  readonly #seen: Map<string, number>

  constructor(state: NamesState | undefined) {
    this.#seen = new Map(state)
  }

  state(): NamesState {
    return [...this.#seen]
  }

  nameOf(record: Json, owner: string): string {
    const digest = createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16)
    const nth = this.#seen.get(digest) ?? 0
    this.#seen.delete(digest)
    this.#seen.set(digest, nth + 1)
    if (this.#seen.size > REMEMBERED_ROWS) this.#seen.delete(this.#seen.keys().next().value ?? '')
    return `${owner}:${digest}:${nth}`
  }
}
