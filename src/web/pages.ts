import { UserError } from '../model/errors.ts'
import type { OperationName } from '../operations/index.ts'
import type { Document } from '../operations/operation.ts'
import { fieldsOf } from './query.ts'

/** How many rows come without being asked for more, and at once at most. */
export const USUAL_ROWS = 50
export const MOST_ROWS = 500

/** Where it is not the first list of objects that may be long. None: the document is one thing, or its days are. */
const LISTS: Partial<Record<OperationName, readonly string[]>> = {
  diff: ['tools', 'files'],
  digest: [],
  outline: [],
  retro: [],
  settings: [],
  sql: ['rows'],
  stats: ['projects', 'rows'],
  'stats.audit': ['counted', 'left_out', 'gone'],
  'stats.suggest': ['suggestions', 'spare_nothing', 'skipped'],
}

/** The lists of a document that may be long, and come in pages. Those beside them are short. */
export function listsOf({
  name,
  output,
}: {
  readonly name: OperationName
  readonly output: object
}): readonly string[] {
  const known = LISTS[name]
  if (known !== undefined) return known
  const lists = Object.entries(fieldsOf(output)).filter(
    ([, { type, items }]) => type === 'array' && (items as { readonly type?: unknown } | undefined)?.type === 'object',
  )
  return lists.slice(0, 1).map(([list]) => list)
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
  delete input['limit']
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new UserError('USAGE', 'offset must be a whole number', 'it says how many rows to pass over')
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_ROWS)
    throw new UserError('USAGE', `limit must be 1 to ${MOST_ROWS}`, 'ask again with offset for what follows')
  return { offset, limit }
}

/** Sums whose days, weeks and months come in order, and of which the last are given first. */
const IN_ORDER: ReadonlySet<OperationName> = new Set(['cost', 'stats.time', 'stats.tokens'])
const PERIODS: ReadonlySet<unknown> = new Set(['day', 'week', 'month'])

/** A document with the stretch of its lists, and whether there is more. */
export function pageOf(
  name: OperationName,
  document: Document,
  lists: readonly string[],
  { offset, limit }: Stretch,
): { readonly document: Document; readonly hasMore: boolean } {
  const parts: Record<string, unknown> = {}
  const isInOrder = IN_ORDER.has(name) && PERIODS.has(document['by'])
  let hasMore = false
  for (const list of lists) {
    const rows = document[list] as readonly unknown[] | undefined
    if (rows === undefined) continue
    const end = Math.max(0, rows.length - offset)
    parts[list] = isInOrder ? rows.slice(Math.max(0, end - limit), end) : rows.slice(offset, offset + limit)
    hasMore ||= end > limit
  }
  return { document: { ...document, ...parts }, hasMore }
}
