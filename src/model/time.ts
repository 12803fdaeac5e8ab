/** No agent is older than this, and no log of today tells of the next century. */
const FIRST_MS = Date.UTC(2000, 0)
const LAST_MS = Date.UTC(2100, 0)

/** The time in which all that is kept has happened. */
export const ALL_TIME = { since: FIRST_MS, before: LAST_MS } as const

export function isInTime(ms: number): boolean {
  return ms >= FIRST_MS && ms < LAST_MS
}

/** Milliseconds since 1970 of an ISO-8601 text, or null if it is none or of another age. */
export function parseInstant(value: unknown): number | null {
  if (typeof value !== 'string' || value.length < 10) return null
  const ms = Date.parse(value)
  return isInTime(ms) ? ms : null
}

const PLAIN = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/

/** True for what stands where a time should and is none that can be. */
export function isMistimed(value: unknown): boolean {
  if (value === undefined || value === null || (typeof value === 'string' && PLAIN.test(value))) return false
  return parseInstant(value) === null
}

export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** A time as people read it where they are. */
export function localTime(ms: number | null): string {
  if (ms === null) return ''
  const date = new Date(ms)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/**
 * A point in time as people type it: `7d`, `24h`, `30m`, `1w` before `now`, or a date or timestamp, which means the
 * time where the program runs unless it names a zone. Null if it is neither.
 */
export function parseSince(text: string, now: number): number | null {
  const trimmed = text.trim()
  const relative = /^(\d+(?:\.\d+)?)\s*([smhdw])$/i.exec(trimmed)
  if (relative) return now - Number(relative[1]) * UNIT_MS[relative[2]!.toLowerCase()]!
  if (!isDay(trimmed.slice(0, 10))) return null
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(trimmed)) return null
  const iso = trimmed.replace(' ', 'T')
  const ms = Date.parse(iso.includes('T') ? iso : `${iso}T00:00`)
  return Number.isNaN(ms) ? null : ms
}

/** True for a day that the calendar has, as `2026-01-31`. */
function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

/** From the first to the last moment of a local day given as `2026-01-31`; null if it is none. */
export function dayRange(text: string): { since: number; before: number } | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (!year || !month || !day || !isDay(text)) return null
  const at = (offset: number) => new Date(Number(year), Number(month) - 1, Number(day) + offset).getTime()
  return { since: at(0), before: at(1) }
}

export function humanDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours < 48) return rest ? `${hours}h${String(rest).padStart(2, '0')}m` : `${hours}h`
  return `${Math.round(seconds / 86_400)}d`
}
