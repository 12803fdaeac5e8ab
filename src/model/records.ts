import type { EventKind, Role } from './event.ts'
import type { Facts } from './facts.ts'

/** The version of the shapes below. Fields are added, never renamed; a record of a later version is passed over. */
export const RECORD_VERSION = 1

/** What every record begins with. */
export interface RecordHead<Name extends string> {
  readonly v: number
  readonly record: Name
  readonly session_uid: string
}

/** What holds in one store alone, and is found out again in any other: told only to whoever asks for records as they stand there. */
export interface SessionHere {
  readonly is_complete: boolean
  readonly file_mtime: number | null
  readonly file_size: number | null
  readonly indexed_at: string | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

/** From where the messages of a lane are numbered: for their ids, and for their places. */
export interface LaneHere {
  readonly messages_from: number
  readonly positions_from: number
}

/** One numbered stream of a session and what its transcript says of the session as a whole. */
export interface LaneRecord {
  readonly name: string
  readonly originality: number
  readonly main_path: string
  readonly yields_to: string | null
  readonly facts: Readonly<Partial<Facts>>
  readonly side: Readonly<Partial<Facts>>
  readonly here?: LaneHere
}

export interface SessionLine extends RecordHead<'session'> {
  readonly id: string
  readonly flavor: string
  readonly source: string
  readonly native_id: string
  readonly source_path: string
  readonly title: string | null
  readonly cwd: string | null
  readonly git_repo: string | null
  readonly git_branch: string | null
  readonly model: string | null
  readonly parent_uid: string | null
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly message_count: number
  readonly prompt_count: number
  readonly tool_count: number
  readonly event_count: number
  readonly retry_count: number
  readonly thread_count: number
  readonly outcome: string
  readonly task_ref: string | null
  readonly evicted_at: string | null
  readonly evict_reason: string | null
  readonly lanes: readonly LaneRecord[]
  readonly here?: SessionHere
}

/** Where an event stands, and what is derived from it: enough to put it back as it was. */
export interface EventPlacing {
  readonly lane: string
  readonly pos: number
  /** Position of the parent in the lane, or, as text, the key of one that stands elsewhere. */
  readonly parent: number | string | null
  readonly native: string
  readonly block: number
  readonly call: string | null
  readonly message: number | null
  readonly call_idx: number | null
  readonly line: number
  readonly exchange: number
  readonly flags: number
  readonly summary: string | null
  readonly base: string | null
  readonly sub: string | null
  readonly runs: string | null
}

export interface EventLine extends RecordHead<'event'> {
  readonly seq: number
  readonly ts: string | null
  readonly kind: EventKind
  readonly role: Role
  readonly tool: string | null
  readonly text: string | null
  /** The arguments of a call as the agent gave them. */
  readonly input: unknown
  /** Whole, what a call gave back. */
  readonly output: string | null
  readonly event_class: string
  readonly is_error: boolean
  readonly thread: string | null
  readonly marks: unknown
  readonly files: readonly (readonly [path: string, edit: number])[]
  readonly made: readonly (readonly [kind: string, value: string])[]
  readonly place: EventPlacing
}

export interface LedgerLine extends RecordHead<'ledger'> {
  readonly key: string
  readonly thread: string | null
  readonly model: string | null
  readonly ts: string | null
  readonly input: number
  readonly output: number
  readonly cache_read: number
  readonly cache_write_5m: number
  readonly cache_write_1h: number
  readonly reasoning: number
  readonly cost_usd: number | null
  readonly place: {
    readonly lane: string
    readonly message: number | null
    readonly pos: number | null
    readonly line: number
  }
}

export interface DigestLine extends RecordHead<'digest'> {
  readonly analyzed_at: string | null
  readonly schema_version: number
  readonly spans: string
  readonly digest: Readonly<Record<string, unknown>>
}

export interface SignalLine extends RecordHead<'signal'> {
  readonly kind: string
  readonly fingerprint: string
  readonly summary: string
  readonly count: number
  readonly tool: string | null
  readonly seqs: readonly number[]
  readonly denied_by: string | null
}

export interface DecisionLine extends RecordHead<'decision'> {
  readonly seq: number
  readonly ts: string | null
  readonly text: string
}

/** Put on, or, with `on` false, taken off; of two about one tag the later holds. */
export interface TagLine extends RecordHead<'tag'> {
  readonly tag: string
  readonly on: boolean
  readonly at: number
}

/** A title that a person gave, or, with null, took back. */
export interface TitleLine extends RecordHead<'title'> {
  readonly title: string | null
  readonly at: number
}

/** The session was forgotten: nothing of it is kept, and nothing of it is taken in again. */
export interface TombstoneLine extends RecordHead<'tombstone'> {
  readonly at: number
}

/** What people say of sessions; it stands apart from where the words of the session came from. */
export type WordLine = TagLine | TitleLine | TombstoneLine | DecisionLine
export type PortableRecord = SessionLine | EventLine | LedgerLine | DigestLine | SignalLine | WordLine
