import { describe, expect, test } from 'vitest'
import { SIGNAL_KINDS, type Signal } from '../model/digest.ts'
import { orderSignals } from './signal-order.ts'

function signal(kind: Signal['kind'], fingerprint: string, count: number, at: number) {
  return { kind, fingerprint, count, at, summary: fingerprint, tool: null, seqs: [1] }
}

describe('the order of signals', () => {
  test('what people said and did, then what recurs, then what happened once; the chores of agents and pairs last', () => {
    const given = [
      signal('co_change', 'pair', 3, 9),
      signal('compaction', 'c', 2, 9),
      { ...signal('error', 'not read yet', 9, 9), tool: 'Edit' },
      { ...signal('error', 'once', 1, 9), tool: 'Bash' },
      signal('churn', 'file', 4, 9),
      signal('error', 'twice', 2, 1),
      signal('retry_loop', 'loop', 3, 9),
      signal('intervention', 'stop', 1, 9),
      signal('denial', 'rm', 1, 9),
      signal('correction', 'no', 1, 9),
    ]
    expect(orderSignals(given)).toEqual(given.toReversed())
  })

  test('within a kind the newest come first, and then the most frequent', () => {
    const given = [signal('denial', 'old', 9, 1), signal('denial', 'new', 1, 5), signal('denial', 'often', 2, 5)]
    expect(orderSignals(given).map(({ fingerprint }) => fingerprint)).toEqual(['often', 'new', 'old'])
  })

  test('what happened once in each of two sessions recurs; files that changed together once are left out', () => {
    const given = [
      signal('co_change', 'once', 1, 3),
      signal('co_change', 'both', 1, 2),
      signal('co_change', 'both', 1, 1),
      signal('error', 'single', 1, 9),
      signal('error', 'shared', 1, 2),
      signal('error', 'shared', 1, 1),
    ]
    expect(orderSignals(given).map(({ fingerprint, at }) => [fingerprint, at])).toEqual([
      ['shared', 2],
      ['shared', 1],
      ['single', 9],
      ['both', 2],
      ['both', 1],
    ])
  })

  test('no kind but pairs of files is ever left out', () => {
    const given = SIGNAL_KINDS.filter((kind) => kind !== 'co_change').map((kind) => signal(kind, kind, 1, 1))
    expect(orderSignals(given).length).toBe(given.length)
  })
})
