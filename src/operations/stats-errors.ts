import { isoTime } from '../model/time.ts'
import { usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { by, key, keyed, limited, reportFields, summedBy } from './report.ts'
import { count, instant, list, nullable, object, text } from './schema.ts'

const row = object(
  {
    fingerprint: text(),
    summary: text(),
    tool: nullable(text()),
    count: count(),
    sessions: count(),
    evidence: nullable(text()),
    last_at: instant,
  },
  { key },
)

export const statsErrors = operation({
  name: 'stats.errors',
  summary: 'what failed, the same failure under one fingerprint; of analysed sessions',
  effect: 'reads',
  isSlow: true,
  input: object({}, reportFields),
  output: object({ rows: list(row) }, { by }),
  run: (context, asked) => context.recall.insight.errors(asked.by ?? 'all', usageFilter(context, asked)),
  document: (rows, asked) => ({
    ...summedBy(asked.by),
    rows: limited(rows, asked.limit ?? 0).map((sum) => ({
      ...keyed(asked.by, sum),
      fingerprint: sum.fingerprint,
      summary: sum.summary,
      tool: sum.tool,
      count: sum.count,
      sessions: sum.sessions,
      evidence: sum.evidence,
      last_at: isoTime(sum.lastAt),
    })),
  }),
})
