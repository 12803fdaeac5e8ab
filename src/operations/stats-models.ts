import { PRICES_DATED } from '../insight/prices/prices.ts'
import { costDocument, costFields } from './cost-document.ts'
import { usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { by, limited, reportFields, summedBy } from './report.ts'
import { count, list, nullable, object, text } from './schema.ts'

export const statsModels = operation({
  name: 'stats.models',
  summary: 'what each model was used for, and its price',
  effect: 'reads',
  isSlow: true,
  input: object({}, reportFields),
  output: object(
    { rows: list(object({ ...costFields, model: nullable(text()), sessions: count() })), prices_dated: text() },
    { by },
  ),
  run: (context, asked) => context.recall.insight.models(asked.by ?? 'all', usageFilter(context, asked)),
  document: (rows, asked) => ({
    ...summedBy(asked.by),
    rows: limited(rows, asked.limit ?? 0).map((row) => {
      const { key, ...sums } = costDocument(row)
      return { key: asked.by === undefined ? row.model : key, model: row.model, sessions: row.sessions, ...sums }
    }),
    prices_dated: PRICES_DATED,
  }),
})
