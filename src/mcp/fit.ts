import { countTokens } from './tokens.ts'

export const DEFAULT_BUDGET = 2000
/** Less holds no answer. */
export const LEAST_BUDGET = 200

/** What stays of the budget when the frame of an answer is paid. */
export function roomIn(budget: number, frame: unknown): number {
  return budget - tokensOf(frame)
}

export function tokensOf(value: unknown): number {
  return countTokens(typeof value === 'string' ? value : JSON.stringify(value))
}

/**
 * The first rows that fit; `shrunk` makes a row smaller where it would be the only one, or the last. Rows count twice
 * what their line in the brief takes, since some clients show both.
 */
export function fitting<Row>(
  rows: readonly Row[],
  room: number,
  { lineOf, shrunk }: { lineOf: (row: Row) => string; shrunk: (row: Row, room: number) => Row | null },
): Row[] {
  const kept: Row[] = []
  let left = room
  for (const row of rows) {
    const price = tokensOf(row) + tokensOf(lineOf(row)) + 2
    if (price <= left) {
      kept.push(row)
      left -= price
      continue
    }
    const smaller = shrunk(row, left)
    if (smaller !== null && tokensOf(smaller) + tokensOf(lineOf(smaller)) + 2 <= left) kept.push(smaller)
    break
  }
  return kept
}
