import type { SpentSum } from '../store/insight.ts'
import type { Store, UsageFilter } from '../store/store.ts'
import { costOfSums, priceFinder, type CostSum } from './cost.ts'
import type { Price } from './prices/prices.ts'

/** What the responses of a stretch of time cost, and what is not in that sum because nobody knows its price. */
export interface PeriodCost {
  readonly total: CostSum
  /** Sessions with any response, the dearest first. */
  readonly bySession: readonly { readonly uid: string; readonly usd: number }[]
  /** By local day. */
  readonly byDay: ReadonlyMap<string | null, number>
  readonly byProject: ReadonlyMap<string | null, number>
  readonly unpriced: readonly { readonly model: string | null; readonly responses: number; readonly uids: string[] }[]
}

export interface PeriodCostRequest {
  readonly prices: ReadonlyMap<string, Price>
  /** Leaves out days and projects. */
  readonly toCompare?: boolean
}

export async function readPeriodCost(
  { insight }: Pick<Store, 'insight'>,
  filter: UsageFilter,
  { prices, toCompare = false }: PeriodCostRequest,
): Promise<PeriodCost> {
  const sums = await insight.spent('session', filter)
  const { total, rows } = costOfSums(sums, prices)
  const usdBy = async (by: 'day' | 'project') => {
    const parts = toCompare ? [] : costOfSums(await insight.spent(by, filter), prices).rows
    return new Map(parts.map(({ key, usd }) => [key, usd]))
  }
  return {
    total,
    bySession: rows
      .map(({ key, usd }) => ({ uid: key ?? '', usd }))
      .sort((a, b) => b.usd - a.usd || (a.uid < b.uid ? -1 : 1)),
    byDay: await usdBy('day'),
    byProject: await usdBy('project'),
    unpriced: withoutPrice(sums, prices),
  }
}

function withoutPrice(sums: readonly SpentSum[], prices: ReadonlyMap<string, Price>): PeriodCost['unpriced'] {
  const models = new Map<string | null, { responses: number; uids: Set<string> }>()
  const priceFor = priceFinder(prices)
  for (const { key, model, responses, recorded } of sums) {
    if (responses === recorded || priceFor(model) !== null) continue
    const own = models.get(model) ?? { responses: 0, uids: new Set() }
    models.set(model, own)
    own.responses += responses - recorded
    own.uids.add(key ?? '')
  }
  return [...models]
    .map(([model, own]) => ({ model, responses: own.responses, uids: [...own.uids].sort() }))
    .sort((a, b) => b.responses - a.responses || ((a.model ?? '') < (b.model ?? '') ? -1 : 1))
}
