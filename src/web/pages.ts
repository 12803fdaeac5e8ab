import { UserError } from '../model/errors.ts'
import { fieldsOf } from './query.ts'

/** How many rows come without being asked for more, and at once at most. */
export const USUAL_ROWS = 50
export const MOST_ROWS = 500

/** The list of a document that may be long; null if it has none. Lists beside it are short. */
export function rowsOf({ input, output }: { readonly input: object; readonly output: object }): string | null {
  if (fieldsOf(input)['limit'] === undefined) return null
  const lists = Object.entries(fieldsOf(output)).filter(([, field]) => field['type'] === 'array')
  return lists[0]?.[0] ?? null
}

/** A stretch of a list. */
export interface Stretch {
  readonly offset: number
  readonly limit: number
}

/** Takes the stretch out of what was asked; USAGE for more than is given at once. */
export function stretchOf(input: Record<string, unknown>): Stretch {
  const offset = Number(input['offset'] ?? 0)
  const limit = input['limit'] === undefined ? USUAL_ROWS : Number(input['limit'])
  delete input['offset']
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new UserError('USAGE', 'offset must be a whole number', 'it says how many rows to pass over')
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_ROWS)
    throw new UserError('USAGE', `limit must be 1 to ${MOST_ROWS}`, 'ask again with offset for what follows')
  return { offset, limit }
}

/** The stretch of the rows that were read, and whether there are more. Of days, which come in order, the last come first. */
export function page<T>(
  rows: readonly T[],
  { offset, limit }: Stretch,
  isByDay: boolean,
): { readonly rows: readonly T[]; readonly hasMore: boolean } {
  if (!isByDay) return { rows: rows.slice(offset, offset + limit), hasMore: rows.length > offset + limit }
  const end = Math.max(0, rows.length - offset)
  return { rows: rows.slice(Math.max(0, end - limit), end), hasMore: end > limit }
}
