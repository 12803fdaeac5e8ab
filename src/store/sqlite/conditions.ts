import type { Value } from './database.ts'

/** A condition in SQL with the values that it asks for. */
export interface Condition {
  readonly sql: string
  readonly values: Value[]
}

type Part = readonly [sql: string, ...values: Value[]]

/** All of them hold; those that are null ask for nothing. */
export function allOf(...parts: readonly (Part | Condition | null)[]): Condition {
  const given = parts.filter((part) => part !== null).map((part) => ('sql' in part ? part : conditionOf(part)))
  return {
    sql: given.map(({ sql }) => `(${sql})`).join(' AND ') || 'TRUE',
    values: given.flatMap(({ values }) => values),
  }
}

function conditionOf([sql, ...values]: Part): Condition {
  return { sql, values }
}

/** What to ask for if there is something to ask with. */
export function given<T>(value: T | undefined, ask: (value: T) => Part): Part | null {
  return value === undefined ? null : ask(value)
}
