import type { DecisionLine, EventLine, PortableRecord, SessionLine, WordLine } from '../model/records.ts'

/** What is known here of a session that somebody else has records of. */
export interface KnownHere {
  /** Row id; null if it is not here. */
  readonly id: number | null
  readonly isForgotten: boolean
  readonly isEvicted: boolean
  /** A transcript of it was read here. */
  readonly isOwn: boolean
  /** What was taken in last; null if nothing was. */
  readonly stamp: string | null
}

/** The name of the file that stands for records of a session that were taken in. */
export function importedFrom(uid: string): string {
  return `recall:${uid}`
}

/** The part of a store that gives records, and what taking them in needs beside `append`. */
export interface Portable {
  /** Uids in order, with their row ids. `own`: only those of which a transcript was read here. */
  uids(own?: boolean): Promise<{ readonly uid: string; readonly id: number }[]>
  /**
   * All of a session as it is now, one record after the other: itself, its events, ledger, digest, signals, decisions.
   * `here`: the session and its events as they stand here: with what holds in this store alone, events that are another
   * session's with the flag of a copy, and without outputs.
   */
  records(session: number, as?: 'here'): Promise<Iterable<PortableRecord>>
  /** What people say of sessions, and which were forgotten, by uid. */
  words(): Promise<Iterable<WordLine>>
  known(uid: string): Promise<KnownHere>
  /** After the words of a session: what they do not tell. */
  settle(session: SessionLine, decisions: readonly DecisionLine[], stamp: string): Promise<void>
  /** Keeps the later of what was said here and elsewhere. Returns which sessions are to be forgotten, and how many words were news. */
  merge(
    words: readonly WordLine[],
    now: number,
  ): Promise<{ readonly forgotten: readonly string[]; readonly news: number }>
  /** A copy of the database as it is now, without its payloads. */
  copyTo(file: string): Promise<void>
  /** Runs work on the store as it is now, whatever others write meanwhile. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
}

export type { EventLine, PortableRecord, SessionLine, WordLine }
