import type { UsageFilter } from '../store/store.ts'
import { monthStart } from '../insight/local-days.ts'
import { isoTime } from '../model/time.ts'
import type { OperationContext } from './operation.ts'
import { called, flag, instant, number, object, positive } from './schema.ts'

export const budgetField = called('usd', positive('how much of it is used, this month or since --since'))

export const budgetSchema = object({ usd: number(), used_usd: number(), share: number(), over: flag(), since: instant })

/** Money that is not to be exceeded, and how far it is spent. */
export interface Budget {
  readonly usd: number
  readonly usedUsd: number
  readonly share: number
  readonly since: number
}

export async function budgetState(
  { recall, now }: OperationContext,
  usd: number | undefined,
  filter: UsageFilter,
): Promise<Budget | null> {
  if (usd === undefined) return null
  const since = filter.since ?? monthStart(now())
  const { total } = await recall.insight.cost('all', { ...filter, since })
  return { usd, usedUsd: total.usd, share: total.usd / usd, since }
}

export function isOver({ usd, usedUsd }: Budget): boolean {
  return usedUsd > usd
}

export function budgetDocument(budget: Budget) {
  const { usd, usedUsd, share, since } = budget
  return { usd, used_usd: usedUsd, share, over: isOver(budget), since: isoTime(since) }
}
