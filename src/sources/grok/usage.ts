import type { Usage } from '../../model/usage.ts'
import { asCount, asFigure, asObject, type Json } from '../kit/json.ts'

const TICKS_PER_USD = 1e10

/**
 * What one turn was billed, per model. Told once per prompt, with the same prompt id in every fork that
 * copied the turn; of several models the one that read most takes the prompt's own key. `model` stands in
 * where the record names none.
 */
export function turnUsage(usage: Json, key: string, model: string | null, at: number | null): Usage[] {
  const shares = Object.entries(asObject(usage['modelUsage']) ?? {})
    .map(([name, share]) => ({ name, share: asObject(share) ?? {} }))
    .sort((a, b) => asCount(b.share['inputTokens']) - asCount(a.share['inputTokens']) || (a.name < b.name ? -1 : 1))
  if (shares.length <= 1) return billed(usage, { key, model: shares[0]?.name ?? model, at })
  return shares.flatMap(({ name, share }, nth) =>
    billed(share, { key: nth === 0 ? key : `${key}:${name}`, model: name, at }),
  )
}

function billed(usage: Json, bill: Pick<Usage, 'key' | 'model' | 'at'>): Usage[] {
  const cacheRead = asFigure(usage['cachedReadTokens'])
  const cacheWrite5m = asFigure(usage['cacheCreationTokens'])
  const input = Math.max(0, asFigure(usage['inputTokens']) - cacheRead - cacheWrite5m)
  const output = asFigure(usage['outputTokens'])
  if (input + output + cacheRead + cacheWrite5m === 0) return []
  const ticks = usage['costIsPartial'] === true ? null : usage['costUsdTicks']
  const costUsd = ticks === null || ticks === undefined ? null : asFigure(ticks) / TICKS_PER_USD
  const reasoning = asFigure(usage['reasoningTokens'])
  return [{ ...bill, input, output, cacheRead, cacheWrite5m, cacheWrite1h: 0, reasoning, costUsd }]
}

/** One call of the model as the shared log tells it: cached input is within the prompt, reasoning within the completion. */
export function callUsage(context: Json, key: string, at: number): Usage | null {
  const cacheRead = asFigure(context['cached_prompt_tokens'])
  const input = Math.max(0, asFigure(context['prompt_tokens']) - cacheRead)
  const output = asFigure(context['completion_tokens'])
  if (input + output + cacheRead === 0) return null
  const reasoning = asFigure(context['reasoning_tokens'])
  return { key, model: null, at, input, output, cacheRead, cacheWrite5m: 0, cacheWrite1h: 0, reasoning, costUsd: null }
}
