/** Who did not let a call happen: a person who was asked, a rule or mode, the sandbox it ran in, a hook. */
export type DeniedBy = 'person' | 'rule' | 'sandbox' | 'hook'

/** Where a turn stands: it began, was finished, failed, was stopped by a person, or was broken off by no person. */
export type TurnMark = 'started' | 'completed' | 'failed' | 'interrupted' | 'aborted'

/**
 * What a source knows of an event beyond its words. Only sources set marks; everybody else reads them and never looks
 * for words that a source wrote. Each thing is marked on one event, the one that says it: a denial on the result of
 * the call, an interruption on the person's stop, not on what follows from them.
 */
export interface Marks {
  /** On the result of a call: it did not happen. */
  readonly denied?: DeniedBy
  /** Permission for a call was asked for. */
  readonly asked?: true
  /** A person let a call happen that they were asked about. */
  readonly approved?: true
  /** How long a question waited for its answer. */
  readonly waitedMs?: number
  /** A person stopped the agent here. */
  readonly interrupted?: true
  /** On the result of a call: it was stopped before its end. The stop itself is another event. */
  readonly stopped?: true
  /** From here on the agent knows what came before only as a summary. */
  readonly compacted?: 'auto' | 'manual' | 'unknown'
  readonly turn?: TurnMark
  /** Of the command whose result this is. */
  readonly exitCode?: number
  /** On what a session says of itself as a whole: how the subagent that it is ended. */
  readonly subagent?: 'started' | 'completed' | 'failed' | 'cancelled'
  /** What the log itself says was made. */
  readonly made?: readonly { readonly kind: 'commit' | 'pr'; readonly value: string }[]
  /** So many turns before this were taken back by a person. */
  readonly takenBack?: number
  /** A person's words that reached the agent while it was at work. */
  readonly midTurn?: true
  /** A person's words about a call that they did not let happen: their turn, but no prompt. `parent` is the call. */
  readonly onDenial?: true
  /** The same about a call that they let happen. */
  readonly onApproval?: true
  /** Put into the conversation by the client: no words of a person, and nothing that was asked for. */
  readonly injected?: true
  /** A command to the client, with its slash; `!` for one that the person ran in a shell themselves, `#` for a note to the client. */
  readonly command?: string
  /** Known from a log of prompts alone: what came of it stands in no log that is left. */
  readonly alone?: true
}

/** True of a person's turn that is no prompt: words about a call, a command to their own shell, a note to the client. */
export function isRemark({ onDenial, onApproval, command }: Marks): boolean {
  return onDenial === true || onApproval === true || command === '!' || command === '#'
}

export const NO_MARKS: Marks = {}

/** Marks as they are kept; null for none. */
export function marksText(marks: Marks | undefined): string | null {
  if (marks === undefined) return null
  for (const _ in marks) return JSON.stringify(marks)
  return null
}

export function readMarks(text: string | null): Marks {
  return text === null ? NO_MARKS : (JSON.parse(text) as Marks)
}
