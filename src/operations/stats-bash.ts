import type { ShellReport } from '../insight/shell-rows.ts'
import { usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { by, key, keyed, limited, reportFields, summedBy } from './report.ts'
import { count, list, nullable, object, text } from './schema.ts'

const row = object(
  {
    bash_base: nullable(text()),
    bash_sub: nullable(text()),
    count: count(),
    errors: count(),
    compound: count(),
    inner: count(),
  },
  { key },
)

export const statsBash = operation({
  name: 'stats.bash',
  summary: 'shell commands',
  effect: 'reads',
  isSlow: true,
  input: object({}, reportFields),
  output: object({ rows: list(row), unparsed: count() }, { by }),
  run: (context, asked) => context.recall.insight.shell(asked.by ?? 'all', usageFilter(context, asked)),
  document: ({ rows, unparsed }: ShellReport, asked) => ({
    ...summedBy(asked.by),
    rows: limited(rows, asked.limit ?? 0).map((sum) => ({
      ...keyed(asked.by, sum),
      bash_base: sum.base,
      bash_sub: sum.sub,
      count: sum.count,
      errors: sum.errors,
      compound: sum.compound,
      inner: sum.inner,
    })),
    unparsed,
  }),
})
