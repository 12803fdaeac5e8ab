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

/** The place of a kind in that order: smaller is earlier. What recurs across sessions is at least that. */
export function placeOfPattern(pattern: Ranked): number {
  return ORDER.indexOf(placeOf(pattern, true))
}

type Ranked = Pick<Signal, 'kind' | 'tool' | 'summary'>

function placeOf(signal: Ranked, recurs: boolean): (typeof ORDER)[number] {
  if (signal.kind !== 'error') return signal.kind
  if (isChore(signal)) return 'chore'
  return recurs ? 'recurring error' : 'single error'
}

/** What tools of agents say when an agent looked or edited amiss; it tries again, and nobody needs to know. */
const SLIP =
  /^(?:error: )?(?:file has (?:not been read yet|been (?:unexpectedly )?modified since)|string to replace not found|found \d+ matches of the string|no changes to make|(?:file|path) does not exist|apply_patch verification failed|(?:failed to find (?:expected lines|context)|invalid (?:hunk|patch))\b|unsupported call\b|(?:cat|sed|ls|head|tail|wc|nl|rg|grep|find): .{0,300}(?:no such file|is a directory))/i

/** An agent's own business: a slip of its own, or an error of a tool that only the agent itself works with. */
export function isChore({ tool, summary }: Pick<Signal, 'tool' | 'summary'>): boolean {
  return (tool !== null && isOwnTool(tool)) || SLIP.test(summary)
}

function keyOf({ kind, fingerprint }: Signal): string {
  return `${kind}\0${fingerprint}`
}
