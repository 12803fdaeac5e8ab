/** What a rule allows: one command as it stands or, if `wide`, the same words with anything after them. */
export interface Pattern {
  readonly words: readonly string[]
  readonly wide: boolean
}

export type PermissionScope = 'project' | 'user'

/** What an agent does with a command that no rule is about. `sandbox`: runs it there, and asks before it runs it outside. */
export type Answer = 'never' | 'asks' | 'sandbox'

/** Commands that an agent was tried with. */
export interface Tried {
  readonly on: string
  /** From the oldest to the newest. */
  readonly versions: readonly string[]
  readonly commands: ReadonlyMap<string, Answer>
}

/** What beside a shell a person was asked about. */
export type ToolAsked =
  | { readonly kind: 'server'; readonly server: string; readonly tool: string }
  | { readonly kind: 'fetch'; readonly host: string }

/** A call of such a tool, as a rule sees it: the name of the tool after that of its server, or an address. */
export type ToolCall =
  | { readonly kind: 'server'; readonly name: string }
  | { readonly kind: 'fetch'; readonly url: string }

export interface RuleFile {
  readonly scope: RuleScope
  /** A directory is one of files with rules. */
  readonly path: string
}

/** `managed`: an administrator's, for everybody on the machine. */
export const RULE_SCOPES = ['user', 'project', 'local', 'managed'] as const
export type RuleScope = (typeof RULE_SCOPES)[number]

export interface ForeignRuleFile extends RuleFile {
  /** The agent in whose words the rules are. */
  readonly writer: string
}

/** How one agent writes down that it need not ask. Text in, text out: nothing here touches the disk. */
export interface PermissionTarget {
  /** Name of the agent, as `--for` takes it. */
  readonly agent: string
  readonly label: string
  /** Why a pattern without wildcard has no rule, or null if it has. */
  readonly noExact: string | null
  /** The same for a pattern with one. */
  readonly noWide: string | null
  /** Programs for which it is to have none, and why. */
  readonly without: Readonly<Record<string, string>>
  /** It takes capital and small letters for the same, in options too. */
  readonly ignoresCase: boolean
  /** True if its logs tell of every question: what they do not tell of was not asked. */
  readonly tellsQuestions: boolean
  readonly tried: Tried
  /** True if these rules, as this agent compares them, let all of a command run unasked. */
  admits(rules: readonly string[], command: string): boolean
  /** The same for a call of a tool beside the shell. */
  admitsTool(rules: readonly string[], call: ToolCall): boolean
  /** The file that tells this agent how to work in a project. */
  readonly guide: string
  /** The rule for a tool of a server, or for fetching from a host; null if it has none. */
  toolRule(asked: ToolAsked): string | null
  /** The rule for a pattern, or null if this agent cannot say exactly that. */
  rule(pattern: Pattern): string | null
  /** The file that holds the rules. Reads `env`, never the disk. */
  file(scope: PermissionScope, env: Readonly<Record<string, string | undefined>>, cwd: string): string
  /**
   * Files and directories that hold rules which count here: of the user, of the project, of the project for one person.
   * `root` is where the repository begins that `cwd` lies in.
   */
  settings(env: Readonly<Record<string, string | undefined>>, cwd: string, root: string): readonly RuleFile[]
  /** Files of another agent whose rules it takes for its own. */
  alsoReads(env: Readonly<Record<string, string | undefined>>, cwd: string, root: string): readonly ForeignRuleFile[]
  /** `text` with the rules it lacks. Null is a file that does not exist. Throws a UserError for text it cannot read. */
  add(text: string | null, rules: readonly string[]): string
  remove(text: string, rules: readonly string[]): string
  /** The allow rules in `text`. */
  list(text: string): string[]
  /** The rules in `text` that win over those: what is forbidden or to be asked about, as `admits` compares them. */
  barred(text: string): string[]
  /** Whether a managed file with this text says that only managed rules count. */
  holdsAlone(text: string): boolean
}

/** `docker logs *`, `git diff --stat`. */
export function patternText(pattern: Pattern): string {
  return pattern.words.join(' ') + (pattern.wide ? ' *' : '')
}

export function parsePattern(text: string): Pattern {
  const wide = text.endsWith(' *')
  return { words: (wide ? text.slice(0, -2) : text).split(' '), wide }
}
