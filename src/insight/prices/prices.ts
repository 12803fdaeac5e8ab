import type { Tokens } from '../../model/usage.ts'
import { PRICE_TABLE, type Rates } from './table.ts'

export { PRICES_DATED } from './table.ts'

/** USD for a million tokens of each kind. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  /** What a response with a longer prompt costs instead, where that differs. */
  readonly long: (Omit<Price, 'long'> & { readonly above: number }) | null
}

const MILLION = 1_000_000
const REGIONAL = 'regional.anthropic.'

let table: ReadonlyMap<string, Price> | null = null

/**
 * The price of a model on the day of the table, or null: an unknown model has no price, and none is guessed from its
 * neighbours. Dates, versions, providers and regions in the name are understood; overrides are asked first.
 */
export function priceOf(model: string, overrides: ReadonlyMap<string, Price> = new Map()): Price | null {
  table ??= readTable()
  const names = namesFor(model)
  for (const prices of [overrides, table]) {
    for (const name of [model, ...names]) {
      const price = prices.get(name)
      if (price !== undefined) return price
    }
  }
  return null
}

/** Linear: the cost of a sum is the sum of the costs. Reasoning is within output. */
export function costOf(tokens: Tokens, price: Omit<Price, 'long'>): number {
  return (
    (tokens.input * price.input +
      tokens.output * price.output +
      tokens.cacheRead * price.cacheRead +
      tokens.cacheWrite5m * price.cacheWrite5m +
      tokens.cacheWrite1h * price.cacheWrite1h) /
    MILLION
  )
}

/** The rates of one response, by the length of its prompt. Not for sums. */
export function ratesOf(price: Price, tokens: Tokens): Omit<Price, 'long'> {
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h
  return price.long !== null && prompt > price.long.above ? price.long : price
}

/** What the table may call it, most specific first. */
function namesFor(model: string): string[] {
  const last = model.toLowerCase().trim().split('/').at(-1) ?? ''
  const bedrock = /^(?:([a-z-]+)\.)?anthropic\.(?=claude)/.exec(last)
  const name = last
    .slice(bedrock?.[0].length ?? 0)
    .replace(/\[[^\]]*\]$/, '')
    .replace(/:.*$/, '')
    .replace(/-v\d+$/, '')
    .replace(/@(?:default|latest)$/, '')
    .replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/, '')
  const shorter = [name.replace(/-latest$/, ''), name.replace(/-(?:minimal|low|medium|high|xhigh)$/, '')]
  const names = [name, ...shorter.filter((one) => one !== name)]
  return bedrock === null || bedrock[1] === 'global' ? names : [...names.map((one) => REGIONAL + one), ...names]
}

function readTable(): Map<string, Price> {
  const prices = new Map<string, Price>()
  for (const [names, input, output, read, write5m, write1h, long] of PRICE_TABLE) {
    const rates: Rates = [input, output, read, write5m, write1h]
    const price = { ...named(rates), long: long === undefined ? null : { above: long[0], ...named(restOf(long)) } }
    for (const name of names.split(' ')) prices.set(name, price)
  }
  return prices
}

function named([input, output, cacheRead, cacheWrite5m, cacheWrite1h]: Rates): Omit<Price, 'long'> {
  return { input, output, cacheRead, cacheWrite5m, cacheWrite1h }
}

function restOf([, ...rates]: readonly [above: number, ...rates: Rates]): Rates {
  return rates
}
