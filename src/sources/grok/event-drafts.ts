import type { Marks } from '../../model/marks.ts'
import type { EventItem } from '../source.ts'
import type { Note } from './notes.ts'

/** What an event says, without its place. */
export type Draft = Pick<EventItem, 'kind' | 'role'> &
  Partial<
    Pick<
      EventItem,
      'tool' | 'text' | 'input' | 'body' | 'human' | 'call' | 'message' | 'callIdx' | 'thread' | 'marks' | 'parent'
    >
  >

export function noteDraft({ kind, text, marks, body }: Note): Draft {
  const role = kind === 'human_intervention' ? 'user' : 'system'
  return { kind, role, text, ...(body === undefined ? {} : { body }), ...marked(marks) }
}

export function marked(marks: Marks | undefined): { readonly marks?: Marks } {
  return marks === undefined || Object.keys(marks).length === 0 ? {} : { marks }
}

/** Both accounts of a cancelled turn bear this name, so that they are one. */
export function cancelName(origin: string, count: number): string {
  return `cancel:${origin}:${count}`
}
