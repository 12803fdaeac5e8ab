import { usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { by, key, keyed, limited, reportFields, summedBy } from './report.ts'
import { count, list, object, text } from './schema.ts'

export const statsFiles = operation({
  name: 'stats.files',
  summary: 'which files were changed and read most',
  effect: 'reads',
  isSlow: true,
  input: object({}, reportFields),
  output: object(
    { rows: list(object({ path: text(), edits: count(), reads: count(), sessions: count() }, { key })) },
    { by },
  ),
  run: (context, asked) => context.recall.insight.files(asked.by ?? 'all', usageFilter(context, asked)),
  document: (rows, asked) => ({
    ...summedBy(asked.by),
    rows: limited(rows, asked.limit ?? 0).map((sum) => ({
      ...keyed(asked.by, sum),
      path: sum.path,
      edits: sum.edits,
      reads: sum.reads,
      sessions: sum.sessions,
    })),
  }),
})
