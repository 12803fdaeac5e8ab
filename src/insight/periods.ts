import type { CostSum } from './cost.ts'

export const PERIODS = ['week', 'month'] as const
export type PeriodKey = (typeof PERIODS)[number]

/** The week (`2026-W07`, from Monday, as ISO counts them) or the month (`2026-02`) of a day like `2026-02-10`. */
export function periodOf(day: string, period: PeriodKey): string {
  if (period === 'month') return day.slice(0, 7)
  const date = new Date(`${day}T00:00:00Z`)
  // A week belongs to the year that its Thursday is in.
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const year = date.getUTCFullYear()
  const week = Math.ceil(((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** Sums of days as sums of weeks or months. */
export function byPeriod(days: readonly CostSum[], period: PeriodKey): CostSum[] {
  const rows = new Map<string | null, CostSum>()
  for (const day of days) {
    const key = day.key === null ? null : periodOf(day.key, period)
    const row = rows.get(key)
    rows.set(key, row === undefined ? { ...day, key } : added(row, day))
  }
  return [...rows.values()]
}

function added(a: CostSum, b: CostSum): CostSum {
  return {
    key: a.key,
    usd: a.usd + b.usd,
    recordedUsd: a.recordedUsd + b.recordedUsd,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
    reasoning: a.reasoning + b.reasoning,
    responses: a.responses + b.responses,
    unpriced: a.unpriced + b.unpriced,
  }
}
