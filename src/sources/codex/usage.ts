import type { UsageItem } from '../source.ts'
import type { Scribe } from './scribe.ts'
import { isNothing, type Counter, type Total } from './tokens.ts'

/** Appends what a running total says was spent since the one before; repeats only for the audit. */
export function writeUsage(counter: Counter, total: Total, latest: Total | null, scribe: Scribe): void {
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
    message: null,
    line,
  }
  scribe.items.push(leftOut === null ? item : { ...item, leftOut })
}
