import { asFigure, asObject, asText, type Json } from '../kit/json.ts'
import { timeOf } from './database-session.ts'
import type { ItemWriter } from './item-writer.ts'
import type { Message } from './rows.ts'

interface Figures {
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
}

/**
 * What an answer has cost. Its steps say it where there are any: in the first versions one answer had several, and the
 * message told the last one's tokens. The key is the same in a fork, which copies the numbers with the words.
 */
export function tellUsage(
  { at, data }: Message,
  parts: readonly Json[],
  { key, index, pos }: { readonly key: string; readonly index: number | null; readonly pos: number },
  writer: ItemWriter,
): void {
  const steps = parts.filter((part) => part['type'] === 'step-finish' && asObject(part['tokens']) !== null)
  const told = steps.length > 0 ? steps : [data ?? {}]
  const isFirst = isOfFirstVersions(data ?? {}, steps)
  const model = asText(data?.['modelID'])
  for (const [n, step] of told.entries()) {
    const figures = figuresOf(asObject(step['tokens']) ?? {}, isFirst)
    const cost = asFigure(step['cost'])
    if (cost === 0 && Object.values(figures).every((figure) => figure === 0)) continue
    const sums = Object.values(figures).join('-')
    const usage = {
      key: `${key}:${n}:${sums}`,
      model,
      at: timeOf(asObject(data?.['time'])?.['completed']) ?? (at > 0 ? at : null),
      ...figures,
      cacheWrite1h: 0,
      costUsd: cost === 0 ? null : cost,
    }
    writer.usage(usage, index, pos)
  }
}

/** Up to 0.5 input had in it what was read from the cache. Those versions wrote their prompt into every answer. */
function isOfFirstVersions(data: Json, steps: readonly Json[]): boolean {
  return Array.isArray(data['system']) || steps.length > 1
}

/**
 * Where the total says so, or there is none, reasoning is within the output as it is told; since 1.3.16 it stands apart.
 */
function figuresOf(tokens: Json, isFirst: boolean): Figures {
  const cache = asObject(tokens['cache'])
  const [read, write] = [asFigure(cache?.['read']), asFigure(cache?.['write'])]
  const [input, output, reasoning] = [
    asFigure(tokens['input']),
    asFigure(tokens['output']),
    asFigure(tokens['reasoning']),
  ]
  const total = typeof tokens['total'] === 'number' ? tokens['total'] : null
  const isWithin = total === null || total === input + output + read + write
  return {
    input: isFirst ? Math.max(0, input - read) : input,
    output: isWithin ? output : output + reasoning,
    reasoning,
    cacheRead: read,
    cacheWrite5m: write,
  }
}
