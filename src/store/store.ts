import type { TextIndex } from './text-index.ts'
import type { ChronicleQueries } from './chronicle.ts'
import type { EvidenceQueries } from './evidence.ts'
import type { InsightQueries } from './insight.ts'
import type { Memory, StoredText, TextRewriter } from './memory.ts'
import type { VectorStatus, Vectors } from './vectors.ts'
import type { EventKind, Role } from '../model/event.ts'
import type { TextField } from '../model/search-text.ts'
import type { Facts } from '../model/facts.ts'
import type { Marks } from '../model/marks.ts'
import type { Tokens, Usage } from '../model/usage.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'

/** An event ready to be kept: redacted, classified, its body packed. */
export interface EventRow {
  readonly pos: number
  /** Position of the parent in the lane, or its native key if the reader could not see it. */
  readonly parent: number | Uint8Array | null
  readonly at: number | null
  readonly kind: EventKind
  readonly role: Role
  readonly tool: string | null
  readonly summary: string | null
  readonly text: string | null
  /** Arguments of a call as JSON, whole. */
  readonly input: string | null
  /** Index into the batch's chunks, where in the unpacked chunk, how long; null without a body. */
  readonly body: readonly [chunk: number, offset: number, length: number] | null
  readonly flags: number
  readonly native: Uint8Array
  readonly block: number
  readonly call: Uint8Array | null
  readonly message: number | null
  readonly callIdx: number | null
  readonly line: number
  readonly exchange: number
  /** kei's label. */
  readonly eventClass: string
  readonly base: string | null
  readonly sub: string | null
  /** What a command runs besides what it runs first, as JSON; `[null]` if it cannot be parsed, null if nothing. */
  readonly runs: string | null
  readonly thread: string | null
  /** Files that a call names; `edit` if it changes them. */
  readonly files: readonly { readonly path: string; readonly edit: boolean }[]
  /** What the result of a call proves was made. */
  readonly made: readonly { readonly kind: 'commit' | 'pr'; readonly value: string }[]
  /** What the source knows of it, as JSON; null for nothing. */
  readonly marks: string | null
}

export const FLAG = {
  sidechain: 1,
  /** The transcript has lost it since. */
  superseded: 2,
  /** Another lane owns this record. */
  copy: 4,
  human: 8,
  inferred: 16,
  compound: 32,
  /** First event of its message. */
  messageStart: 64,
  /** Kept from before a transcript was read anew, until that reading tells whether it is still there. */
  shelved: 128,
  /** What the result of a test run says. */
  testsPassed: 256,
  testsFailed: 512,
  /** A copy within its own session: the lane that owns the record shows it. */
  twin: 1024,
  /** A person's words that are no prompt. */
  remark: 2048,
} as const

export interface LaneBatch {
  readonly session: string
  readonly lane: string
  /** First half of the session's uid, and its name in the `source` column. */
  readonly flavor: string
  readonly longName: string
  readonly originality: number
  readonly mainPath: string
  readonly yieldsTo: string | null
  readonly facts: Readonly<Partial<Facts>>
  /** What files beside the transcript say now; replaces what they said before. Null: they were not read. */
  readonly side: Readonly<Partial<Facts>> | null
  readonly events: readonly EventRow[]
}

/** What is known of the secrets of a session. */
export interface KnownRow {
  readonly uid: string
  /** JSON that only who wrote it understands. */
  readonly state: string
  /** What is stored of the session has not been looked through for them yet. */
  readonly owed: boolean
}

export interface UsageRow extends Usage {
  readonly session: string
  readonly lane: string
  readonly message: number | null
  readonly pos?: number
  readonly line: number
}

export interface ProblemRow {
  readonly type: string
  readonly level: 'info' | 'warn'
  readonly message: string
  readonly line: number
  readonly offset: number
}

export interface Chunk {
  /** Native session id: a chunk holds bodies of one session only. */
  readonly session: string
  readonly rawBytes: number
  readonly data: Uint8Array
}

/** What one step over one transcript gave. Kept whole or not at all, together with where to go on. */
export interface UnitBatch {
  readonly source: string
  readonly path: string
  readonly stamp: string
  readonly size: number
  readonly mtimeMs: number
  /** This step began at the first byte: what the transcript said before and no longer says is marked superseded. */
  readonly restart: boolean
  /** The transcript turned out to be another session's: forget what was kept from it. */
  readonly disown: boolean
  /** The transcript has been read to its end. */
  readonly done: boolean
  /** It holds nothing that its source understands. */
  readonly foreign: boolean
  readonly lanes: readonly LaneBatch[]
  readonly usage: readonly UsageRow[]
  readonly titles: readonly { readonly leaf: Uint8Array; readonly title: string }[]
  /** Stretches of lanes that the conversation has taken back. */
  readonly superseded: readonly { session: string; lane: string; from: number; to: number }[]
  readonly problems: readonly ProblemRow[]
  readonly chunks: readonly Chunk[]
  /** Null if only files beside the transcript were read: the old one stays. */
  readonly checkpoint: FileCheckpoint | null
  /** What is known of the secrets of its sessions from now on, where that is more than before. */
  readonly known?: readonly KnownRow[]
}

export interface FileCheckpoint {
  readonly offset: number
  readonly line: number
  /** Reader and derivation state, JSON. */
  readonly state: string
  /** Proof of the prefix: hashes of its first and its last block. */
  readonly head: string
  readonly tail: string
  /** Rows after the checkpoint were kept too and will come again. */
  readonly provisional: boolean
}

/** What the store knows of a transcript file. */
export interface FileRecord {
  readonly source: string
  readonly path: string
  readonly stamp: string
  readonly size: number
  readonly offset: number
  /** `evicted` and `forgotten`: not to be read again while it stays the same. */
  readonly status: 'ok' | 'partial' | 'skipped' | 'gone' | 'failed' | 'evicted' | 'forgotten'
}

export interface AppendTally {
  readonly events: number
  readonly created: readonly string[]
  readonly touched: readonly string[]
}

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

export interface UsageSum extends Tokens {
  /** Null: not known. */
  readonly key: string | null
  readonly responses: number
  /** Sessions whose log tells no tokens at all. */
  readonly unknown: number
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

/** Told of damage that an answer may suffer from, in words for a person. */
export type OnDamage = (message: string) => void

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

/** Where memory is kept. Writing methods belong to the one process that holds the lock. */
export interface Store {
  readonly memory: Memory
  readonly text: TextIndex
  readonly insight: InsightQueries
  readonly evidence: EvidenceQueries
  readonly chronicle: ChronicleQueries
  readonly vectors: Vectors
  /** Every transcript seen so far and not gone since, by path. */
  files(): Promise<Map<string, FileRecord>>
  /** Where the reading of a file that is known stopped. */
  checkpoint(path: string): Promise<FileCheckpoint>
  /** Keeps batches in one transaction: all of them with their checkpoints, or none. */
  append(batches: readonly UnitBatch[]): Promise<AppendTally>
  /** Notes transcripts that could not be read or are no longer there. Their memory stays. */
  markFiles(
    marks: readonly { source: string; path: string; state: 'gone' | 'failed'; message?: string }[],
  ): Promise<void>
  /** Ends an index run: what needs all files at hand, and the time. `exists` tells which directories are still there. */
  finish(now: number, exists: (dir: string) => boolean): Promise<void>
  /** Whether something was read since the last `finish`: an index run was interrupted before its end. */
  isUnfinished(): Promise<boolean>
  /** Which redaction the stored texts have been through; '' for none. */
  textRevision(): Promise<string>
  /** Changes in place what no transcript can give anew, and takes the old bytes off the disk. */
  rewriteTexts(revision: string, rewriter: TextRewriter): Promise<void>
  /** What is known of the secrets of sessions. */
  knownSecrets(): Promise<readonly KnownRow[]>
  /** Sessions with what they were forked from or started by. */
  kin(): Promise<readonly (readonly [uid: string, of: string])[]>
  /**
   * Changes in place every text that is stored of these sessions, and takes the old bytes off the disk; keeps what is
   * known of their secrets with it. Returns whether a text has changed. A session without a rewriter stays as it is.
   */
  rewriteSessions(known: readonly KnownRow[], rewriterFor: (uid: string) => TextRewriter | null): Promise<boolean>
  /** Chooses what is findable beside titles; if that changes, what is stored is made findable anew. */
  chooseFields(fields: readonly TextField[]): Promise<void>
  /**
   * Brings over from an older store what no transcript can give back: marks before they are read, lanes after. Returns
   * what could not be, because the old store is damaged.
   */
  carryOver(oldPath: string, when: 'before' | 'after'): Promise<readonly string[]>

  sessions(filter: SessionFilter): Promise<{ sessions: SessionRecord[]; total: number }>
  /** How many subagents with a session of their own each session has started, theirs included, by its uid. */
  subagents(): Promise<ReadonlyMap<string, number>>
  session(id: number): Promise<SessionRecord | null>
  /** By uid, short id or a unique prefix of either. */
  resolve(id: string): Promise<Resolution>
  events(session: number, window: EventWindow): Promise<EventRecord[]>
  /** All events of a session in the order of `events`, without their texts. */
  places(session: number, sidechains: boolean): Promise<EventPlace[]>
  bodies(session: number, seqs: readonly number[] | null): Promise<Map<number, string>>
  exchange(session: number, lane: string, exchange: number): Promise<EventRecord[]>
  /** Sums of the ledger, largest first; days in order. */
  usage(by: UsageKey, filter: UsageFilter): Promise<UsageSum[]>
  ledger(filter: UsageFilter): Promise<LedgerEntry[]>
  /** Transcripts that a session's lanes were read from. */
  filesOf(session: number): Promise<{ source: string; path: string }[]>
  status(): Promise<StoreStatus>
  /** What is wrong inside; with `deep` every row, index and payload is read. */
  check(options?: CheckOptions): Promise<Finding[]>
  /** Every text that is stored, one at a time. */
  texts(): Promise<Iterable<StoredText>>
  close(): Promise<void>
}

/** What can be known and done about the files of a store that cannot be opened, or of which nobody knows whether it can. */
export interface StoreFiles {
  /** What is damaged, in a few words; null if nothing is known to be. */
  damageOf(location: string): Promise<string | null>
  check(location: string): Promise<Finding[]>
  /** Writes back the parts of which there are copies; returns how many. */
  heal(location: string): Promise<number>
}
