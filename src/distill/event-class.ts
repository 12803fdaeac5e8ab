import { isToolCall, type EventKind, type Role } from '../model/event.ts'

/** How much of a text is looked at: labels are about how a message speaks, not about what a long output mentions. */
const HEAD = 4096

export interface Classified {
  readonly kind: EventKind
  readonly role: Role
  readonly tool?: string | null | undefined
  readonly text?: string | null | undefined
  readonly body?: string | null | undefined
  readonly human?: boolean | undefined
  /** The log's own word for the record, where kind and role do not tell it. */
  readonly type?: string | undefined
  /** The call did not happen. */
  readonly denied?: boolean | undefined
}

/**
 * One label for what happened, the same for every agent. The first that holds:
 *
 * 1. `tool_use:<Tool>` for a call, whatever its arguments say
 * 2. `permission_denied` for the result of a call that was not let happen
 * 3. `tool_error:<Tool>`, or `tool_error` if the tool is unknown, for a result that failed
 * 4. by the words of the message: `permission_denied`, `user_correction` (a person's prompt only),
 *    `worktree_error`, `cargo_workspace`, `retry_loop`
 * 5. `tool_result`, or who speaks: `user`, `assistant`, `system`, or the log's own word; else `other`
 *
 * Linear in the first 4 KB of the message, and nothing beyond is read.
 */
export function eventClass(event: Classified): string {
  const { kind, role, tool } = event
  if (isToolCall(kind)) return tool ? `tool_use:${tool}` : 'tool_use'
  if (event.denied === true) return 'permission_denied'
  if (kind === 'error' && (role === 'tool' || tool)) return tool ? `tool_error:${tool}` : 'tool_error'
  const message = event.text || event.body
  return (message ? byWords(message, event.human === true) : null) ?? byShape(event)
}

/** What every label by words but `user_correction` needs: one pass that rules out nearly all messages. */
const TELLING = /denied|worktree|cargo|retry|attempt \d/i
/** `\b` knows no Cyrillic; a word ends where no letter, digit or underscore goes on. */
const CORRECTION = /(?<![\p{L}\p{N}_])(?:again|опять|stop\s+doing)(?![\p{L}\p{N}_])/u

function byWords(message: string, human: boolean): string | null {
  const head = message.length > HEAD ? message.slice(0, HEAD) : message
  if (!human && !TELLING.test(head)) return null
  const words = head.toLowerCase()
  if (/permission\s+denied/.test(words)) return 'permission_denied'
  if (human && CORRECTION.test(words)) return 'user_correction'
  if (sameLine(words, 'worktree', ['error', 'denied', 'fail'])) return 'worktree_error'
  if (sameLine(words, 'cargo', ['workspace'])) return 'cargo_workspace'
  return /retry|attempt \d/.test(words) ? 'retry_loop' : null
}

/** True if one of `then` follows `first` on the same line. */
function sameLine(words: string, first: string, then: readonly string[]): boolean {
  let at = words.indexOf(first)
  while (at !== -1) {
    const end = words.indexOf('\n', at)
    const rest = words.slice(at + first.length, end === -1 ? undefined : end)
    if (then.some((word) => rest.includes(word))) return true
    at = end === -1 ? -1 : words.indexOf(first, end)
  }
  return false
}

function byShape({ kind, role, type }: Classified): string {
  if (type) return type
  if (kind === 'tool_result') return 'tool_result'
  return role === 'tool' ? 'other' : role
}
