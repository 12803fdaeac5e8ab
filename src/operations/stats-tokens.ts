import { byPeriod, periodOf, PERIODS, type PeriodKey } from '../insight/periods.ts'
import type { Tokens } from '../model/usage.ts'
import { USAGE_KEYS, type UsageFilter, type UsageKey } from '../store/store.ts'
import { tokenFields, tokensDocument } from './cost-document.ts'
import { usageFilter } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { key, limitedBy, reportFields } from './report.ts'
import { called, choice, count, list, object } from './schema.ts'

const by = choice([...USAGE_KEYS, ...PERIODS], 'sum by project, model, day, week, month, source or session')

const sum = object({ key, ...tokenFields, responses: count(), unknown: count() })

export interface UsageSum extends Tokens {
  /** Null: not known. */
  readonly key: string | null
  readonly responses: number
  /** Sessions whose log tells no tokens at all. */
  readonly unknown: number
}

export interface SummedTokens {
  /** What was asked for. */
  readonly by: UsageKey | PeriodKey
  /** What the store sums by: weeks and months are made of days. */
  readonly key: UsageKey
  /** Largest first; days, weeks and months in order. */
  readonly rows: readonly UsageSum[]
  readonly totals: UsageSum
}

export const statsTokens = operation({
  name: 'stats.tokens',
  summary: 'what was billed, each response once',
  effect: 'reads',
  isSlow: true,
  input: object({}, { ...reportFields, by: called('key', by) }),
  output: object({ by, rows: list(sum), totals: sum }),
  run: (context, asked): Promise<SummedTokens> => sums(context, asked.by ?? 'project', usageFilter(context, asked)),
  document: (found: SummedTokens, asked) => ({
    by: found.by,
    rows: limitedBy(found.key, found.rows, asked.limit ?? 0).map(sumDocument),
    totals: sumDocument(found.totals),
  }),
})

async function sums(
  { recall }: OperationContext,
  sumBy: UsageKey | PeriodKey,
  filter: UsageFilter,
): Promise<SummedTokens> {
  const period = PERIODS.find((name) => name === sumBy)
  const sumKey = USAGE_KEYS.find((name) => name === sumBy) ?? 'day'
  const silent = inPeriods(await recall.insight.silent(sumKey, filter), period)
  const found = await recall.insight.cost(sumKey, filter)
  const rows = period === undefined ? found.rows : byPeriod(found.rows, period)
  const counted = rows.map((row) => withUnknown(row, silent.get(row.key) ?? 0))
  const talking = new Set(rows.map((row) => row.key))
  const mute = [...silent].filter(([name]) => !talking.has(name))
  const all = [...counted, ...mute.map(([name, unknown]) => withUnknown({ ...NOTHING, key: name }, unknown))]
  const unknown = [...silent.values()].reduce((known, sessions) => known + sessions, 0)
  const size = (row: UsageSum) => (sumKey === 'day' ? 0 : tokensOf(row))
  return {
    by: sumBy,
    key: sumKey,
    rows: all.sort((a, b) => size(b) - size(a) || compare(a.key ?? '', b.key ?? '')),
    totals: withUnknown(found.total, unknown),
  }
}

type Silent = ReadonlyMap<string | null, number>

function inPeriods(days: Silent, period: PeriodKey | undefined): Silent {
  if (period === undefined) return days
  const sums = new Map<string | null, number>()
  for (const [day, sessions] of days) {
    const name = day === null ? null : periodOf(day, period)
    sums.set(name, (sums.get(name) ?? 0) + sessions)
  }
  return sums
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
