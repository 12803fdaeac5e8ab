import { simpleCommand } from '../../distill/shell.ts'
import { judge } from './rules.ts'
import { TRIED_AGENTS, TRIED_COMMANDS, TRIED_ON } from './tried-commands.ts'

/** What agents did with a command that no rule is about. `sandbox`: ran it there, and asked before they ran it outside. */
export type Answer = 'never' | 'asks' | 'sandbox'

/** What one agent does with all commands of one name, in these versions. `some`: it depends on how they are written. */
export interface NeverAskedRow {
  readonly name: string
  readonly answer: Answer | 'some'
  /** Where it depends: the forms that were asked about. */
  readonly asked: readonly string[]
  readonly tried: number
}

export interface NeverAsked {
  readonly agent: string
  /** The oldest and the newest that were tried. */
  readonly from: string
  readonly to: string
  /** The day they were. */
  readonly on: string
  readonly rows: readonly NeverAskedRow[]
}

const ANSWERS: Readonly<Record<string, Answer>> = { n: 'never', a: 'asks', s: 'sandbox' }

interface Tried {
  readonly versions: readonly string[]
  /** By command; asked in one version counts. */
  readonly commands: ReadonlyMap<string, Answer>
  readonly names: ReadonlyMap<string, NeverAskedRow>
}

let tried: ReadonlyMap<string, Tried> | null = null

/** What is known of an agent; undefined of those that were not tried. */
function triedWith(agent: string): Tried | undefined {
  tried ??= readTable()
  return tried.get(agent)
}

function readTable(): ReadonlyMap<string, Tried> {
  const agents = [...new Set(TRIED_AGENTS.map((one) => one.agent))]
  return new Map(
    agents.map((agent) => {
      const commands = new Map<string, Answer>()
      for (const [said, list] of Object.entries(TRIED_COMMANDS)) {
        const answers = said.split(' ').filter((_, i) => TRIED_AGENTS[i]?.agent === agent)
        const answer = ANSWERS[answers.find((one) => one !== 'n') ?? 'n'] ?? 'asks'
        for (const command of list.split('  ')) commands.set(command, answer)
      }
      const versions = TRIED_AGENTS.filter((one) => one.agent === agent).map((one) => one.version)
      return [agent, { versions, commands, names: namesOf(commands) }]
    }),
  )
}

function namesOf(commands: ReadonlyMap<string, Answer>): ReadonlyMap<string, NeverAskedRow> {
  const forms = new Map<string, [command: string, answer: Answer][]>()
  for (const [command, answer] of commands) {
    const name = nameOf(command)
    if (name !== null) forms.set(name, [...(forms.get(name) ?? []), [command, answer]])
  }
  return new Map(
    [...forms].map(([name, all]) => {
      const answers = new Set(all.map(([, answer]) => answer))
      const asked = answers.size === 1 ? [] : all.filter(([, answer]) => answer === 'asks').map(([command]) => command)
      const [answer = 'asks'] = answers
      return [name, { name, answer: answers.size === 1 ? answer : 'some', asked, tried: all.length }]
    }),
  )
}

/** What the table of rules calls it; null for what is no plain command. */
function nameOf(command: string): string | null {
  const simple = simpleCommand(command)
  return simple === null || simple.redirected || simple.assigns || !simple.plain ? null : judge(simple).name
}

/** Everything that was tried, by agent and name. */
export function neverAsked(): NeverAsked[] {
  const agents = [...new Set(TRIED_AGENTS.map((one) => one.agent))]
  return agents.flatMap((agent) => {
    const known = triedWith(agent)
    if (known === undefined) return []
    const { versions, names } = known
    return { agent, from: versions[0] ?? '', to: versions.at(-1) ?? '', on: TRIED_ON, rows: [...names.values()] }
  })
}

/** The newest version of an agent among these; null without any. */
export function newestOf(agent: string, seen: readonly { readonly agent: string; readonly version: string }[]): string | null {
  const own = seen.filter((one) => one.agent === agent).map((one) => one.version)
  return own.sort(compareVersions).at(-1) ?? null
}

/** Below 0 if `a` is the older. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string) => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number)
  const [x, y] = [numbers(a), numbers(b)]
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return (x[i] ?? 0) - (y[i] ?? 0)
  return 0
}

/** Agents whose logs tell of every question: what they do not tell of was not asked. */
const TELLING: ReadonlySet<string> = new Set(['codex', 'grok'])

/**
 * True if the agent asks about this command where no rule says otherwise, and its log does not tell of it. Of commands
 * of which some forms are asked about, only those that were tried are known.
 */
export function asksUnseen(agent: string, command: string): boolean {
  if (TELLING.has(agent)) return false
  const known = triedWith(agent)
  if (known === undefined) return false
  const exact = known.commands.get(command.trim())
  if (exact !== undefined) return exact === 'asks'
  const simple = simpleCommand(command)
  return simple !== null && known.names.get(judge(simple).name)?.answer === 'asks'
}

/** Why an agent does not ask about what a rule for this pattern would allow; null if that is not known. */
export function whyUnasked(agent: string, pattern: string): string | null {
  const known = triedWith(agent)
  if (known === undefined) return null
  const version = known.versions.at(-1) ?? ''
  const words = pattern.endsWith(' *') ? pattern.slice(0, -2) : pattern
  const answer = known.commands.get(words) ?? known.names.get(nameOf(words) ?? '')?.answer
  if (answer === 'never') return `${labelOf(agent)} ${version} never asks about it`
  if (answer === 'sandbox') return `${labelOf(agent)} ${version} runs it in its sandbox without asking; no question about it is on record`
  return null
}

function labelOf(agent: string): string {
  return { claude: 'Claude Code', codex: 'Codex', grok: 'Grok' }[agent] ?? agent
}
