import type { UsageFilter } from '../store.ts'
import type { Value } from './database.ts'

export interface PlaceFilter {
  /** Brings in `place s` for rows `h` of session_place, where something is asked of it. */
  readonly join: string
  readonly sql: string
  readonly values: Value[]
}

const KNOWN = new Set(['source', 'project', 'limit', 'hidden'])

/** A filter as a condition on places; null if it asks for what a place does not tell. Times are not looked at. */
export function placesOf({ sessions, session }: UsageFilter): PlaceFilter | null {
  if (session !== undefined) return null
  const parts: string[] = []
  const values: Value[] = []
  for (const [name, value] of Object.entries(sessions ?? {})) {
    if (value !== undefined && !KNOWN.has(name)) return null
  }
  if (sessions?.source !== undefined) {
    parts.push("(s.flavor = ? OR s.source = ? OR instr(s.sources, ' ' || ? || ' ') > 0)")
    values.push(sessions.source, sessions.source, sessions.source)
  }
  if (sessions?.project !== undefined) {
    parts.push("instr(lower(coalesce(s.git_repo, '') || char(10) || coalesce(s.cwd, '')), ?) > 0")
    values.push(sessions.project.toLowerCase())
  }
  return parts.length === 0
    ? { join: '', sql: 'TRUE', values }
    : { join: 'JOIN place s ON s.id = h.place', sql: parts.join(' AND '), values }
}
