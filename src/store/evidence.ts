/** A call that names a file, as it named it. */
export interface Touch {
  readonly session: number
  readonly lane: string
  readonly seq: number
  readonly at: number | null
  readonly path: string
  readonly edit: boolean
  readonly failed: boolean
}

/** What the digest of an evicted session still tells of a file. */
export interface RememberedTouch {
  readonly session: number
  /** From the root of the repository, or of the directory where the session ran, if it lies within. */
  readonly path: string
  readonly edits: number
  readonly reads: number
}

/** A commit that the result of a call proves. */
export interface MadeCommit {
  readonly session: number
  /** As the call told it: the beginning of the hash. Null for what only a digest remembers. */
  readonly seq: number | null
  readonly at: number | null
  readonly hash: string
}

/** Places where errors of one kind were met in one session. */
export interface MetError {
  readonly session: number
  readonly fingerprint: string
  readonly summary: string
  readonly count: number
  readonly seqs: readonly number[]
}

/** An error, or what a person wrote: people paste errors. */
export interface TroubleText {
  readonly seq: number
  readonly at: number | null
  readonly text: string
  readonly byPerson: boolean
}

/** A shell command with how it ended. */
export interface RanCommand {
  readonly session: number
  readonly lane: string
  readonly seq: number
  readonly at: number | null
  readonly exchange: number
  readonly command: string
  /** What the agent said it is for. */
  readonly purpose: string | null
  /** Null while there is no result. */
  readonly ok: boolean | null
}

/** Where a session worked. */
export interface Workplace {
  readonly session: number
  readonly cwd: string | null
  readonly gitRepo: string | null
}

/** Questions about what sessions prove. What was taken back, copied from elsewhere or is being read anew is left out. */
export interface EvidenceQueries {
  /** Calls that name a file whose last part is `baseName`, in order of time. */
  touches(baseName: string): Promise<Touch[]>
  remembered(baseName: string): Promise<RememberedTouch[]>
  workplaces(): Promise<Workplace[]>
  /** Commits whose known hash and `hash` do not differ as far as both go; `hash` has at least 7 digits. */
  commits(hash: string): Promise<MadeCommit[]>
  /** Errors by fingerprint, as analysis has noted them. Outlives eviction. */
  errors(fingerprints: readonly string[]): Promise<MetError[]>
  /** Errors and prompts of a session with numbers from one to another, in order. */
  troubles(session: number, from: number, to: number): Promise<TroubleText[]>
  /** Shell commands of sessions, in order; not those that are edits. */
  commands(sessions: readonly number[]): Promise<RanCommand[]>
  /** Shell commands whose text holds this, at any time between. */
  commandsSaying(text: string, from: number, to: number): Promise<RanCommand[]>
  /** Paths of the files that a session named, the most edited first. */
  filesOf(session: number): Promise<string[]>
}
