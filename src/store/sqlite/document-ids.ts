import { FLAG } from '../store.ts'
import type { TextMessage } from '../text-index.ts'

/** Fields of the full-text index, in the order of its columns, with how much a match in each weighs. */
export const FIELDS = {
  title: 1,
  prompt: 1,
  answer: 1,
  thinking: 1,
  command: 1,
  file: 1,
  error: 1,
  parts: 0.5,
} as const
export type Field = keyof typeof FIELDS

export const WEIGHTS = Object.values(FIELDS)
  .map((weight) => weight.toFixed(1))
  .join(', ')

/** Documents of a session have numbers of their own block: so a document tells its session. */
const BLOCK = 2 ** 20
export const TITLE_DOCUMENT = 0
export const DIGEST_DOCUMENT = 1
export const FIRST_EXCHANGE = 16

export function documentId(session: number, number: number): number {
  return session * BLOCK + number
}

export function sessionOfDocument(id: number): number {
  return Math.floor(id / BLOCK)
}

export function numberOfDocument(id: number): number {
  return id % BLOCK
}

/** The field that the words of an event are found in. */
export function fieldOf(kind: string, flags: number): TextMessage['field'] | null {
  switch (kind) {
    case 'user_msg':
      return flags & FLAG.human ? 'prompt' : null
    case 'assistant_msg':
    case 'decision':
      return 'answer'
    case 'thinking':
      return 'thinking'
    case 'tool_call':
    case 'test_run':
    case 'edit':
    case 'retry':
      return 'command'
    case 'error':
      return 'error'
    default:
      return null
  }
}
