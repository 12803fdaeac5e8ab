import type { UsageItem } from '../source.ts'
import type { Scribe } from './scribe.ts'
import { isCounted, isNothing, type Counter, type Total } from './tokens.ts'

/**
 * Appends what a running total says was spent since the one before; repeats only for the audit. It stands after the
 * response it counts, so it paid for the message since the one before or, for calls are part of none, for the first call.
 */
export function writeUsage(counter: Counter, total: Total, latest: Total | null, scribe: Scribe): void {
  if (!isCounted(total) || (latest !== null && !isCounted(latest)))
    return scribe.problem('number out of range', 'warn', 'tokens taken as unknown')
  const { copied, forked } = scribe.origin
  const { tokens, key, leftOut } = scribe.meter.read(counter, total, latest, { copied, forked })
  if (isNothing(tokens)) return
  const { session, lane } = scribe.lane
  const { line } = scribe.place
  const item: UsageItem = {
    item: 'usage',
    session,
    lane,
    ...tokens,
    key: leftOut === null ? `${session}:${key}` : `${session}:${key}@${line}`,
    model: scribe.model,
    at: scribe.at,
    costUsd: null,
    message: leftOut === null ? scribe.answer : null,
    line,
  }
  if (leftOut !== null) return void scribe.items.push({ ...item, leftOut })
  scribe.items.push(scribe.answer !== null || scribe.unpaid === null ? item : { ...item, pos: scribe.unpaid })
  scribe.answer = null
  scribe.unpaid = null
}
