import { OPERATIONS, type OperationName } from '../operations/index.ts'
import type { Document, Operation } from '../operations/operation.ts'
import { listsOf } from './pages.ts'
import { fieldsOf, type Fields } from './query.ts'

/** One operation as it is asked for over HTTP. */
export interface Route {
  readonly name: OperationName
  /** Below `/api/`. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly operation: Operation<unknown, unknown, Document>
  readonly fields: Fields
  /** The lists of its document that come in pages. */
  readonly lists: readonly string[]
}

/**
 * What a page may change: what recall itself keeps, and the permission rules that a person is shown first. Whatever
 * destroys, or writes files where the request says, is done where the person sits.
 */
const CHANGES: ReadonlySet<string> = new Set([
  'index',
  'analyze',
  'acknowledge',
  'decide',
  'pin',
  'unpin',
  'tag',
  'untag',
  'title',
  'bookmark',
  'unbookmark',
  'stats.apply',
  'permissions.undo',
] satisfies (OperationName | 'tag' | 'untag' | 'title' | 'bookmark' | 'unbookmark')[])

/** A route for every operation that only reads, and for the few changes a page may make. */
export async function routes(): Promise<Route[]> {
  const all = await Promise.all(
    (Object.keys(OPERATIONS) as OperationName[]).map(async (name): Promise<Route | null> => {
      const operation = (await OPERATIONS[name]()) as unknown as Operation<unknown, unknown, Document>
      const method = operation.effect === 'reads' ? 'GET' : 'POST'
      if (operation.isLocal === true || (method === 'POST' && !CHANGES.has(name))) return null
      return {
        name,
        path: name.replaceAll('.', '/'),
        method,
        operation,
        fields: fieldsOf(operation.input),
        lists: method === 'GET' ? listsOf({ name, output: operation.output }) : [],
      }
    }),
  )
  return all.filter((route) => route !== null)
}
