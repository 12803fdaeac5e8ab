import { simpleCommand } from '../../distill/shell.ts'
import type { Answer, PermissionTarget } from '../../model/permission.ts'
import { judge } from './rules.ts'

/** What an agent does with all commands of one name. `some`: it depends on how they are written. */
export interface NeverAskedRow {
  readonly name: string
  readonly answer: Answer | 'some'
  /** Where it depends: the forms that were asked about. */
  readonly asked: readonly string[]
  readonly tried: number
}

const namesOfTarget = new Map<PermissionTarget, ReadonlyMap<string, NeverAskedRow>>()

/** What an agent was seen to do, by the names that the table of rules has for commands. */
export function neverAsked(target: PermissionTarget): ReadonlyMap<string, NeverAskedRow> {
  const known = namesOfTarget.get(target)
  if (known !== undefined) return known
  const names = namesOf(target.tried.commands)
  namesOfTarget.set(target, names)
  return names
}

/** A path outside the project is asked about for its own sake, whatever the command. */
const OUTSIDE = / (?:\.\.|[/~])/

function namesOf(commands: ReadonlyMap<string, Answer>): ReadonlyMap<string, NeverAskedRow> {
  const forms = new Map<string, [command: string, answer: Answer][]>()
  for (const [command, answer] of commands) {
    const name = OUTSIDE.test(command) ? null : nameOf(command)
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

/** Below 0 if version `a` is the older. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string) => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number)
  const [x, y] = [numbers(a), numbers(b)]
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return (x[i] ?? 0) - (y[i] ?? 0)
  return 0
}

/**
 * True if the agent asks about this command where no rule says otherwise, and its log does not tell of it. Of commands
 * of which some forms are asked about, only those that were tried are known.
 */
export function asksUnseen(target: PermissionTarget, command: string): boolean {
  return !target.tellsQuestions && asks(target, command)
}

/** True if the agent is known to ask about this command where no rule says otherwise. */
export function asks(target: PermissionTarget, command: string): boolean {
  const exact = target.tried.commands.get(command.trim())
  if (exact !== undefined) return exact === 'asks'
  const simple = simpleCommand(command)
  return simple !== null && neverAsked(target).get(judge(simple).name)?.answer === 'asks'
}

/** True if it asks about what a rule for this pattern would allow for the sake of its paths alone: no rule spares that. */
export function neverAsks(target: PermissionTarget, pattern: string): boolean {
  const words = pattern.endsWith(' *') ? pattern.slice(0, -2) : null
  const answer = words === null ? undefined : neverAsked(target).get(nameOf(words) ?? '')?.answer
  return (answer ?? answerTo(target, pattern)) === 'never'
}

function answerTo(target: PermissionTarget, pattern: string): NeverAskedRow['answer'] | undefined {
  const words = pattern.endsWith(' *') ? pattern.slice(0, -2) : pattern
  return target.tried.commands.get(words) ?? neverAsked(target).get(nameOf(words) ?? '')?.answer
}

/** Why an agent does not ask about what a rule for this pattern would allow; null if that is not known. */
export function whyUnasked(target: PermissionTarget, pattern: string): string | null {
  const { label, tried } = target
  const agent = `${label} ${tried.versions.at(-1) ?? ''}`
  const answer = answerTo(target, pattern)
  if (answer === 'never') return `${agent} never asks about it`
  if (answer === 'sandbox') return `${agent} runs it in its sandbox without asking; no question about it is on record`
  return null
}
