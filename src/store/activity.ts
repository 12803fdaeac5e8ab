import type { DigestEvent, Signal, SignalKind, TimeSpent } from '../model/digest.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'

/** A stretch of time in milliseconds, its end not in it; open where a side is absent. */
export interface Within {
  readonly since?: number
  readonly before?: number
}

/** Which sessions and when. Times of `sessions` itself are not looked at. */
export interface ActivityFilter extends Within {
  readonly sessions: SessionFilter
}

/** Who was at work when in a session. */
export interface Activity {
  readonly uid: string
  readonly project: string | null
  /** Who was at work when, as it was kept; else what it can be told from. */
  readonly spans: string | Moments
}

/** Events with a time, in `seq` order, without words, and when the session began and ended. */
export interface Moments {
  readonly events: readonly DigestEvent[]
  /** Who was at work before them, as it is kept of a part whose raw text is gone; '' for nobody. */
  readonly before: string
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** An evicted session: how long is known, when is not. `time` is null without a digest. */
export interface Unplaced {
  readonly uid: string
  readonly project: string | null
  readonly time: TimeSpent | null
}

/** As much of a session as tells what was done in it. */
export type PastSession = Pick<
  SessionRecord,
  'rowId' | 'uid' | 'title' | 'cwd' | 'gitRepo' | 'startedAt' | 'endedAt' | 'outcome' | 'analyzedAt' | 'evictedAt'
>

export interface SessionSignal extends Signal {
  readonly sessionUid: string
  readonly at: number | null
}

/** Of which sessions: only these, only those that ended since then; all without either. */
export interface SignalFilter {
  readonly sessions?: readonly number[]
  readonly since?: number
  readonly kinds?: readonly SignalKind[]
}

/** A commit or pull request that a result proves, with where. */
export interface Made {
  readonly uid: string
  readonly seq: number
  readonly kind: 'commit' | 'pr'
  readonly value: string
}

/** Questions about when things happened. */
export interface ActivityQueries {
  /** Of the sessions that touch the time, one at a time, whole; sessions that agents hide included. */
  activities(filter: ActivityFilter): Promise<Iterable<Activity>>
  /** Evicted sessions that touch the time and of which it is not kept who was at work when. */
  unplaced(filter: ActivityFilter): Promise<Unplaced[]>
  /** How many sessions tell no beginning or no end; of those that touch the time, as far as that is known. */
  untimed(filter: ActivityFilter): Promise<number>
  /** Sessions in which something happened in the time, first first; an evicted one if it merely touches it. */
  sessionsWithin(filter: ActivityFilter): Promise<PastSession[]>
  /** The number of the prompt that a person gave at this moment; null if the session has none any more. */
  promptAt(uid: string, at: number): Promise<number | null>
  made(filter: ActivityFilter): Promise<Made[]>
  /** What stood out, session by session in the order of their ends. */
  signals(filter: SignalFilter): Promise<SessionSignal[]>
}
