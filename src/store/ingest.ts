import type { EventKind, Role } from '../model/event.ts'
import type { Facts } from '../model/facts.ts'
import type { TextField } from '../model/search-text.ts'
import type { Usage } from '../model/usage.ts'
import type { Moments } from './activity.ts'
import type { Judge } from './permissions.ts'

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
  aside: 128,
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
  /** Begun anew because it has changed in what had been told: notes on how it stood for a while are no loss. */
  readonly again?: boolean
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
  /** That were not known before. */
  readonly problems: number
  readonly created: readonly string[]
  readonly touched: readonly string[]
}

/** Changes texts: plain ones, and every string in a JSON value. The very same value if there is nothing to change. */
export interface TextRewriter {
  text(value: string): string
  json(value: unknown): unknown
}

/** What an index run asks of a store. It belongs to the one process that holds the lock. */
export interface Ingest {
  /** Every transcript seen so far and not gone since, by path. */
  files(): Promise<Map<string, FileRecord>>
  /** Where the reading of a file that is known stopped. */
  checkpoint(path: string): Promise<FileCheckpoint>
  /** How many sessions are kept. */
  sessionCount(): Promise<number>
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
   * Keeps what a judge says of each command line whose session has changed since, or of all if they were judged under
   * another revision. `judge` is loaded only if there is anything to judge.
   */
  keepForms(revision: string, judge: () => Promise<Judge>): Promise<void>
  /** Keeps who was at work when, as `tell` writes it, of the sessions that have changed since it was kept. */
  keepActivity(tell: (moments: Moments) => string): Promise<void>
  /**
   * Brings over from an older store what no transcript can give back: marks before they are read, lanes after. Returns
   * what could not be, because the old store is damaged.
   */
  carryOver(oldPath: string, when: 'before' | 'after'): Promise<readonly string[]>
}
