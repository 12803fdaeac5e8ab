import type { Signal, SignalKind } from '../model/digest.ts'

/** A signal with the time of its session. */
interface Dated extends Signal {
  readonly at: number | null
}

/** What says most about how the work goes comes first. An error that happened once comes after all that recurs. */
const FIRST: readonly SignalKind[] = ['error', 'correction', 'denial', 'retry_loop', 'intervention', 'churn']
const LAST: readonly SignalKind[] = ['compaction', 'co_change']

/**
 * Signals in the order a person wants them: by kind, within a kind the newest first. Files that changed together only
 * once are left out: any two files may.
 */
export function orderSignals<T extends Dated>(signals: readonly T[]): T[] {
  const totals = new Map<string, number>()
  for (const signal of signals) totals.set(keyOf(signal), (totals.get(keyOf(signal)) ?? 0) + signal.count)
  const recurs = (signal: T) => (totals.get(keyOf(signal)) ?? 0) > 1
  const rank = (signal: T) =>
    LAST.includes(signal.kind)
      ? FIRST.length + 1 + LAST.indexOf(signal.kind)
      : signal.kind === 'error' && !recurs(signal)
        ? FIRST.length
        : FIRST.indexOf(signal.kind)
  return signals
    .filter((signal) => signal.kind !== 'co_change' || recurs(signal))
    .map((signal) => ({ signal, rank: rank(signal) }))
    .sort((a, b) => a.rank - b.rank || (b.signal.at ?? 0) - (a.signal.at ?? 0) || b.signal.count - a.signal.count)
    .map(({ signal }) => signal)
}

function keyOf({ kind, fingerprint }: Signal): string {
  return `${kind}\0${fingerprint}`
}
