import type { Tokens } from './usage.ts'

/** One conversation as kept: seed columns of every source in one shape. Times are milliseconds. */
export interface SessionRecord {
  readonly rowId: number
  readonly uid: string
  readonly shortId: string
  readonly flavor: string
  /** Name in the `source` column, e.g. `claude_code`. */
  readonly longSource: string
  readonly nativeId: string
  readonly title: string | null
  readonly sourcePath: string
  readonly cwd: string | null
  readonly gitRepo: string | null
  /** What stays the same when the repository is moved. */
  readonly repoIdentity: string | null
  readonly gitBranch: string | null
  /** Every branch it worked on, in order. */
  readonly branches: readonly string[]
  readonly model: string | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly messageCount: number
  readonly promptCount: number
  readonly toolCount: number
  readonly eventCount: number
  readonly retryCount: number
  readonly threadCount: number
  /** Null when no response of the session was billed in the log. */
  readonly tokens: Tokens | null
  readonly parentUid: string | null
  /** Started by an agent, not by a person. */
  readonly isSubagent: boolean
  /** Run by a program or a script. */
  readonly automated: boolean
  readonly isComplete: boolean
  /** Seconds, as file systems tell it. */
  readonly fileMtime: number | null
  readonly fileSize: number | null
  readonly sourceBytes: number
  readonly outcome: string
  readonly taskRef: string | null
  readonly domain: string | null
  readonly discoveredAt: number | null
  readonly ingestedAt: number | null
  readonly analyzedAt: number | null
  readonly evictedAt: number | null
  /** When the raw text of its earlier part went; new words came since. */
  readonly partEvictedAt: number | null
  /** Why the raw text went. */
  readonly evictReason: string | null
  readonly tags: readonly string[]
}

export interface SessionFilter {
  readonly source?: string
  readonly since?: number
  readonly before?: number
  readonly branch?: string
  readonly model?: string
  readonly outcome?: string
  readonly tag?: string
  /** Part of the path of a file it touched, any case. */
  readonly file?: string
  /** Also sessions that an agent started. */
  readonly hidden?: boolean
  /** True: only runs of a program or a script; false: none of them. */
  readonly automated?: boolean
  /** Only sessions with a call of this tool, an event of this kind, something that a subagent did. */
  readonly holding?: { readonly tool?: string; readonly kind?: string; readonly sidechain?: true }
  /** Also sessions that hold no prompt, no answer and no call. */
  readonly empty?: boolean
  /** Part of the repository's or the working directory's path, any case. */
  readonly project?: string
  /** 0 = all. */
  readonly limit: number
}

/** The domain a session belongs to by the user's map: the name of its repository, or the longest part of its path. */
export function domainOf(
  session: Pick<SessionRecord, 'gitRepo' | 'cwd'>,
  domains: ReadonlyMap<string, string>,
): string | null {
  const project = projectOf(session)
  if (project === null || domains.size === 0) return null
  const named = domains.get(baseName(project))
  if (named !== undefined) return named
  const parts = [...domains.keys()].filter((part) => project.includes(part) || (session.cwd ?? '').includes(part))
  const longest = parts.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0]
  return longest === undefined ? null : (domains.get(longest) ?? null)
}

/** What a session is filed under: its repository if known, else where it ran. */
export function projectOf(session: Pick<SessionRecord, 'gitRepo' | 'cwd'>): string | null {
  return session.gitRepo ?? session.cwd
}

const WORKTREE = /^(.*?)[\\/](?:\.claude[\\/]|\.git[\\/])?\.?worktrees[\\/](.+)$/

/** What people call it: the name of the repository, with that of the worktree; `''` if nothing is known. */
export function projectName(session: Pick<SessionRecord, 'gitRepo' | 'cwd' | 'gitBranch'>): string {
  const { gitRepo, cwd, gitBranch } = session
  const project = projectOf(session)
  if (project === null) return ''
  const [, root = '', within = ''] = WORKTREE.exec(cwd ?? '') ?? []
  if (within === '' || root.endsWith('.codex') || (gitRepo !== null && gitRepo !== root)) return baseName(project)
  const parts = within.split(/[\\/]/)
  // A worktree may be called by its branch, and that may have slashes.
  const named = parts.findLastIndex((_, i) => parts.slice(0, i + 1).join('/') === gitBranch)
  return [baseName(root), ...parts.slice(0, Math.max(1, named + 1))].join('/')
}

/** Last part of a path, for Unix and Windows paths alike. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path
}
