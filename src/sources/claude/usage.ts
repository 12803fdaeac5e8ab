import { asFigure, asObject, asText, type Json } from '../kit/json.ts'
import { parseInstant } from '../../model/time.ts'
import type { Usage } from '../../model/usage.ts'

export const SYNTHETIC_MODEL = '<synthetic>'

export function modelOf(message: Json): string | null {
  const model = asText(message['model'])
  return model === SYNTHETIC_MODEL ? null : model
}

/**
 * What a record says was billed. The same response is told once per content block, with growing counts,
 * and again in every copy: the key is the response's own id. Null where nothing was billed.
 */
export function usageOf(record: Json, message: Json): Usage | null {
  const usage = asObject(message['usage'])
  const id = asText(message['id'])
  const request = asText(record['requestId'])
  const key = id === null ? asText(record['uuid']) : request === null ? id : `${id}:${request}`
  if (key === null) return null
  const cost = record['costUSD'] === undefined || record['costUSD'] === null ? null : asFigure(record['costUSD'])
  const tokens = usage === null ? oldRecordTokens(record) : messageTokens(usage)
  if (tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h === 0) return null
  // What is spread comes last: names that are added after it cost ten times as much.
  return { key, model: modelOf(message), at: parseInstant(record['timestamp']), costUsd: cost, ...tokens }
}

function messageTokens(usage: Json) {
  const split = asObject(usage['cache_creation'])
  const longer = asFigure(split?.['ephemeral_1h_input_tokens'])
  const total = asFigure(usage['cache_creation_input_tokens'])
  const written = total !== 0 ? total : longer + asFigure(split?.['ephemeral_5m_input_tokens'])
  const oneHour = Math.min(written, longer)
  return {
    input: asFigure(usage['input_tokens']),
    output: asFigure(usage['output_tokens']),
    cacheRead: asFigure(usage['cache_read_input_tokens']),
    cacheWrite5m: written - oneHour,
    cacheWrite1h: oneHour,
    reasoning: asFigure(asObject(usage['output_tokens_details'])?.['reasoning_tokens']),
  }
}

function oldRecordTokens(record: Json) {
  return {
    input: asFigure(record['inputTokens']),
    output: asFigure(record['outputTokens']),
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    reasoning: 0,
  }
}
