import type { SessionBill } from '../../model/facts.ts'
import type { Marks } from '../../model/marks.ts'
import { asFigure, asObject, asText, type Json } from '../kit/json.ts'
import type { Billed, ItemWriter } from './item-writer.ts'
import { callKey } from './messages.ts'

/** One call of the service. */
export function mapUsage(writer: ItemWriter): void {
  const usage = asObject(writer.data['usage'])
  if (usage === null) return
  const accounting = asObject(usage['accounting'])
  const key = callKey(usage)
  const id = key ?? asText(accounting?.['usageId'])
  if (id === null) return
  const message = key === null ? null : writer.lane.message(key)
  writer.usage({ key: id, model: asText(usage['model']), ...tokensOf(usage), cacheWrite1h: 0, costUsd: null }, message)
}

/** Input as it is told has what was read from the cache and written to it in it. */
function tokensOf(usage: Json): Billed {
  const read = figure(usage, 'cacheReadTokens', 'cacheRead')
  const write = figure(usage, 'cacheWriteTokens', 'cacheWrite')
  return {
    input: figure(usage, 'inputTokens', 'input') - read - write,
    output: figure(usage, 'outputTokens', 'output'),
    cacheRead: read,
    cacheWrite5m: write,
    reasoning: figure(usage, 'reasoningTokens', 'reasoning'),
  }
}

function figure(usage: Json, name: string, older: string): number {
  return asFigure(usage[name] ?? usage[older])
}

/** The conversation was replaced by a summary. What that cost stands here alone, and in no total of the client. */
export function mapCompaction(writer: ItemWriter): void {
  const { data } = writer
  const used = asObject(data['compactionTokensUsed'])
  const model = asText(used?.['model'])
  if (used !== null) {
    const id = `compaction:${asText(data['compactionAttemptId']) ?? asText(writer.record['id']) ?? ''}`
    const tokens = tokensOf(used)
    writer.usage({ key: id, model, ...tokens, cacheWrite1h: 0, costUsd: null }, null)
    addTo(writer.compactions, model ?? '', tokens)
  }
  if (data['success'] === false) return writer.note(`compaction failed: ${asText(data['error']) ?? 'no reason told'}`)
  const summary = asText(data['summaryContent'])
  const trigger = asText(data['trigger'])
  const compacted: Marks['compacted'] = trigger === null ? 'unknown' : trigger === 'manual' ? 'manual' : 'auto'
  writer.note(summary === null ? 'conversation compacted' : `conversation compacted\n\n${summary}`, { compacted })
}

/** The end of a run, with all that the session has cost so far. */
export function mapShutdown(writer: ItemWriter): void {
  const { data } = writer
  const models = Object.entries(asObject(data['modelMetrics']) ?? {}).flatMap(([model, metrics]) => {
    const usage = asObject(asObject(metrics)?.['usage'])
    return usage === null ? [] : [billOf(model, tokensOf(usage), writer.compactions.get(model))]
  })
  if (models.length > 0) writer.bill(models)
  const isError = data['shutdownType'] === 'error'
  const reason = asText(data['errorReason'])
  writer.note(isError ? `ended by an error${reason === null ? '' : `: ${reason}`}` : 'ended')
}

function billOf(model: string, tokens: Billed, more: Billed | undefined): SessionBill['models'][number] {
  return { model, ...(more === undefined ? tokens : sum(tokens, more)), cacheWrite1h: 0 }
}

function addTo(sums: Map<string, Billed>, model: string, tokens: Billed): void {
  const known = sums.get(model)
  if (Object.values(tokens).some((value) => Number.isNaN(value))) return
  sums.set(model, known === undefined ? tokens : sum(known, tokens))
}

function sum(a: Billed, b: Billed): Billed {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    reasoning: a.reasoning + b.reasoning,
  }
}
