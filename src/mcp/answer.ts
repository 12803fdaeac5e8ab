import { isAbsolute } from 'node:path'
import { count, text, type Schema } from '../operations/schema.ts'
import type { SessionDocument } from '../operations/session-document.ts'
import { LEAST_BUDGET } from './budget.ts'
import { cutQuote } from './quote.ts'

export const budgetTokens: Schema<number> = {
  ...count('most tokens (2000)'),
  minimum: LEAST_BUDGET,
} as Schema<number>
export const cursor: Schema<string> = text('from the last answer')
export const session: Schema<string> = text('session_uid or "last"')
export const project: Schema<string> = text('part of its path')

export type Confidence = 'sure' | 'likely' | 'guess'

/** What every row carries. A row may say more. */
export interface Row {
  readonly session_uid: string
  /** The event that is meant; null for the session as a whole. */
  readonly pointer: string | null
  readonly started_at: string | null
  readonly project: string | null
  readonly outcome: string
  readonly confidence: Confidence
  readonly title?: string
}

/** What a tool has to say, before it is fitted. */
export interface Found<R extends Row> {
  readonly rows: readonly R[]
  readonly notes?: readonly (string | null)[]
  /** A smaller form of a row that does not fit; null if there is none. */
  shorter?(row: R, room: number): R | null
  /** What is missing when these rows are told, and how to get it. */
  rest?(shownRows: readonly R[]): Rest | null
}

export interface Rest {
  readonly left_out: string
  readonly cursor?: string
}

/** What is told: complete in itself, the text beside it only repeats it in short. */
export interface Answer extends Partial<Rest> {
  readonly rows: readonly Row[]
  readonly notes?: readonly string[]
  /** What quotes are. */
  readonly quotes?: string
}

/** One for all tools, and no more than that there are rows: agents pay for every word of it before they have asked. */
export const ANSWER_SCHEMA: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: ['rows'],
}

const LONGEST_TITLE = 100

export function rowOf(
  { session_uid, started_at, project: where, outcome, title }: SessionDocument,
  pointer: string | null,
  confidence: Confidence,
): Row {
  return {
    session_uid,
    pointer,
    started_at: started_at?.slice(0, 19).concat('Z') ?? null,
    project: where === null ? null : cutQuote(where, LONGEST_TITLE),
    outcome,
    confidence,
    ...(title === null ? {} : { title: cutQuote(title, LONGEST_TITLE) }),
  }
}

/** A row in one line. */
export function lineOf({ session_uid: uid, pointer, started_at: at, project: where, title }: Row): string {
  const place = where !== null && isAbsolute(where) ? where.split(/[\\/]/).at(-1) : where
  const parts = [at?.slice(0, 10), place, title === undefined ? null : cutQuote(title, 60)].filter(Boolean)
  return `${parts.join(' · ').replaceAll('\n', ' ')} · ${uid}${pointer ?? ''}`
}
