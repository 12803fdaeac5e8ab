import type { UsageItem } from '../source.ts'
import type { ItemWriter } from './item-writer.ts'
import { isCounted, isNothing, type Counter, type Total } from './tokens.ts'

/**
 * Appends what a running total says was spent since the one before; repeats only for the audit. It stands after the
 * response it counts, so it paid for the message since the one before or, for calls are part of none, for the first call.
 */
export function writeUsage(counter: Counter, total: Total, latest: Total | null, writer: ItemWriter): void {
  if (!isCounted(total) || (latest !== null && !isCounted(latest)))
    return writer.problem('number out of range', 'warn', 'tokens taken as unknown')
  const { copied, forked } = writer.origin
  const { tokens, key, leftOut } = writer.meter.read(counter, total, latest, { copied, forked })
  if (isNothing(tokens)) return
  const { session, lane } = writer.lane
  const { line } = writer.place
  const item: UsageItem = {
    item: 'usage',
    session,
    lane,
    ...tokens,
    key: leftOut === null ? `${session}:${key}` : `${session}:${key}@${line}`,
    model: writer.model,
    at: writer.at,
    costUsd: null,
    message: leftOut === null ? writer.answer : null,
    line,
  }
  if (leftOut !== null) return void writer.items.push({ ...item, leftOut })
  writer.items.push(writer.answer !== null || writer.unpaid === null ? item : { ...item, pos: writer.unpaid })
  writer.answer = null
  writer.unpaid = null
}
