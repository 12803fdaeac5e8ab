import type { UsageRow } from '../store/store.ts'

/** Of what is told of one message again and again while it grows: the most of each. */
export function largest(a: UsageRow | undefined, b: UsageRow): UsageRow {
  if (!a) return b
  return {
    ...a,
    model: a.model ?? b.model,
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
    cacheRead: Math.max(a.cacheRead, b.cacheRead),
    cacheWrite5m: Math.max(a.cacheWrite5m, b.cacheWrite5m),
    cacheWrite1h: Math.max(a.cacheWrite1h, b.cacheWrite1h),
    reasoning: Math.max(a.reasoning, b.reasoning),
    costUsd: a.costUsd === null ? b.costUsd : Math.max(a.costUsd, b.costUsd ?? 0),
  }
}
