import { innerCommands } from '../distill/inner-commands.ts'
import type { CommandSum, InnerSum, ShellSum } from '../store/insight.ts'

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

/** `sums` count each call once, by what it runs first; `inner` is what the same calls ran besides. */
export function shellReport(sums: readonly ShellSum[], inner: readonly InnerSum[]): ShellReport {
  const rows = new Map<string, ShellRow & { inner: number }>()
  for (const sum of sums) rows.set(keyOf(sum), { ...sum, inner: 0 })
  let unparsed = 0
  for (const { key, name, count } of inner) {
    if (name === null) {
      unparsed += count
      continue
    }
    const [base = name, sub = null] = name.split(' ')
    const blank = { key, base, sub, count: 0, errors: 0, compound: 0, inner: 0 }
    const row = rows.get(keyOf(blank)) ?? blank
    row.inner += count
    rows.set(keyOf(blank), row)
  }
  const weight = (row: ShellRow) => row.count + row.inner
  return { rows: [...rows.values()].sort((a, b) => weight(b) - weight(a) || compare(keyOf(a), keyOf(b))), unparsed }
}

/** What ran inside commands, from their texts. */
export function innerSums(commands: readonly CommandSum[]): InnerSum[] {
  return commands.flatMap(({ key, command, count }) =>
    (innerCommands(command) ?? [null]).map((name) => ({ key, name, count })),
  )
}

function keyOf({ key, base, sub }: Pick<ShellSum, 'key' | 'base' | 'sub'>): string {
  return JSON.stringify([base, sub, key])
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
