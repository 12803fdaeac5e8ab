import type { SessionBill } from '../../model/facts.ts'
import { asCount, asFigure, asObject, type Json } from '../kit/json.ts'

/** A process that is so much older than its transcript has worked on another session before. */
const OWN_PROCESS_MS = 3_600_000

/**
 * What the client says the whole session has cost so far, by model: compactions and side requests included, which no
 * record of a response tells. It goes on over resumes, and a fork begins with its parent's. Null where it may be the
 * bill of more than this session.
 */
export function billOf(record: Json, line: number, writtenSince: number | null): SessionBill | null {
  const since = asCount(record['startTime'])
  if (since > 0 && writtenSince !== null && writtenSince - since > OWN_PROCESS_MS) return null
  const models = Object.entries(asObject(record['modelUsage']) ?? {}).map(([model, value]) => {
    const usage = asObject(value) ?? {}
    const written = asFigure(usage['cacheCreationInputTokens'])
    const oneHour = Math.min(written, asFigure(usage['cacheCreationEphemeral1hInputTokens']))
    return {
      model,
      input: asFigure(usage['inputTokens']),
      output: asFigure(usage['outputTokens']),
      cacheRead: asFigure(usage['cacheReadInputTokens']),
      cacheWrite5m: written - oneHour,
      cacheWrite1h: oneHour,
      reasoning: asFigure(usage['thinkingTokens']),
    }
  })
  return { models, line }
}
