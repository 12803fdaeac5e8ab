import type { UsageFilter } from '../store.ts'
import { allOf, given, type Condition } from './conditions.ts'
import { OF_PROJECT } from './session-conditions.ts'

const OF_SOURCE = "s.flavor = ? OR s.source = ? OR instr(s.sources, ' ' || ? || ' ') > 0"

export interface PlaceFilter extends Condition {
  /** Brings in `place s` for rows `h` of session_place, where something is asked of it. */
  readonly join: string
}

const KNOWN = new Set(['source', 'project', 'limit', 'hidden'])

/** A filter as a condition on places; null if it asks for what a place does not tell. Times are not looked at. */
export function placesOf({ sessions, session }: UsageFilter): PlaceFilter | null {
  if (session !== undefined) return null
  for (const [name, value] of Object.entries(sessions ?? {})) {
    if (value !== undefined && !KNOWN.has(name)) return null
  }
  const wanted = allOf(
    given(sessions?.source, (name) => [OF_SOURCE, name, name, name]),
    given(sessions?.project, (part) => [OF_PROJECT, part.toLowerCase()]),
  )
  return { ...wanted, join: wanted.values.length === 0 ? '' : 'JOIN place s ON s.id = h.place' }
}
