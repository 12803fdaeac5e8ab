import type { Outcome } from '../model/digest.ts'
import type { SessionFilter } from '../model/session.ts'
import type { Tokens } from '../model/usage.ts'
import type { UsageFilter, UsageKey } from './reading.ts'

/** Above so many tokens of prompt a response may have another price. Every step of the price list is among them. */
export const PROMPT_SIZES = [128_000, 199_999, 200_000, 256_000, 271_999, 272_000, 512_000] as const

/** Sums that keep time do so by the quarter of an hour: the days of every time zone are made of whole ones. */
export const QUARTER_MS = 900_000

export const OUTCOMES: readonly Outcome[] = ['success', 'fail', 'abandoned', 'unknown']

/** `all`: one sum. `quarter`: by its number since 1970. */
export type SumKey = UsageKey | 'all' | 'quarter'

/** Responses of one model with prompts of one size. */
export interface SpentSum extends Tokens {
  /** Null: not known. */
  readonly key: string | null
  readonly model: string | null
  /** The largest of PROMPT_SIZES that their prompts are above, or 0. */
  readonly size: number
  readonly responses: number
  /** What the agent itself recorded as the price of some of them, USD. */
  readonly recordedUsd: number
  /** How many of them it recorded a price for. */
  readonly recorded: number
}

export interface CallSum {
  readonly key: string | null
  readonly tool: string
  readonly count: number
  readonly errors: number
  readonly sessions: number
}

/** Calls of a shell by what they ran first. */
export interface ShellSum {
  readonly key: string | null
  /** Null: no name, or not parsed. */
  readonly base: string | null
  readonly sub: string | null
  readonly count: number
  readonly errors: number
  readonly compound: number
}

/** What calls of a shell ran besides what they ran first. */
export interface InnerSum {
  readonly key: string | null
  /** `name` or `name subcommand`; null for calls that cannot be parsed. */
  readonly name: string | null
  readonly count: number
}

/** One command line as it was run, in one project. */
export interface CommandSum {
  readonly key: string | null
  readonly command: string
  readonly project: string | null
  readonly count: number
  readonly errors: number
  readonly lastUsed: number | null
}

export interface ErrorSum {
  readonly key: string | null
  readonly fingerprint: string
  readonly summary: string
  readonly tool: string | null
  readonly count: number
  readonly sessions: number
  readonly lastAt: number | null
  /** `uid#seq`, of the latest session. */
  readonly evidence: string | null
}

export interface FileSum {
  readonly key: string | null
  readonly path: string
  readonly edits: number
  readonly reads: number
  readonly sessions: number
}

/** Seconds of sessions by who was at work, each session on its own. */
export interface TimeSum {
  readonly key: string | null
  readonly sessions: number
  /** Of them, those not analysed yet: their time is in none of the sums. */
  readonly unknown: number
  readonly activeS: number
  readonly agentS: number
  readonly waitingS: number
  readonly idleS: number
}

export interface SessionSum {
  readonly key: string | null
  readonly sessions: number
  readonly prompts: number
  readonly toolCalls: number
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>
}

export interface ModelSessions {
  readonly key: string | null
  readonly model: string | null
  readonly sessions: number
}

/** Sums over the store. `since` and `before` are about when something happened; for errors and time, when its session ended. */
export interface InsightQueries {
  spent(by: SumKey, filter: UsageFilter): Promise<SpentSum[]>
  /** Sessions that tell no tokens, by key. */
  silent(by: SumKey, filter: UsageFilter): Promise<Map<string | null, number>>
  /** Sessions in which a model answered, by key and model. */
  sessionsOfModels(by: SumKey, filter: UsageFilter): Promise<ModelSessions[]>
  calls(by: SumKey, filter: UsageFilter): Promise<CallSum[]>
  shell(by: SumKey, filter: UsageFilter): Promise<ShellSum[]>
  inner(by: SumKey, filter: UsageFilter): Promise<InnerSum[]>
  /** Every command line with how often it was run. Reads all their texts. */
  commands(by: SumKey, filter: UsageFilter): Promise<CommandSum[]>
  errors(by: SumKey, filter: UsageFilter): Promise<ErrorSum[]>
  files(by: SumKey, filter: UsageFilter): Promise<FileSum[]>
  time(by: SumKey, filter: UsageFilter): Promise<TimeSum[]>
  sessions(by: SumKey, filter: SessionFilter): Promise<SessionSum[]>
}
