import type { CostSum } from '../insight/cost.ts'
import type { Tokens } from '../model/usage.ts'
import { key } from './report.ts'
import { count, list, nullable, number, object, text } from './schema.ts'

/** Tokens as every document has them. */
export const tokenFields = {
  input: count(),
  output: count(),
  cache_read: count(),
  cache_write_5m: count(),
  cache_write_1h: count(),
  reasoning: count(),
}

export function tokensDocument(row: Tokens) {
  return {
    input: row.input,
    output: row.output,
    cache_read: row.cacheRead,
    cache_write_5m: row.cacheWrite5m,
    cache_write_1h: row.cacheWrite1h,
    reasoning: row.reasoning,
  }
}

export const costFields = {
  key,
  usd: number(),
  recorded_usd: number(),
  ...tokenFields,
  responses: count(),
  unpriced: count(),
}

export function costDocument(row: CostSum) {
  return {
    key: row.key,
    usd: row.usd,
    recorded_usd: row.recordedUsd,
    ...tokensDocument(row),
    responses: row.responses,
    unpriced: row.unpriced,
  }
}

/** Models that nobody knows the price of. */
export const unpriced = list(object({ model: nullable(text()), responses: count() }))
