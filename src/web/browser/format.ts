const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const small = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export type Format = keyof typeof FORMATS

/** How figures are written. What they are exactly stands beside, in the element. */
export const FORMATS = {
  count: (n: number) => whole.format(n),
  short: shortNumber,
  usd: (n: number) => (n > 0 && n < 0.01 ? '< $0.01' : money.format(n)),
  bytes,
  seconds,
  percent: (n: number) => `${small.format(n * 100)} %`,
} as const

function shortNumber(n: number): string {
  if (n < 10_000) return whole.format(n)
  const [value, unit] = n < 1e6 ? [n / 1e3, 'k'] : n < 1e9 ? [n / 1e6, 'M'] : [n / 1e9, 'G']
  return `${value < 100 ? small.format(value) : whole.format(value)}\u202f${unit}`
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

function bytes(n: number): string {
  let value = n
  let unit = 0
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024
  return `${value < 10 && unit > 0 ? small.format(value) : whole.format(value)}\u202f${UNITS[unit]}`
}

function seconds(n: number): string {
  if (n < 60) return `${whole.format(n)} s`
  if (n < 3600) return `${Math.round(n / 60)} min`
  const hours = Math.floor(n / 3600)
  const minutes = Math.round((n % 3600) / 60)
  return hours >= 100 ? `${whole.format(hours)} h` : `${hours} h ${String(minutes).padStart(2, '0')}`
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const dayThisYear = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** In local time: today only the clock. */
export function when(iso: string | null): string {
  if (iso === null) return 'unknown'
  const date = new Date(iso)
  const now = new Date()
  if (date.toDateString() === now.toDateString()) return clock.format(date)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return isThisYear ? `${dayThisYear.format(date)}, ${clock.format(date)}` : day.format(date)
}

export function clockTime(iso: string | null): string {
  return iso === null ? '' : clock.format(new Date(iso))
}

export function fullTime(iso: string | null): string {
  return iso === null ? 'unknown' : new Date(iso).toLocaleString('en-GB')
}

const MINUTE = 60_000
const STEPS = [
  [60 * MINUTE, MINUTE, 'min'],
  [48 * 60 * MINUTE, 60 * MINUTE, 'h'],
  [Infinity, 24 * 60 * MINUTE, 'days'],
] as const

/** How far away a time is, either way. */
export function away(iso: string | null): string {
  if (iso === null) return 'never'
  const ms = new Date(iso).getTime() - Date.now()
  const far = Math.abs(ms)
  if (far < MINUTE) return 'now'
  const [, unit, name] = STEPS.find(([below]) => far < below) ?? STEPS[2]
  return ms > 0 ? `in ${Math.round(far / unit)} ${name}` : `${Math.round(far / unit)} ${name} ago`
}

/** The last parts of a path. */
export function lastParts(path: string | null, parts = 1): string {
  return path === null ? '(no project)' : path.split('/').filter(Boolean).slice(-parts).join('/') || path
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${whole.format(n)} ${n === 1 ? one : many}`
}
