import { asFigure, asObject, type Json } from '../kit/json.ts'
import type { LeftOut } from '../source.ts'
import type { Tokens } from '../../model/usage.ts'

export type Counter = 'token_count' | 'token_usage_record'

/** A running total as the log tells it: what the cache gave and took within `input`, reasoning within `output`. */
export interface Total {
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
  readonly reasoning: number
  readonly all: number
}

export interface MeterState {
  last: Total | null
  counter: Counter | null
  restarts: number
}

export interface Reading {
  readonly tokens: Tokens
  /** What makes the change one of a kind, in every copy of the file. */
  readonly key: string
  readonly leftOut: LeftOut | null
}

const NOTHING: Total = { input: 0, cached: 0, written: 0, output: 0, reasoning: 0, all: 0 }

/** Turns totals that only grow, are repeated and go on after a fork into what each response cost. */
export class Meter {
  #last: Total | null
  #counter: Counter | null
  #restarts: number

  constructor(state?: MeterState) {
    this.#last = state?.last ?? null
    this.#counter = state?.counter ?? null
    this.#restarts = state?.restarts ?? 0
  }

  /** What is new in `total`. `latest` is the response it ends with, if the log says. */
  read(counter: Counter, total: Total, latest: Total | null, origin: { copied: boolean; forked: boolean }): Reading {
    const before = this.#last ?? (origin.forked && !origin.copied && latest ? minus(total, latest) : NOTHING)
    const change = compare(total, before)
    const other = this.#counter !== null && this.#counter !== counter
    if (change <= 0 && (other || (change === 0 && this.#last !== null))) {
      return this.#reading(total, latest ?? NOTHING, origin.copied ? 'fork_copy' : other ? 'mirror' : 're_emitted')
    }
    if (change < 0) this.#restarts++
    this.#last = total
    this.#counter = counter
    return this.#reading(total, change < 0 ? total : minus(total, before), origin.copied ? 'fork_copy' : null)
  }

  state(): MeterState {
    return { last: this.#last, counter: this.#counter, restarts: this.#restarts }
  }

  #reading(total: Total, spent: Total, leftOut: LeftOut | null): Reading {
    const restarts = this.#restarts === 0 ? '' : `:${this.#restarts}`
    return { tokens: tokensOf(spent), key: `${total.all}:${total.input}:${total.output}${restarts}`, leftOut }
  }
}

export function totalOf(value: unknown): Total | null {
  const usage = asObject(value)
  if (usage === null) return null
  const input = asFigure(usage['input_tokens'])
  const output = asFigure(usage['output_tokens'])
  return {
    input,
    cached: Math.min(input, asFigure(usage['cached_input_tokens'])),
    written: firstFigure(usage['cache_write_input_tokens'], usage['cache_creation_input_tokens']),
    output,
    reasoning: asFigure(usage['reasoning_output_tokens']),
    all: firstFigure(usage['total_tokens'], input + output),
  }
}

function firstFigure(first: unknown, second: unknown): number {
  const figure = asFigure(first)
  return figure === 0 ? asFigure(second) : figure
}

/** False if there is a figure in it that no counter can show: nothing can be told from it then. */
export function isCounted(total: Total): boolean {
  return Object.values(total).every((figure: number) => !Number.isNaN(figure))
}

/** Running total and latest response of a `token_count`; null where it only tells limits. */
export function countOf(payload: Json): { total: Total; latest: Total | null } | null {
  const info = asObject(payload['info'])
  const total = totalOf(info?.['total_token_usage'])
  return total === null ? null : { total, latest: totalOf(info?.['last_token_usage']) }
}

export function isNothing(tokens: Tokens): boolean {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite5m === 0
}

/** Positive if `total` has grown, 0 if it is the same, negative if the counter began anew. */
function compare(total: Total, before: Total): number {
  if (total.all !== before.all) return total.all - before.all
  return Math.abs(total.input - before.input) + Math.abs(total.output - before.output)
}

function minus(a: Total, b: Total): Total {
  const less = (field: keyof Total) => Math.max(0, a[field] - b[field])
  return {
    input: less('input'),
    cached: less('cached'),
    written: less('written'),
    output: less('output'),
    reasoning: less('reasoning'),
    all: less('all'),
  }
}

function tokensOf(spent: Total): Tokens {
  return {
    input: Math.max(0, spent.input - spent.cached - spent.written),
    output: spent.output,
    cacheRead: spent.cached,
    cacheWrite5m: spent.written,
    cacheWrite1h: 0,
    reasoning: spent.reasoning,
  }
}
