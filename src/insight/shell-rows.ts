import type { InnerSum, ShellSum } from '../store/insight.ts'

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
  for (const sum of sums) rows.set(keyOf(sum), { inner: 0, ...sum })
  let unparsed = 0
  for (const { key, name, count } of inner) {
    if (name === null) {
      unparsed += count
      continue
    }
    const [base = name, sub = null] = name.split(' ')
    const id = keyOf({ key, base, sub })
    const row = rows.get(id)
    if (row) row.inner += count
    else rows.set(id, { key, base, sub, count: 0, errors: 0, compound: 0, inner: count })
  }
  const weight = (row: ShellRow) => row.count + row.inner
  const sorted = [...rows].sort(([a, x], [b, y]) => weight(y) - weight(x) || compare(a, b))
  return { rows: sorted.map(([, row]) => row), unparsed }
}

/** Where nothing is known: no name, and after all names. */
const LAST = '\uffff'

function keyOf({ key, base, sub }: Pick<ShellSum, 'key' | 'base' | 'sub'>): string {
  return `${base ?? LAST}\0${sub ?? LAST}\0${key ?? LAST}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
