import { shortHash } from '../../model/ids.ts'
import type { PermissionTarget } from '../../model/permission.ts'
import type { Judge } from '../../store/permissions.ts'
import { asksUnseen } from './never-asked.ts'
import { formOf } from './suggest.ts'
import { LEADING, TABLE } from './table.ts'
import { topicOf } from './topics.ts'

/** Of the way forms are told apart; the tables of commands count by themselves. */
const REVISION = 2

/** Names all that decides what a command line speaks for. `FORMS_REVISION` is to say the same without loading it. */
export function revisionOf(targets: readonly PermissionTarget[]): string {
  const rows = TABLE.map((row) => Object.values(row).map(String))
  const tried = targets.map((target) => [...target.tried.commands])
  const rules = JSON.stringify([REVISION, rows, Object.fromEntries(LEADING), tried])
  return shortHash(rules)
}

/** Says what command lines speak for. */
export function judgeOf(targets: readonly PermissionTarget[]): Judge {
  const agents = new Map(targets.map((target) => [target.agent, target]))
  return {
    form: formOf,
    topic: topicOf,
    asksUnseen(agent, command) {
      const target = agents.get(agent)
      return target !== undefined && asksUnseen(target, command)
    },
  }
}
