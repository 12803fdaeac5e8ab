import { grouped } from '../model/text.ts'

/** A number, or a few words with one, and what it was counted from: `uid` or `uid#seq`. */
export interface Counted {
  readonly shown: string
  readonly evidence: readonly string[]
  /** How many there are, where `evidence` is only the first of them. */
  readonly of?: number
}

/** A piece of a line. Plain strings are text of anybody's and mean nothing but themselves. `session` is a uid. */
export type Inline =
  | string
  | { readonly strong: string }
  | { readonly code: string }
  | { readonly session: string }
  | Counted

export type Line = readonly Inline[]

export interface Bar {
  readonly label: string
  /** Parts of the bar, in the order of the legend. */
  readonly parts: readonly number[]
  readonly shown: string
}

export type Block =
  | { readonly block: 'heading'; readonly level: 1 | 2 | 3; readonly line: Line }
  | { readonly block: 'text'; readonly line: Line }
  | { readonly block: 'list'; readonly items: readonly Line[]; readonly numbered?: boolean }
  | { readonly block: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly Line[])[] }
  /** Drawn where drawing is possible; its numbers stand in a table beside it. */
  | {
      readonly block: 'chart'
      readonly title: string
      readonly legend: readonly string[]
      readonly bars: readonly Bar[]
    }

export interface Page {
  readonly title: string
  readonly blocks: readonly Block[]
}

export function counted(shown: number | string, evidence: readonly string[], of?: number): Counted {
  const text = typeof shown === 'number' ? grouped(shown) : shown
  return { shown: text, evidence, ...(of === undefined || of <= evidence.length ? {} : { of }) }
}

export function heading(level: 1 | 2 | 3, ...line: Inline[]): Block {
  return { block: 'heading', level, line }
}

export function text(...line: Inline[]): Block {
  return { block: 'text', line }
}

/** Lists of evidence, each once, numbered from 1 in the order in which they are asked for. */
export class Notes {
  readonly #numbers = new Map<string, number>()
  readonly #notes: { evidence: readonly string[]; of: number }[] = []

  /** The number of this list; null for an empty one. */
  numberOf({ evidence, of = evidence.length }: Counted): number | null {
    if (evidence.length === 0) return null
    const key = `${of}\n${evidence.join('\n')}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#notes.push({ evidence, of })
    this.#numbers.set(key, this.#notes.length)
    return this.#notes.length
  }

  all(): readonly { readonly evidence: readonly string[]; readonly of: number }[] {
    return this.#notes
  }
}
