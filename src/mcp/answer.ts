import { text, list, nullable, count, instant, choice, type Schema } from '../operations/schema.ts'
import { LEAST_BUDGET } from './fit.ts'
import { ABOUT_QUOTES } from './quote.ts'

export const budgetTokens: Schema<number> = {
  ...count('most tokens of the answer (2000)'),
  minimum: LEAST_BUDGET,
} as Schema<number>
export const cursor: Schema<string> = text('goes on where an answer ended')
export const session: Schema<string> = text('session_uid, or the first 6 or more characters of it')
export const project: Schema<string> = text('part of the path of the project')

/** What every row carries that tells of a session. */
export const rowFields = {
  session_uid: text(),
  pointer: nullable(text()),
  started_at: instant,
  project: nullable(text()),
  outcome: text(),
  confidence: choice(['sure', 'likely', 'guess']),
  title: nullable(text()),
}

/** What every answer says beside its rows. */
export const aboutFields = {
  quotes: text(),
  left_out: nullable(text()),
  cursor: nullable(text()),
  notes: list(text()),
}

export interface About {
  readonly quotes: string
  readonly left_out: string | null
  readonly cursor: string | null
  readonly notes: readonly string[]
}

export function about(notes: readonly (string | null)[]): About {
  return { quotes: ABOUT_QUOTES, left_out: null, cursor: null, notes: notes.flatMap((note) => note ?? []) }
}

interface Told {
  readonly session_uid: string
  readonly pointer: string | null
  readonly started_at: string | null
  readonly project: string | null
  readonly title: string | null
}

/** A row in one line, for clients that show no structured content. */
export function lineOf({ session_uid: uid, pointer, started_at: at, project: where, title }: Told): string {
  const parts = [at?.slice(0, 10), where?.split(/[\\/]/).at(-1), title].filter(Boolean)
  return `${parts.join(' · ')} · ${uid}${pointer ?? ''}`
}

export function brief(rows: readonly Told[], { left_out: left, notes }: About): string {
  const lines = rows.map((row, i) => `${i + 1}. ${lineOf(row)}`)
  return [...lines, ...(left === null ? [] : [left]), ...notes].join('\n') || 'nothing found'
}
