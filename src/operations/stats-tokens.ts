import type { Tokens } from '../model/usage.ts'
import type { UsageFilter, UsageKey } from '../store/store.ts'
import { tokenFields, tokensDocument } from './cost-document.ts'
import { usageFilter } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { by, key, limitedBy, reportFields } from './report.ts'
import { count, list, object } from './schema.ts'

const sum = object({ key, ...tokenFields, responses: count(), unknown: count() })

export interface UsageSum extends Tokens {
  /** Null: not known. */
  readonly key: string | null
  readonly responses: number
  /** Sessions whose log tells no tokens at all. */
  readonly unknown: number
}

export interface SummedTokens {
  readonly by: UsageKey
  /** Largest first; days in order. */
  readonly rows: readonly UsageSum[]
  readonly totals: UsageSum
}

export const statsTokens = operation({
  name: 'stats.tokens',
  summary: 'what was billed, each response once',
  effect: 'reads',
  isSlow: true,
  input: object({}, reportFields),
  output: object({ by, rows: list(sum), totals: sum }),
  run: (context, asked): Promise<SummedTokens> => sums(context, asked.by ?? 'project', usageFilter(context, asked)),
  document: (found: SummedTokens, asked) => ({
    by: found.by,
    rows: limitedBy(found.by, found.rows, asked.limit ?? 0).map(sumDocument),
    totals: sumDocument(found.totals),
  }),
})

async function sums({ recall }: OperationContext, sumBy: UsageKey, filter: UsageFilter): Promise<SummedTokens> {
  const silent = await recall.insight.silent(sumBy, filter)
  const { rows, total } = await recall.insight.cost(sumBy, filter)
  const counted = rows.map((row) => withUnknown(row, silent.get(row.key) ?? 0))
  const talking = new Set(rows.map((row) => row.key))
  const mute = [...silent].filter(([name]) => !talking.has(name))
  const all = [...counted, ...mute.map(([name, unknown]) => withUnknown({ ...NOTHING, key: name }, unknown))]
  const unknown = [...silent.values()].reduce((known, sessions) => known + sessions, 0)
  return {
    by: sumBy,
    rows: all.sort((a, b) => (sumBy === 'day' ? 0 : tokensOf(b) - tokensOf(a)) || compare(a.key ?? '', b.key ?? '')),
    totals: withUnknown(total, unknown),
  }
}

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0, responses: 0 }

/** Field by field: to spread ten thousand rows would take longer than to read them. */
function withUnknown(row: Omit<UsageSum, 'unknown'>, unknown: number): UsageSum {
  return {
    key: row.key,
    input: row.input,
    output: row.output,
    cacheRead: row.cacheRead,
    cacheWrite5m: row.cacheWrite5m,
    cacheWrite1h: row.cacheWrite1h,
    reasoning: row.reasoning,
    responses: row.responses,
    unknown,
  }
}

/** All that was billed. */
export function tokensOf(row: UsageSum): number {
  return row.input + row.output + row.cacheRead + row.cacheWrite5m + row.cacheWrite1h
}

function sumDocument(row: UsageSum) {
  return { key: row.key, ...tokensDocument(row), responses: row.responses, unknown: row.unknown }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
