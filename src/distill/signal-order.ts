import { isOwnTool } from './calls.ts'
import type { Signal } from '../model/digest.ts'

/** A signal with the time of its session. */
interface Dated extends Signal {
  readonly at: number | null
}

/** What people said and did comes first, then what went wrong more than once, then what did once. */
const ORDER = [
  'correction',
  'denial',
  'intervention',
  'retry_loop',
  'recurring error',
  'churn',
  'single error',
  'chore',
  'compaction',
  'co_change',
] as const

/**
 * Signals in the order a person wants them: by kind, within a kind the newest first. An agent's own slips, such as an
 * edit of a file that it had not read, come after all that concerns people. Files that changed together only once are
 * left out: any two files may.
 */
export function orderSignals<T extends Dated>(signals: readonly T[]): T[] {
  const totals = new Map<string, number>()
  for (const signal of signals) totals.set(keyOf(signal), (totals.get(keyOf(signal)) ?? 0) + signal.count)
  const recurs = (signal: T) => (totals.get(keyOf(signal)) ?? 0) > 1
  return signals
    .filter((signal) => signal.kind !== 'co_change' || recurs(signal))
    .map((signal) => ({ signal, rank: ORDER.indexOf(placeOf(signal, recurs(signal))) }))
    .sort((a, b) => a.rank - b.rank || (b.signal.at ?? 0) - (a.signal.at ?? 0) || b.signal.count - a.signal.count)
    .map(({ signal }) => signal)
}

function placeOf({ kind, tool }: Signal, recurs: boolean): (typeof ORDER)[number] {
  if (kind !== 'error') return kind
  if (isChore(tool)) return 'chore'
  return recurs ? 'recurring error' : 'single error'
}

/** An error of a tool that only the agent itself works with. */
export function isChore(tool: string | null): boolean {
  return tool !== null && isOwnTool(tool)
}

function keyOf({ kind, fingerprint }: Signal): string {
  return `${kind}\0${fingerprint}`
}
