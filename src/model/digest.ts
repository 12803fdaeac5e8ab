import type { EventKind, Role } from './event.ts'
import type { DeniedBy, Marks } from './marks.ts'
import type { SessionRecord } from './session.ts'

export const DIGEST_SCHEMA_VERSION = 1

export type Outcome = 'success' | 'fail' | 'abandoned' | 'unknown'

/** An event as analysis sees it: what happened, without the bulky body. */
export interface DigestEvent {
  readonly seq: number
  readonly at: number | null
  readonly kind: EventKind
  readonly role: Role
  readonly tool: string | null
  readonly summary: string
  /** Words; the command of a shell call; the beginning of what a failed call said. */
  readonly text: string | null
  readonly base: string | null
  readonly sub: string | null
  /** Joins a call and its result. */
  readonly call: string | null
  readonly eventClass: string
  readonly human: boolean
  readonly sidechain: boolean
  readonly superseded: boolean
  readonly thread: string | null
  /** Starts at 1 with the first prompt a person typed; 0 before it. */
  readonly exchange: number
  /** On the result of a test run: what it said. */
  readonly tests: 'passed' | 'failed' | null
  /** Files that a call names; `edit` if it changes them. */
  readonly files: readonly { readonly path: string; readonly edit: boolean }[]
  /** What the result of a call proves was made. */
  readonly made: readonly { readonly kind: 'commit' | 'pr'; readonly value: string }[]
  readonly marks: Marks
}

/** All that a digest is made of. The same input gives the same bytes. */
export interface DigestInput {
  readonly session: SessionRecord
  /** In `seq` order, threads included, copies of other sessions' records left out. */
  readonly events: readonly DigestEvent[]
  /** How many secrets each rule took out. */
  readonly redactions: Readonly<Record<string, number>>
  /** What is known of the part whose raw text went before these events came. */
  readonly part?: { readonly digest: Digest; readonly spans: string } | null
  /** Proof of what the session was read from. */
  readonly sources: readonly { readonly path: string; readonly bytes: number; readonly hash: string }[]
}

/** What a session came to, how sure that is, and what speaks for it, the weightiest first. */
export interface Judgement {
  readonly outcome: Outcome
  /** From 0 to 1. */
  readonly confidence: number
  readonly reasons: readonly string[]
}

/** Seconds of a session by who was at work. Together they are the time from its first to its last event. */
export interface TimeSpent {
  readonly active_s: number
  readonly agent_s: number
  readonly waiting_s: number
  readonly idle_s: number
}

/**
 * What stays of a session when its raw text has gone. A public contract: fields are added, never renamed. Keys
 * stand in this order; the fields up to `schema_version` are the oldest part. Unknown is null.
 */
export interface Digest {
  readonly session_uid: string
  readonly flavor: string
  readonly repo: string | null
  readonly domain: string | null
  readonly model: string | null
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly outcome: Outcome
  readonly cost: {
    readonly input_tokens: number | null
    readonly output_tokens: number | null
    readonly cache_tokens: number | null
    readonly wall_clock_s: number | null
    readonly turns: number
    readonly retries: number
  }
  /** Calls by tool, the most used first. */
  readonly tool_histogram: Readonly<Record<string, number>>
  readonly event_count: number
  readonly kind_counts: Readonly<Record<string, number>>
  readonly markers: {
    readonly errors: number
    readonly retries: number
    readonly interventions: number
    readonly test_runs: number
    readonly edits: number
    readonly decisions: number
    readonly compactions: number
  }
  readonly first_prompt: string | null
  readonly last_assistant: string | null
  readonly error_snippets: readonly {
    readonly fingerprint: string
    readonly sample: string
    readonly count: number
    readonly tool: string | null
  }[]
  readonly schema_version: number
  readonly title: string | null
  readonly outcome_confidence: number
  readonly outcome_reasons: readonly string[]
  readonly task_ref: string | null
  readonly exchanges: number
  readonly files: readonly { readonly path: string; readonly edits: number; readonly reads: number }[]
  readonly commands: readonly { readonly command: string; readonly count: number }[]
  readonly commits: readonly string[]
  readonly prs: readonly string[]
  readonly time: TimeSpent
  readonly compactions: number
  readonly redactions: Readonly<Record<string, number>>
  readonly sources: readonly { readonly path: string; readonly bytes: number; readonly hash: string }[]
  /** Share of calls that do no work of their own; null without calls. */
  readonly infra_overhead_share: number | null
}

/** Something worth knowing that happened in one session. `fingerprint` is the same wherever it happens again. */
export interface Signal {
  readonly kind: SignalKind
  readonly fingerprint: string
  /** For people: one line. */
  readonly summary: string
  readonly count: number
  readonly tool: string | null
  /** Of a denial: who did not let the call happen. */
  readonly by?: DeniedBy | null
  /** Where it happened, first first, at most 20. */
  readonly seqs: readonly number[]
}

export const SIGNAL_KINDS = [
  'error',
  'retry_loop',
  'correction',
  'denial',
  'intervention',
  'churn',
  'compaction',
  'co_change',
] as const
export type SignalKind = (typeof SIGNAL_KINDS)[number]

/** The same signal in several sessions. */
export interface Pattern {
  readonly kind: SignalKind
  readonly fingerprint: string
  readonly summary: string
  readonly tool: string | null
  readonly by?: DeniedBy | null
  readonly sessions: number
  readonly count: number
  /** `uid#seq`, of every session its first first, at most 20. */
  readonly evidence: readonly string[]
}
