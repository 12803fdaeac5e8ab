import { isChore } from '../distill/signal-order.ts'
import type { SignalKind } from '../model/digest.ts'
import { grouped, oneLine, plural } from '../model/text.ts'

export interface Seen {
  readonly kind: SignalKind
  readonly summary: string
  readonly tool: string | null
  readonly count: number
  readonly evidence?: readonly string[]
}

/** All slips of agents as one. */
interface Slips {
  readonly count: number
  /** The most frequent by name, each with how often. */
  readonly names: string
  readonly evidence: readonly string[]
}

const NAMED = 3
const NAME_LENGTH = 40

/** An agent's own slip, such as an edit of a file that it had not read. */
export function isSlip(seen: Seen): boolean {
  return seen.kind === 'error' && isChore(seen)
}

/** Null if there are none. */
export function sumSlips(all: readonly Seen[]): Slips | null {
  const slips = all.filter(isSlip)
  if (slips.length === 0) return null
  const counts = new Map<string, number>()
  for (const { summary, count } of slips) {
    const [said = ''] = summary.replace(/^error: /i, '').split(/[.:,] /)
    const name = oneLine(said, NAME_LENGTH).replace(/\.$/, '')
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  const often = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  const named = often.slice(0, NAMED).map(([name, count]) => `${name} ×${grouped(count)}`)
  const rest = often.length - named.length
  return {
    count: slips.reduce((sum, { count }) => sum + count, 0),
    names: [...named, ...(rest > 0 ? [plural(rest, 'other')] : [])].join(', '),
    evidence: slips.flatMap(({ evidence = [] }) => evidence),
  }
}

/** The same as a line of a list; null if there are none. */
export function slipsLine(all: readonly Seen[]): string | null {
  const slips = sumSlips(all)
  return slips === null ? null : `agents' own slips ×${grouped(slips.count)}  ${slips.names}`
}
