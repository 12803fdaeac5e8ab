import type { UsageFilter } from './reading.ts'

/** Questions whether a call may happen. */
export interface Questions {
  /** Of which a log tells. */
  readonly asked: number
  /** Of them, those that a person answered with a no and words of their own. */
  readonly commented: number
  /** How long the answers were waited for, as far as it is known. */
  readonly waitedMs: number
}

/** What was asked about, and what in the way it was written keeps a rule from fitting it. */
export interface Topic {
  readonly tool: string
  readonly subject: string
  /** Names of obstacles with a space between, sorted. */
  readonly obstacles: string
}

/** Questions about one thing, which one agent asked in one project. */
export interface QuestionSum extends Topic, Questions {
  readonly agent: string
  readonly project: string | null
  readonly sessions: number
  readonly lastAsked: number | null
  /** What the latest was about, as it was called. */
  readonly sample: string
}

/** What a command line speaks for: a rule for it and everything like it, a rule for it alone, or none. */
export interface Form {
  readonly offer: 'wide' | 'exact' | 'none'
  readonly pattern: string
  /** Why there is none. */
  readonly reason: string
  /** The command as the table of rules names it. */
  readonly name: string
}

export interface Judge {
  /** Says it of a command line; null stands for several commands at once, whatever they are. */
  form(command: string | null): Form
  /** True if the agent asks about this command where no rule says otherwise, and its logs do not tell of the question. */
  asksUnseen(agent: string, command: string): boolean
  /** What a question about a call was about: its command line, or its input as JSON. */
  topic(tool: string, command: string | null, input: string | null): Topic
}

export interface FormSum extends Form, Questions {
  readonly count: number
  readonly errors: number
  /** Uses that the agent asks about, in logs that do not tell of it. */
  readonly unseen: number
  readonly lastUsed: number | null
  readonly projects: readonly string[]
  /** Command lines of a wide form, the latest first, some more than once. */
  readonly samples: readonly string[]
}

/** Exact forms that came up at least so often, and all others; or those of some patterns alone. */
export interface FormsWanted {
  readonly fewest: number
  readonly patterns?: readonly string[]
}

export interface FormSums {
  readonly forms: readonly FormSum[]
  /** Exact forms that came up too rarely, together by name. */
  readonly rare: readonly { readonly name: string; readonly count: number }[]
}

/** What people were asked, and what rules for it would be made of. */
export interface PermissionQueries {
  /** What the command lines speak for, by whole quarters of an hour. Null if that is not kept, or not by what the filter asks for: their texts tell it then. */
  forms(filter: UsageFilter, wanted: FormsWanted): Promise<FormSums | null>
  /** The versions of agents whose sessions are stored. */
  versions(): Promise<{ readonly agent: string; readonly version: string }[]>
  /** What people were asked about, by whole quarters of an hour. Null if that is not kept. */
  questions(filter: UsageFilter): Promise<QuestionSum[] | null>
}
