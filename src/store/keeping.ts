import type { DigestInput, Outcome, Signal } from '../model/digest.ts'

/** What analysis found out about a session. */
export interface Analysis {
  readonly session: number
  readonly uid: string
  /** The digest as it is published. */
  readonly json: string
  readonly schemaVersion: number
  readonly outcome: Outcome
  readonly taskRef: string | null
  readonly signals: readonly Signal[]
  /** Who was at work when, as a short text. */
  readonly spans: string
}

/** What a session takes of the bounded tier, and what decides when it goes. Times are milliseconds. */
export interface Holding {
  readonly uid: string
  readonly bytes: number
  readonly analyzedAt: number | null
  readonly ingestedAt: number
  readonly endedAt: number | null
  readonly pinned: boolean
}

export type EvictReason = 'backstop' | 'budget' | 'overflow'

export interface Eviction {
  readonly uid: string
  readonly reason: EvictReason
}

/** Something that must be told until somebody says they have seen it. */
export interface Notice {
  readonly id: number
  readonly at: number
  readonly kind: string
  readonly message: string
}

/** The tag that keeps a session from going before others. */
export const KEEP_TAG = 'keep'
/** The tag of what a person wants to find again; it keeps a session as the other does. */
export const BOOKMARK_TAG = 'bookmark'

/** A tag that is put on or taken off, or what a session is called; with null, what it was called before. */
export type Said = { readonly tag: string; readonly on: boolean } | { readonly title: string | null }

/** The part of a store that remembers and forgets: digests, signals, marks, evictions. */
export interface Keeping {
  /** The published digest, byte for byte. */
  digest(uid: string): Promise<string | null>
  /** Sessions whose digest is missing or older than their events, oldest first; only those that rest since then. */
  toAnalyze(restingSince: number): Promise<number[]>
  /** Has every digest written again that another revision of the analysis wrote, as far as the raw text is there. */
  renewAnalyses(revision: string): Promise<void>
  analysisInput(session: number): Promise<DigestInput>
  saveAnalyses(analyses: readonly Analysis[], now: number): Promise<void>
  holdings(): Promise<Holding[]>
  distilledBytes(): Promise<number>
  /** Drops events, payloads and index of sessions; digest, ledger, title, tags and signals stay. `purge` ends it. */
  evict(evictions: readonly Eviction[], now: number): Promise<void>
  /** After evictions: what they dropped leaves the disk. Without, only what a crash has left is looked for. */
  purge(evicted: boolean): Promise<void>
  /** True while bytes that were dropped may still be on the disk. */
  owesPurge(): Promise<boolean>
  /** Drops everything about sessions for good and remembers not to read them again. */
  forget(sessions: readonly number[], now: number): Promise<void>
  /** Lets the next index read a forgotten session again. False if it was not forgotten. */
  unforget(uid: string): Promise<boolean>
  /** Lets the next index read the raw text of an evicted session again. */
  restore(session: number): Promise<void>
  /** Keeps what a person says of a session, also if its words are read anew or gone. */
  describe(session: number, said: Said, now: number): Promise<void>
  /** Records something decided outside the transcript, unless `tell` fails. Returns its `seq`. */
  decide(session: number, text: string, at: number, tell?: (seq: number) => void): Promise<number>
  notices(): Promise<Notice[]>
  addNotice(kind: string, message: string, at: number): Promise<void>
  acknowledge(now: number): Promise<number>
}
