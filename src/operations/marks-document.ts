import type { Marks } from '../model/marks.ts'
import { choice, count, flag, integer, list, nullable, object, text, type TypeOf } from './schema.ts'

export const deniedBy = choice(['person', 'rule', 'sandbox', 'hook'])

/** A name as documents have it: `on_denial`. */
type InDocument<S extends string> = S extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${InDocument<Rest>}`
  : S

/** What a source knows of an event beyond its words; null for nothing. */
export const marks = nullable(
  object({}, {
    denied: deniedBy,
    asked: flag(),
    approved: flag(),
    waited_ms: count(),
    interrupted: flag(),
    stopped: flag(),
    compacted: choice(['auto', 'manual', 'unknown']),
    turn: choice(['started', 'completed', 'failed', 'interrupted', 'aborted']),
    exit_code: integer(),
    subagent: choice(['started', 'completed', 'failed', 'cancelled']),
    made: list(object({ kind: choice(['commit', 'pr']), value: text() })),
    taken_back: count(),
    mid_turn: flag(),
    on_denial: flag(),
    on_approval: flag(),
    injected: flag(),
    command: text(),
    alone: flag(),
  } satisfies Record<InDocument<keyof Marks>, unknown>),
)

export function marksDocument(known: Marks): TypeOf<typeof marks> {
  const entries = Object.entries(known)
  if (entries.length === 0) return null
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  )
}
