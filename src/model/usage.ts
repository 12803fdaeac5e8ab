/** Tokens of one billed response. `input` is fresh input; cached input is counted apart; `reasoning` is within `output`. */
export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly reasoning: number
}

/** One response as a log tells it. The same `key` may come many times and from many files; the ledger keeps the largest of each field. */
export interface Usage extends Tokens {
  readonly key: string
  readonly model: string | null
  readonly at: number | null
  /** Price as the agent itself recorded it, in USD. */
  readonly costUsd: number | null
}
