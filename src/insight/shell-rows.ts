import { basename, commandsIn, parseShell, subcommandIndex } from '../distill/shell.ts'
import type { CommandSum, ShellSum } from '../store/insight.ts'

/** Commands by what they ran first, and what ran inside others. */
export interface ShellRow extends ShellSum {
  /** How often it ran inside a list, a pipe, a substitution or a wrapper of another call, besides `count`. */
  readonly inner: number
}

export interface ShellReport {
  readonly rows: readonly ShellRow[]
  /** Calls that are no shell, or too long: in a row without a name, and nothing is guessed of what they ran. */
  readonly unparsed: number
}

interface Name {
  readonly base: string
  readonly sub: string | null
}

/** `sums` count each call once, by what it runs first; `commands` are the texts of the same calls. */
export function shellReport(sums: readonly ShellSum[], commands: readonly CommandSum[]): ShellReport {
  const rows = new Map<string, ShellRow & { inner: number }>()
  for (const sum of sums) rows.set(keyOf(sum), { ...sum, inner: 0 })
  const namer = new Namer()
  let unparsed = 0
  for (const { key, command, count } of commands) {
    const first = parseShell(command)
    if (!first.parsed) unparsed += count
    for (const { base, sub } of namer.inside(command, first)) {
      const blank = { key, base, sub, count: 0, errors: 0, compound: 0, inner: 0 }
      const row = rows.get(keyOf(blank)) ?? blank
      row.inner += count
      rows.set(keyOf(blank), row)
    }
  }
  const weight = (row: ShellRow) => row.count + row.inner
  return { rows: [...rows.values()].sort((a, b) => weight(b) - weight(a) || compare(keyOf(a), keyOf(b))), unparsed }
}

function keyOf({ key, base, sub }: Pick<ShellSum, 'key' | 'base' | 'sub'>): string {
  return JSON.stringify([base, sub, key])
}

/** Tells the names of commands, and asks the parser once for each which of them have subcommands. */
class Namer {
  readonly #tools = new Map<string, boolean>()

  /** What a command runs besides what it runs first. */
  inside(command: string, first: { readonly base: string | null; readonly sub: string | null }): Name[] {
    const names = commandsIn(command).flatMap((words) => this.#nameOf(words) ?? [])
    const own = names.findIndex(({ base, sub }) => base === first.base && sub === first.sub)
    return own === -1 ? names : names.toSpliced(own, 1)
  }

  #nameOf(words: readonly string[]): Name | null {
    const base = basename(words[0] ?? '')
    if (!/^[\w.+@:[-]+$/.test(base)) return null
    const sub = this.#hasSubcommands(base) ? words[subcommandIndex(words)] : undefined
    return { base, sub: sub !== undefined && /^[\w@][\w@:./+-]*$/.test(sub) ? sub : null }
  }

  #hasSubcommands(base: string): boolean {
    const known = this.#tools.get(base)
    if (known !== undefined) return known
    const has = parseShell(`${base} x`).sub === 'x'
    this.#tools.set(base, has)
    return has
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
