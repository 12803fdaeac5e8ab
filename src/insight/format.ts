import { inert } from '../model/inert.ts'
import { grouped } from '../model/text.ts'

/** A length of time for people, to the minute; hours are not made into days. */
export function spell(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const rest = minutes % 60
  return `${grouped(Math.floor(minutes / 60))}h${rest === 0 ? '' : `${String(rest).padStart(2, '0')}m`}`
}

export function dollars(usd: number): string {
  if (usd > 0 && usd < 0.01) return '<$0.01'
  return `$${grouped(usd, 2)}`
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${Math.round((part / whole) * 100)}%`
}

/** Somebody's text on one line: nothing in it can move the cursor, colour or end the line. */
export function onOneLine(text: string): string {
  return inert(text).replace(/\s+/g, ' ').trim()
}
