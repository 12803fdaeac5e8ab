import type { Outcome } from '../model/digest.ts'
import { OUTCOMES, type CallSum, type SessionSum } from '../store/insight.ts'
import type { CostSum } from './cost.ts'

/** Sessions by when they ended, calls by when they were made, money by when it was spent. */
export interface OverviewRow extends SessionSum {
  readonly usd: number
  readonly responses: number
  /** Responses whose price nobody knows. */
  readonly unpriced: number
}

interface OverviewParts {
  readonly sessions: readonly SessionSum[]
  /** Null: those that the sessions tell. */
  readonly calls: readonly CallSum[] | null
  readonly spent: readonly CostSum[]
}

/** One row a key, whichever of them knows it: money may be spent on a day on which no session ended. */
export function joinRows({ sessions, calls, spent }: OverviewParts): OverviewRow[] {
  const rows = new Map<string | null, { -readonly [K in keyof OverviewRow]: OverviewRow[K] }>()
  const rowOf = (key: string | null) => {
    let row = rows.get(key)
    if (row === undefined) {
      row = { key, sessions: 0, prompts: 0, toolCalls: 0, outcomes: {}, usd: 0, responses: 0, unpriced: 0 }
      rows.set(key, row)
    }
    return row
  }
  for (const sum of sessions) {
    const row = rowOf(sum.key)
    row.sessions = sum.sessions
    row.prompts = sum.prompts
    row.toolCalls = calls === null ? sum.toolCalls : 0
    row.outcomes = sum.outcomes
  }
  for (const { key, count } of calls ?? []) rowOf(key).toolCalls += count
  for (const { key, usd, responses, unpriced } of spent) {
    const row = rowOf(key)
    row.usd = usd
    row.responses = responses
    row.unpriced = unpriced
  }
  return [...rows.values()]
}

export function addRows(sums: readonly SessionSum[]): SessionSum {
  const outcomes: Partial<Record<Outcome, number>> = {}
  const total = { key: null, sessions: 0, prompts: 0, toolCalls: 0, outcomes }
  for (const sum of sums) {
    total.sessions += sum.sessions
    total.prompts += sum.prompts
    total.toolCalls += sum.toolCalls
    for (const outcome of OUTCOMES) outcomes[outcome] = (outcomes[outcome] ?? 0) + (sum.outcomes[outcome] ?? 0)
  }
  return total
}
