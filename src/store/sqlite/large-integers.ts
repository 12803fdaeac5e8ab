import type { StatementSyncInstance } from '@photostructure/sqlite'
import type { Row, Value } from './database.ts'

/**
 * Reads; where an integer is larger than a number can be, reads again and takes the largest there is. No log can have
 * told it, but sums may reach it, and an older program has stored what it was told.
 */
export function inRange<T>(
  statement: StatementSyncInstance,
  read: (statement: StatementSyncInstance) => T,
  bound: (read: T) => T,
): T {
  try {
    return read(statement)
  } catch (error) {
    if (!isTooLarge(error)) throw error
    statement.setReadBigInts(true)
    try {
      return bound(read(statement))
    } finally {
      statement.setReadBigInts(false)
    }
  }
}

/** What the binding throws for an integer that is no JavaScript number. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /too large to be represented/.test(error.message)
}

export function boundLists(lists: Value[][]): Value[][] {
  return lists.map((list) => list.map(boundValue))
}

export function boundRow<T extends Row | undefined>(row: T): T {
  if (row === undefined) return row
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, boundValue(value)])) as T
}

function boundValue(value: Value): Value {
  if (typeof value !== 'bigint') return value
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(value), Number.MAX_SAFE_INTEGER))
}
