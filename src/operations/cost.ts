import type { Cost, CostSum } from '../insight/cost.ts'
import { byPeriod, PERIODS, type PeriodKey } from '../insight/periods.ts'
import { PRICES_DATED } from '../insight/prices/prices.ts'
import type { SessionRecord } from '../model/session.ts'
import { USAGE_KEYS, type UsageKey } from '../store/store.ts'
import { budgetDocument, budgetField, budgetSchema, budgetState, type Budget } from './cost-budget.ts'
import { costDocument, costFields, tokenFields, unpriced } from './cost-document.ts'
import { before, project, since, source, usageFilter } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { limitedBy } from './report.ts'
import { called, choice, count, list, nullable, number, object, text } from './schema.ts'

/** How many rows people are shown. */
export const USUAL = 30

const by = choice([...USAGE_KEYS, ...PERIODS], 'sum by day, week, month, project, model, session or source (day)')

/** Sessions by uid. */
export type Sessions = ReadonlyMap<string, SessionRecord>

export interface SummedCost extends Cost {
  /** What was asked for. */
  readonly by: UsageKey | PeriodKey
  /** What the store sums by: weeks and months are made of days. */
  readonly key: UsageKey
  /** Where sums are those of sessions. */
  readonly sessions: Sessions | null
  /** Sessions that told no tokens. */
  readonly silent: number
  readonly budget: Budget | null
}

export const cost = operation({
  name: 'cost',
  summary: 'what the tokens cost, by the prices of the day in the list',
  details:
    'Every response is billed once, with its cache reads and writes, and by the length of its prompt where the price ' +
    'depends on it. The price list comes with the program; `[prices."<model>"]` in the config overrides it. For a model ' +
    'without a price the cost that the agent itself recorded counts; where there is none either, the model is named.',
  effect: 'reads',
  isSlow: true,
  input: object(
    {},
    {
      by: called('key', by),
      budget: budgetField,
      since,
      before,
      project,
      source,
      limit: called('n', count(`how many rows (${USUAL}; 0 = all)`)),
    },
  ),
  output: object(
    {
      by,
      rows: list(object(costFields, { title: nullable(text()) })),
      total_usd: number(),
      recorded_usd: number(),
      totals: object({ ...tokenFields, responses: count() }),
      unpriced,
      prices_dated: text(),
      unknown: count(),
    },
    { budget: budgetSchema },
  ),
  async run(context, asked): Promise<SummedCost> {
    const { insight } = context.recall
    const filter = usageFilter(context, asked)
    const sumBy = asked.by ?? 'day'
    const period = PERIODS.find((name) => name === sumBy)
    const key = USAGE_KEYS.find((name) => name === sumBy) ?? 'day'
    const found = await insight.cost(key, filter)
    const sums = period === undefined ? found.rows : byPeriod(found.rows, period)
    return {
      ...found,
      by: sumBy,
      key,
      rows: sums.toSorted((a, b) => order(key, a, b)),
      sessions: key === 'session' ? await sessionsByUid(context) : null,
      silent: [...(await insight.silent('all', filter)).values()].reduce((sum, n) => sum + n, 0),
      budget: await budgetState(context, asked.budget, filter),
    }
  },
  document: (found: SummedCost, asked) => ({
    by: found.by,
    rows: limitedBy(found.key, found.rows, asked.limit ?? 0).map((row) => ({
      ...costDocument(row),
      ...(found.sessions === null ? {} : { title: found.sessions.get(row.key ?? '')?.title ?? null }),
    })),
    ...totalDocument(found),
    unknown: found.silent,
    ...(found.budget === null ? {} : { budget: budgetDocument(found.budget) }),
  }),
})

async function sessionsByUid({ recall }: OperationContext): Promise<Sessions> {
  const { sessions } = await recall.list({ limit: 0, hidden: true, empty: true })
  return new Map(sessions.map((session) => [session.uid, session]))
}

function order(key: UsageKey, a: CostSum, b: CostSum): number {
  if (key !== 'day' && a.usd !== b.usd) return b.usd - a.usd
  return (a.key ?? '') < (b.key ?? '') ? -1 : 1
}

function totalDocument({ total, unpriced: models }: Cost) {
  const { key: _, usd, recorded_usd: recordedUsd, unpriced: __, ...tokens } = costDocument(total)
  return { total_usd: usd, recorded_usd: recordedUsd, totals: tokens, unpriced: models, prices_dated: PRICES_DATED }
}
