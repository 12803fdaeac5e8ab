import type { Block, CostSum } from '../insight/cost.ts'
import { dayStart, monthStart } from '../insight/local-days.ts'
import { PRICES_DATED } from '../insight/prices/prices.ts'
import { isoTime } from '../model/time.ts'
import { budgetDocument, budgetField, budgetSchema, budgetState, type Budget } from './cost-budget.ts'
import { before, project, since, source, usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { count, instant, nullable, number, object, text } from './schema.ts'

export interface CostNow {
  readonly today: CostSum
  readonly month: CostSum
  /** The five hours that are running; null if none are. */
  readonly block: Block | null
  readonly budget: Budget | null
}

export const costStatusline = operation({
  name: 'cost.statusline',
  summary: 'one line: today, the five hours that are running, this month',
  effect: 'reads',
  isLocal: true,
  isSlow: true,
  input: object({}, { budget: budgetField, since, before, project, source }),
  output: object({
    today_usd: number(),
    today_unpriced: count(),
    month_usd: number(),
    month_unpriced: count(),
    block: nullable(object({ usd: number(), from: instant, to: instant })),
    prices_dated: text(),
    budget: nullable(budgetSchema),
  }),
  async run(context, asked): Promise<CostNow> {
    const { insight } = context.recall
    const filter = usageFilter(context, asked)
    const spentSince = async (time: number) => (await insight.cost('all', { ...filter, since: time })).total
    return {
      today: await spentSince(dayStart(context.now())),
      month: await spentSince(monthStart(context.now())),
      block: await insight.block(filter),
      budget: await budgetState(context, asked.budget, filter),
    }
  },
  document: ({ today, month, block, budget }: CostNow) => ({
    today_usd: today.usd,
    today_unpriced: today.unpriced,
    month_usd: month.usd,
    month_unpriced: month.unpriced,
    block: block === null ? null : { usd: block.usd, from: isoTime(block.from), to: isoTime(block.to) },
    prices_dated: PRICES_DATED,
    budget: budget === null ? null : budgetDocument(budget),
  }),
})
