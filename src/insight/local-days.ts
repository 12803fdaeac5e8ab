/** A number of whole local days. */
export interface Period {
  readonly since: number
  readonly before: number
}

/** The first moment of the local day `offset` days from the one that holds `ms`. */
export function dayStart(ms: number, offset = 0): number {
  const date = new Date(ms)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + offset).getTime()
}

/** A local day as `2026-01-31`. */
export function dayName(ms: number): string {
  const date = new Date(ms)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** First moments of the days of a period, in order. */
export function daysOf({ since, before }: Period): number[] {
  const days: number[] = []
  for (let day = dayStart(since); day < before; day = dayStart(day, 1)) days.push(day)
  return days
}

/** As many days, right before. */
export function periodBefore(period: Period): Period {
  return { since: dayStart(period.since, -daysOf(period).length), before: period.since }
}

/** The days before today, today not among them. */
export function lastFullDays(now: number, days: number): Period {
  return { since: dayStart(now, -days), before: dayStart(now) }
}

/** The first moment of the local month that holds `ms`. */
export function monthStart(ms: number): number {
  const date = new Date(ms)
  return new Date(date.getFullYear(), date.getMonth(), 1).getTime()
}
