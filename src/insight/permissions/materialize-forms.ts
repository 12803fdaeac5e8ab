import { createHash } from 'node:crypto'
import type { Store } from '../../store/store.ts'
import { formOf } from './suggest.ts'
import { LEADING, TABLE } from './table.ts'

/** Of the way forms are told apart; the table of commands counts by itself. */
const REVISION = 1

/** Has the store keep what the command lines of changed sessions speak for, so that reports need not read them. */
export async function materializeForms(store: Pick<Store, 'keepForms'>): Promise<void> {
  const rows = TABLE.map((row) => Object.values(row).map(String))
  const rules = JSON.stringify([REVISION, rows, Object.fromEntries(LEADING)])
  await store.keepForms(createHash('sha256').update(rules).digest('hex').slice(0, 16), formOf)
}
