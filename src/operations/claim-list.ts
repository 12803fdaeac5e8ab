import type { ClaimLine } from '../insight/journals.ts'
import { claimLine } from './claim-document.ts'
import { operation } from './operation.ts'
import { count, list, object } from './schema.ts'

export interface Claims {
  readonly lines: readonly ClaimLine[]
  readonly unread: number
  /** Where the journals are. */
  readonly dir: string
}

export const claimList = operation({
  name: 'claim.list',
  summary: 'the claims so far',
  effect: 'reads',
  input: object({}),
  output: object({ claims: list(claimLine), unread: count() }),
  async run({ recall }): Promise<Claims> {
    const books = await recall.chronicle.books()
    return { ...books.claims(), dir: books.dir }
  },
  document: ({ lines, unread }: Claims) => ({ claims: lines, unread }),
})
