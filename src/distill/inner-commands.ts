import { basename, commandsIn, parseShell, subcommandIndex } from './shell.ts'

const MAX_REMEMBERED = 4096
/** Whether a name is one of the tools with subcommands; the parser knows. */
const tools = new Map<string, boolean>()

/**
 * What a command line runs besides what it runs first, as `name` or `name subcommand`: the rest of a list or a pipe,
 * what stands in loops and substitutions, what a wrapper runs. Null if it cannot be parsed. Never throws.
 */
export function innerCommands(command: string): string[] | null {
  const { base, sub, parsed } = parseShell(command)
  if (!parsed) return null
  const names = commandsIn(command).flatMap((words) => nameOf(words) ?? [])
  const own = names.indexOf(sub === null ? (base ?? '') : `${base} ${sub}`)
  return own === -1 ? names : names.toSpliced(own, 1)
}

function nameOf(words: readonly string[]): string | null {
  const base = basename(words[0] ?? '')
  if (!/^[\w.+@:[-]+$/.test(base)) return null
  const sub = hasSubcommands(base) ? words[subcommandIndex(words)] : undefined
  return sub !== undefined && /^[\w@][\w@:./+-]*$/.test(sub) ? `${base} ${sub}` : base
}

function hasSubcommands(base: string): boolean {
  const known = tools.get(base)
  if (known !== undefined) return known
  if (tools.size > MAX_REMEMBERED) tools.clear()
  const has = parseShell(`${base} x`).sub === 'x'
  tools.set(base, has)
  return has
}
