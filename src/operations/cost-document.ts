import type { CostSum } from '../../insight/cost.ts'
import type { Tokens } from '../../model/usage.ts'

export function tokensJson(row: Tokens) {
  return {
    input: row.input,
    output: row.output,
    cache_read: row.cacheRead,
    cache_write_5m: row.cacheWrite5m,
    cache_write_1h: row.cacheWrite1h,
    reasoning: row.reasoning,
  }
}

export function costJson(row: CostSum) {
  return {
    key: row.key,
    usd: row.usd,
    recorded_usd: row.recordedUsd,
    ...tokensJson(row),
    responses: row.responses,
    unpriced: row.unpriced,
  }
}
