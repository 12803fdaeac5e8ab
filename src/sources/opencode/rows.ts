import type { Json } from '../kit/json.ts'

/** A message as the agent keeps it, with its parts. */
export interface Message {
  readonly id: string
  /** When it was made: the order of messages, with the id. */
  readonly at: number
  /** Null if it cannot be read. */
  readonly data: Json | null
  readonly parts: readonly (Json | null)[]
  /** Taken back by a person and deleted since; known from the log of changes. */
  readonly isRemoved: boolean
  readonly bytes: number
}

/** What is known of the session as a whole. */
export interface SessionRow {
  readonly id: string
  readonly parent: string | null
  readonly directory: string | null
  readonly title: string | null
  readonly version: string | null
  readonly createdAt: number | null
  readonly archivedAt: number | null
  /** The first message that is taken back for now. */
  readonly revertedFrom: string | null
  readonly permission: unknown
}

/** Where reading stopped: the last message that will not change, and what had changed last by then. */
export interface Mark {
  readonly at: number
  readonly id: string
  readonly changed: number
  /** How many messages there were up to here. */
  readonly count: number
}

/** One session, however it is kept. */
export interface SessionStore {
  session(): SessionRow | null
  /** Grows with every change of the session. */
  changed(): number
  /** True if nothing up to the mark has changed since in what it says. */
  stillStands(mark: Mark): boolean
  has(message: string): boolean
  /** Messages behind the mark, in their order. */
  messages(after: Pick<Mark, 'at' | 'id'> | null): Generator<Message>
  /** The session that a fork has copied its first message from, if it is known. */
  origin(createdAt: number, first: Message): string | null
  close(): void
}

/** What follows a message, as far as it matters: whether a person has said something since. */
export type Ahead = 'nothing' | 'prompt'
