import type { EventKind, Role } from '../model/event.ts'
import type { Marks } from '../model/marks.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'
import type { Tokens } from '../model/usage.ts'
import type { VectorStatus } from './vectors.ts'

export interface EventRecord {
  readonly seq: number
  readonly parentSeq: number | null
  readonly at: number | null
  readonly kind: EventKind
  readonly role: Role
  readonly tool: string | null
  readonly summary: string
  readonly text: string | null
  readonly input: string | null
  readonly hasBody: boolean
  readonly flags: number
  readonly line: number
  readonly call: string | null
  readonly message: number | null
  /** Its place among the session's messages. */
  readonly messageIdx: number | null
  readonly messageId: string | null
  readonly callId: string | null
  readonly callIdx: number | null
  readonly exchange: number
  readonly eventClass: string | null
  readonly base: string | null
  readonly sub: string | null
  readonly thread: string | null
  readonly lane: string
  readonly tokens: number | null
  readonly marks: Marks
}

export interface EventWindow {
  readonly sidechains: boolean
  /** Only exchanges around this number, or the last ones. */
  readonly fromSeq?: number
  readonly toSeq?: number
  /** These alone, also those that are inherited; nothing else is read. */
  readonly seqs?: readonly number[]
}

/** Where an event stands, without what it says. */
export interface EventPlace {
  readonly seq: number
  readonly at: number | null
  readonly kind: EventKind
  readonly role: Role
  readonly lane: string
  readonly flags: number
  readonly tool: string | null
  /** What a call and its result have in common, within their lane. */
  readonly call: string | null
  readonly thread: string | null
  readonly marks: Marks
  /** Names the record that it was read from: a copy in another session has the same. */
  readonly record: string
}

/** Some of the places, for who wants to see something at once. */
export interface PlacesPart {
  /** The first as they are read; or those around an event or the last, as they stand in its transcript. */
  readonly from: 'start' | 'end' | number
  /** At most so many; around an event, before it and after it. */
  readonly most: number
}

/** What a sum of tokens is made over. */
export const USAGE_KEYS = ['project', 'model', 'day', 'source', 'session'] as const
export type UsageKey = (typeof USAGE_KEYS)[number]

export interface UsageFilter {
  readonly since?: number
  readonly before?: number
  /** Row id of one session. */
  readonly session?: number
  readonly sessions?: SessionFilter
}

/** One billed response with the place of the record that told it. */
export interface LedgerEntry extends Tokens {
  readonly key: string
  readonly sessionUid: string
  readonly thread: string | null
  readonly model: string | null
  readonly at: number | null
  readonly costUsd: number | null
  /** Null if the transcript is no longer known. */
  readonly file: string | null
  readonly line: number
}

export interface SourceTotals {
  readonly source: string
  readonly files: number
  readonly byState: Readonly<Record<string, number>>
  readonly totals: Totals
}

export interface Totals {
  readonly sessions: number
  readonly prompts: number
  readonly messages: number
  readonly toolCalls: number
  readonly events: number
  readonly tokens: Tokens
}

export interface StoreStatus {
  readonly path: string
  readonly bytes: number
  readonly tier1Bytes: number
  readonly tier2Bytes: number
  readonly lastIndex: number | null
  readonly vectors: VectorStatus
  /** What must be told until somebody says they have seen it. */
  readonly notices: readonly { readonly at: number; readonly kind: string; readonly message: string }[]
  readonly sources: readonly SourceTotals[]
  readonly problems: readonly { source: string; type: string; level: string; count: number }[]
}

/**
 * `grown`: new, or its words are others now. `analysed`: it has a new digest. `evicted`: its raw text has gone.
 * `forgotten`: nothing of it is left. `tagged`: what is said about it has changed: tags, title, decisions, where it belongs.
 */
export type ChangeKind = 'grown' | 'analysed' | 'evicted' | 'forgotten' | 'tagged'

export interface Change {
  readonly seq: number
  readonly uid: string
  readonly kind: ChangeKind
  readonly at: number
}

export interface ChangeFeed {
  /** In the order in which they came; of each session the last of a kind, of a forgotten one only that it was. */
  readonly changes: readonly Change[]
  /** The number to go on from: that of the last change here, or, if there is none, the last there is. */
  readonly last: number
}

export interface Finding {
  readonly id: string
  readonly level: 'error' | 'warn' | 'info'
  readonly message: string
  readonly remedy: string
  /** Whom it concerns, if it concerns only some. */
  readonly sessions?: readonly string[]
}

export interface CheckOptions {
  readonly deep?: boolean
  readonly onProgress?: (done: number, total: number, what: string) => void
}

export type Resolution =
  | { readonly found: 'one'; readonly id: number }
  | { readonly found: 'none' }
  | { readonly found: 'many'; readonly candidates: readonly SessionRecord[] }

/** A text as it is stored, with where. */
export interface StoredText {
  readonly where: string
  readonly text: string
}

/** What anybody may ask a store, also while another process writes to it. */
export interface Reading {
  sessions(filter: SessionFilter): Promise<{ sessions: SessionRecord[]; total: number }>
  /** How many subagents with a session of their own each session has started, theirs included, by its uid. */
  subagents(): Promise<ReadonlyMap<string, number>>
  session(id: number): Promise<SessionRecord | null>
  /** By uid, short id or a unique prefix of either. */
  resolve(id: string): Promise<Resolution>
  events(session: number, window: EventWindow): Promise<EventRecord[]>
  /** All events of a session in the order of `events`, without their texts. */
  places(session: number, sidechains: boolean, part?: PlacesPart): Promise<EventPlace[]>
  bodies(session: number, seqs: readonly number[] | null): Promise<Map<number, string>>
  /** Every billed response, by session and place. */
  ledger(filter: UsageFilter): Promise<LedgerEntry[]>
  /** Transcripts that a session's lanes were read from. */
  filesOf(session: number): Promise<{ source: string; path: string }[]>
  status(): Promise<StoreStatus>
  /** What is wrong inside; with `deep` every row, index and payload is read. */
  check(options?: CheckOptions): Promise<Finding[]>
  /** Every text that is stored, one at a time. */
  texts(): Promise<Iterable<StoredText>>
  /**
   * What has changed after a number; 0 for everything. Numbers only rise, also when the store is made anew. One below
   * the number asked with is the end of a feed that was lost with a damaged store: go on from 0.
   */
  changesSince(seq: number, limit: number): Promise<ChangeFeed>
}
