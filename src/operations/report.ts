import { USAGE_KEYS, type UsageKey } from '../store/store.ts'
import { before, project, since, source } from './filters.ts'
import { called, choice, count, nullable, text, type Schema } from './schema.ts'

/** What a sum is made by. */
export const by: Schema<UsageKey> = called('key', choice(USAGE_KEYS, 'sum by project, model, day, source or session'))

/** What every report takes; `usageFilter` reads it. */
export const reportFields = {
  by,
  since,
  before,
  project,
  source,
  limit: called('n', count('how many rows (0 = all)')),
}

export const key = nullable(text())

/** The first rows: as many as are asked for, all for 0. */
export function limited<T>(rows: readonly T[], limit: number): readonly T[] {
  return limit === 0 ? rows : rows.slice(0, limit)
}

/** The same; of days, which come in order, the last. */
export function limitedBy<T>(sumBy: UsageKey, rows: readonly T[], limit: number): readonly T[] {
  return sumBy === 'day' ? limited(rows.toReversed(), limit).toReversed() : limited(rows, limit)
}

/** The key, where sums were asked for by one. */
export function keyed(
  sumBy: UsageKey | undefined,
  row: { readonly key: string | null },
): { readonly key?: string | null } {
  return sumBy === undefined ? {} : { key: row.key }
}

/** What sums were asked for by, where they were. */
export function summedBy(sumBy: UsageKey | undefined): { readonly by?: UsageKey } {
  return sumBy === undefined ? {} : { by: sumBy }
}
