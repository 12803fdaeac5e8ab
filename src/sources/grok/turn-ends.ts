import type { DeniedBy, Marks } from '../../model/marks.ts'
import { oneLine } from '../../model/text.ts'
import type { TurnEnd } from './entries.ts'
import { MAX_TEXT, type Note } from './notes.ts'

/** What is known of the turn that ends. */
export interface TurnSoFar {
  /** Of why it was broken off, where its last line does not say so itself. */
  readonly category: string | null
  /** An error was told already. */
  readonly erred: boolean
  /** A call was not let happen. */
  readonly denied: boolean
  /** Nobody typed its prompt: a subagent's turn, or one that the client began. */
  readonly byProgram: boolean
}

const WELL_ENDED: ReadonlySet<string> = new Set(['end_turn', 'completed', 'stop', 'max_tokens', 'max_turn_requests'])
export function isWellEnded(stop: string): boolean {
  return WELL_ENDED.has(stop)
}

const BY_PERSON: ReadonlySet<string> = new Set(['mid_turn_abort', 'user_interrupt'])
const REFUSED_BY: ReadonlyMap<string, DeniedBy> = new Map([
  ['permission_rejected', 'person'],
  ['permission_cancelled', 'person'],
  ['hook_denied', 'hook'],
])

/** How a turn ended. One that a person stopped is their intervention; what the agent could not go on with is an error. */
export function turnNote(end: TurnEnd, turn: TurnSoFar): Note {
  const after = end.elapsedMs === null ? '' : ` after ${Math.round(end.elapsedMs / 1000)}s`
  if (end.stop === 'interrupted') return interruption(`turn cut off${after}`, turn.byProgram)
  if (end.stop === 'cancelled') {
    return cancelNote({
      after,
      category: end.category ?? turn.category,
      denied: turn.denied,
      byProgram: turn.byProgram,
    })
  }
  if (end.stop === 'error' || (end.error !== null && !isWellEnded(end.stop))) {
    return { ...failure(`turn failed${after}: ${end.error ?? end.stop}`, turn.erred), marks: { turn: 'failed' } }
  }
  const marks: Marks = { turn: isWellEnded(end.stop) ? 'completed' : 'aborted' }
  const text = isWellEnded(end.stop) ? `turn ended${after}` : `turn ended${after}: ${end.stop}`
  return { kind: 'lifecycle', text: oneLine(text, MAX_TEXT), marks }
}

interface Cancel {
  readonly after: string
  readonly category: string | null
  readonly denied: boolean
  readonly byProgram: boolean
}

/** A turn that a refused call ended has no stop of its own, and one that led nowhere was stopped by nobody. */
export function cancelNote({ after, category, denied, byProgram }: Cancel): Note {
  const why = category === null ? '' : ` (${category.replaceAll('_', ' ')})`
  const text = oneLine(`turn cancelled${after}${why}`, MAX_TEXT)
  const refused = category === null ? null : (REFUSED_BY.get(category) ?? null)
  if (refused !== null || (category === null && denied)) {
    // A refusal without a result to stand on is told here.
    const marks: Marks = refused === null || denied ? { turn: 'interrupted' } : { denied: refused, turn: 'interrupted' }
    return { kind: 'lifecycle', text, marks }
  }
  if (category === null || BY_PERSON.has(category)) return interruption(text, byProgram)
  return { kind: 'lifecycle', text, marks: { turn: 'aborted' } }
}

/** A stop is a person's where a person had asked; a subagent, or a turn nobody asked for, is merely cut off. */
export function interruption(text: string, byProgram: boolean): Note {
  if (byProgram) return { kind: 'lifecycle', text, marks: { turn: 'aborted' } }
  return { kind: 'human_intervention', text, marks: { interrupted: true, turn: 'interrupted' } }
}

function failure(text: string, erred: boolean): Note {
  return { kind: erred ? 'lifecycle' : 'error', text: oneLine(text, MAX_TEXT) }
}
