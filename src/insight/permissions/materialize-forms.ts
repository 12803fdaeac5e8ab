import { createHash } from 'node:crypto'
import type { Store } from '../../store/store.ts'
import { asksUnseen } from './never-asked.ts'
import { formOf } from './suggest.ts'
import { LEADING, TABLE } from './table.ts'
import { topicOf } from './topics.ts'
import { TRIED_AGENTS, TRIED_COMMANDS } from './tried-commands.ts'

/** Of the way forms are told apart; the tables of commands count by themselves. */
const REVISION = 2

/** Has the store keep what the command lines of changed sessions speak for, so that reports need not read them. */
export async function materializeForms(store: Pick<Store, 'keepForms'>): Promise<void> {
  const rows = TABLE.map((row) => Object.values(row).map(String))
  const rules = JSON.stringify([REVISION, rows, Object.fromEntries(LEADING), TRIED_AGENTS, TRIED_COMMANDS])
  const revision = createHash('sha256').update(rules).digest('hex').slice(0, 16)
  await store.keepForms(revision, { form: formOf, asksUnseen, topic: topicOf })
}
