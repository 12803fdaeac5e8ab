import { createHash } from 'node:crypto'
import type { PermissionTarget } from '../../model/permission.ts'
import type { Store } from '../../store/store.ts'
import { asksUnseen } from './never-asked.ts'
import { formOf } from './suggest.ts'
import { LEADING, TABLE } from './table.ts'
import { topicOf } from './topics.ts'

/** Of the way forms are told apart; the tables of commands count by themselves. */
const REVISION = 2

/** Has the store keep what the command lines of changed sessions speak for, so that reports need not read them. */
export async function materializeForms(
  store: Pick<Store, 'keepForms'>,
  targets: readonly PermissionTarget[],
): Promise<void> {
  const rows = TABLE.map((row) => Object.values(row).map(String))
  const tried = targets.map((target) => [...target.tried.commands])
  const rules = JSON.stringify([REVISION, rows, Object.fromEntries(LEADING), tried])
  const agents = new Map(targets.map((target) => [target.agent, target]))
  await store.keepForms(createHash('sha256').update(rules).digest('hex').slice(0, 16), {
    form: formOf,
    topic: topicOf,
    asksUnseen(agent, command) {
      const target = agents.get(agent)
      return target !== undefined && asksUnseen(target, command)
    },
  })
}
