import { everyCommandIn, parseShell } from './shell.ts'
import { basename, hasSubcommands, subcommandIndex } from './shell-tools.ts'

/**
 * What a command line runs besides what it runs first, as `name` or `name subcommand`: the rest of a list or a pipe,
 * what stands in loops and substitutions, what a wrapper runs. Null if it cannot be parsed. Never throws.
 */
export function innerCommands(command: string): string[] | null {
  const { base, sub, parsed } = parseShell(command)
  if (!parsed) return null
  const names = everyCommandIn(command).flatMap((words) => nameOf(words) ?? [])
  const own = names.indexOf(sub === null ? (base ?? '') : `${base} ${sub}`)
  return own === -1 ? names : names.toSpliced(own, 1)
}

function nameOf(words: readonly string[]): string | null {
  const base = basename(words[0] ?? '')
  if (!/^[\w.+@:[-]+$/.test(base)) return null
  const sub = hasSubcommands(base) ? words[subcommandIndex(words)] : undefined
  return sub !== undefined && /^[\w@][\w@:./+-]*$/.test(sub) ? `${base} ${sub}` : base
}
