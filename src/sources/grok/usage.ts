import type { Usage } from '../../model/usage.ts'
import { asCount, asObject, type Json } from '../kit/json.ts'

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
  const cacheRead = asCount(usage['cachedReadTokens'])
  const cacheWrite5m = asCount(usage['cacheCreationTokens'])
  const input = Math.max(0, asCount(usage['inputTokens']) - cacheRead - cacheWrite5m)
  const output = asCount(usage['outputTokens'])
  if (input + output + cacheRead + cacheWrite5m === 0) return []
  const ticks = usage['costIsPartial'] === true ? null : usage['costUsdTicks']
  const costUsd = typeof ticks === 'number' ? ticks / TICKS_PER_USD : null
  const reasoning = asCount(usage['reasoningTokens'])
  return [{ ...bill, input, output, cacheRead, cacheWrite5m, cacheWrite1h: 0, reasoning, costUsd }]
}

/** One call of the model as the shared log tells it: cached input is within the prompt, reasoning within the completion. */
export function callUsage(context: Json, key: string, at: number): Usage | null {
  const cacheRead = asCount(context['cached_prompt_tokens'])
  const input = Math.max(0, asCount(context['prompt_tokens']) - cacheRead)
  const output = asCount(context['completion_tokens'])
  if (input + output + cacheRead === 0) return null
  const reasoning = asCount(context['reasoning_tokens'])
  return { key, model: null, at, input, output, cacheRead, cacheWrite5m: 0, cacheWrite1h: 0, reasoning, costUsd: null }
}
