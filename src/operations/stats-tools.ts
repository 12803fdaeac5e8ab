import { usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { by, key, keyed, limited, reportFields, summedBy } from './report.ts'
import { count, list, nullable, object, text } from './schema.ts'

export const statsTools = operation({
  name: 'stats.tools',
  summary: 'how often each tool was called, and how often it failed',
  effect: 'reads',
  isSlow: true,
  input: object({}, reportFields),
  output: object(
    { rows: list(object({ tool: nullable(text()), count: count(), errors: count(), sessions: count() }, { key })) },
    { by },
  ),
  run: (context, asked) => context.recall.insight.tools(asked.by ?? 'all', usageFilter(context, asked)),
  document: (rows, asked) => ({
    ...summedBy(asked.by),
    rows: limited(rows, asked.limit ?? 0).map((row) => ({
      ...keyed(asked.by, row),
      tool: row.tool === '' ? null : row.tool,
      count: row.count,
      errors: row.errors,
      sessions: row.sessions,
    })),
  }),
})
