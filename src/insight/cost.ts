import { UserError } from '../model/errors.ts'
import type { Tokens } from '../model/usage.ts'
import type { SpentSum } from '../store/insight.ts'
import { costOf, priceOf, type Price } from './prices/prices.ts'

/** Tokens and money of some responses. */
export interface CostSum extends Tokens {
  /** Null: not known what they are filed under. */
  readonly key: string | null
  readonly usd: number
  /** The part of `usd` that is not from the price list but was recorded by the agent, for models without a price. */
  readonly recordedUsd: number
  readonly responses: number
  /** Responses in none of the sums of money: no price, and none recorded. */
  readonly unpriced: number
}

export interface Unpriced {
  readonly model: string | null
  readonly responses: number
}

export interface Cost {
  readonly rows: readonly CostSum[]
  readonly total: CostSum
  readonly unpriced: readonly Unpriced[]
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What sums of responses cost: by the price list where it knows the model, else as the agent recorded it. */
export function costOfSums(sums: readonly SpentSum[], prices: ReadonlyMap<string, Price>): Cost {
  const rows = new Map<string | null, Mutable<CostSum>>()
  const total = noCost(null)
  const unpriced = new Map<string | null, number>()
  const priceFor = priceFinder(prices)
  for (const sum of sums) {
    const price = priceFor(sum.model)
    let row = rows.get(sum.key)
    if (row === undefined) rows.set(sum.key, (row = noCost(sum.key)))
    addCost(row, sum, price)
    addCost(total, sum, price)
    const missing = price === null ? sum.responses - sum.recorded : 0
    if (missing > 0) unpriced.set(sum.model, (unpriced.get(sum.model) ?? 0) + missing)
  }
  const models = [...unpriced].map(([model, responses]) => ({ model, responses }))
  return { rows: [...rows.values()], total, unpriced: models.sort((a, b) => b.responses - a.responses) }
}

/** What one model was used for, in all or under one key. */
export interface ModelSum extends CostSum {
  /** Null: not known. */
  readonly model: string | null
  readonly sessions: number
}

/** The same by model within each key; `sessionsOf` a `modelKey`. */
export function costByModel(
  sums: readonly SpentSum[],
  prices: ReadonlyMap<string, Price>,
  sessionsOf: (name: string) => number,
): ModelSum[] {
  const rows = new Map<string, Mutable<ModelSum>>()
  const priceFor = priceFinder(prices)
  for (const sum of sums) {
    const name = modelKey(sum)
    let row = rows.get(name)
    if (row === undefined) {
      row = Object.assign(noCost(sum.key), { model: sum.model, sessions: sessionsOf(name) })
      rows.set(name, row)
    }
    addCost(row, sum, priceFor(sum.model))
  }
  return [...rows.values()]
}

/** No name of anything. */
const UNKNOWN = '\uffff'

/** Tells rows by model within each key apart. */
export function modelKey({ key, model }: Pick<SpentSum, 'key' | 'model'>): string {
  return `${key ?? UNKNOWN}\0${model ?? UNKNOWN}`
}

/** Finds the price of a model; each is asked for once. */
export function priceFinder(prices: ReadonlyMap<string, Price>): (model: string | null) => Price | null {
  const known = new Map<string | null, Price | null>([[null, null]])
  return (model) => {
    let price = known.get(model)
    if (price === undefined) known.set(model, (price = model === null ? null : priceOf(model, prices)))
    return price
  }
}

function noCost(key: string | null): Mutable<CostSum> {
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 }
  return { key, usd: 0, recordedUsd: 0, ...tokens, responses: 0, unpriced: 0 }
}

function addCost(into: Mutable<CostSum>, sum: SpentSum, price: Price | null): void {
  into.input += sum.input
  into.output += sum.output
  into.cacheRead += sum.cacheRead
  into.cacheWrite5m += sum.cacheWrite5m
  into.cacheWrite1h += sum.cacheWrite1h
  into.reasoning += sum.reasoning
  into.responses += sum.responses
  if (price === null) {
    into.usd += sum.recordedUsd
    into.recordedUsd += sum.recordedUsd
    into.unpriced += sum.responses - sum.recorded
  } else {
    into.usd += costOf(sum, price.long !== null && sum.size >= price.long.above ? price.long : price)
  }
}

/** Prices as they stand in the config: USD for a million tokens. */
export type PriceTable = ReadonlyMap<string, Readonly<Record<string, number>>>

const FIELDS = ['input', 'output', 'cache_read', 'cache_write_5m', 'cache_write_1h']

/** Prices of one's own. What is not told of the cache costs what it costs at most agents: a tenth, 1.25 and 2 times the input. */
export function ownPrices(table: PriceTable): ReadonlyMap<string, Price> {
  return new Map([...table].map(([model, given]) => [model, ownPrice(model, given)]))
}

function ownPrice(model: string, given: Readonly<Record<string, number>>): Price {
  const wrong = Object.keys(given).find((name) => !FIELDS.includes(name))
  const { input, output } = given
  if (wrong !== undefined || input === undefined || output === undefined) {
    const message = wrong === undefined ? 'needs input and output' : `knows no ${wrong}`
    throw new UserError('BAD_CONFIG', `prices."${model}" ${message}`, `it takes ${FIELDS.join(', ')}`)
  }
  return {
    input,
    output,
    cacheRead: given['cache_read'] ?? input * 0.1,
    cacheWrite5m: given['cache_write_5m'] ?? input * 1.25,
    cacheWrite1h: given['cache_write_1h'] ?? input * 2,
    long: null,
  }
}

const HOUR = 3_600_000
const BLOCK = 5 * HOUR

export interface Block {
  readonly from: number
  readonly to: number
  readonly usd: number
}

/** Whether nothing was billed for the length of a block: whatever was before, the next response begins a new one. */
export function hasPause(rows: readonly { readonly at: number }[], since: number): boolean {
  return rows.some(({ at }, i) => at - (rows[i - 1]?.at ?? since) >= BLOCK) || rows.length === 0
}

/**
 * The five hours that are running: they begin with the full hour of a response, and the next begin with the first
 * response after them. Null if none are running. `rows` are by quarter of an hour, in order.
 */
export function runningBlock(
  rows: readonly { readonly at: number; readonly usd: number }[],
  now: number,
): Block | null {
  let block: { from: number; to: number; usd: number } | null = null
  for (const { at, usd } of rows) {
    if (block === null || at >= block.to) {
      const from = Math.floor(at / HOUR) * HOUR
      block = { from, to: from + BLOCK, usd: 0 }
    }
    block.usd += usd
  }
  return block !== null && now < block.to ? block : null
}
