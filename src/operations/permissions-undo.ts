import { readText, type FileEdit } from '../capture/edit-file.ts'
import { readGrants, recordUndo, textBefore, type Grant } from '../capture/grants.ts'
import { planApply, planUndo } from '../insight/permissions/merge.ts'
import { UserError } from '../model/errors.ts'
import type { PermissionTarget } from '../model/permission.ts'
import { isoTime } from '../model/time.ts'
import { consentFields, mayChange } from './consent.ts'
import { grantDocument, grantFields } from './grant-document.ts'
import { operation } from './operation.ts'
import { inSettings, permissionTarget } from './permission-target.ts'
import { count, flag, object } from './schema.ts'

export interface Undone {
  readonly target: PermissionTarget
  /** As it stands now. */
  readonly grant: Grant
  /** What is, or would be, written. */
  readonly edit: FileEdit
  readonly isChanged: boolean
  readonly isDone: boolean
}

export const permissionsUndo = operation({
  name: 'permissions.undo',
  summary:
    'takes the last application of rules back, or the one with this number: to the very bytes from before if nothing ' +
    'else has changed since, else its rules alone',
  effect: 'writes',
  input: object({}, { number: count('which application, as the log numbers them'), ...consentFields }),
  output: object({ ...grantFields, undone: flag(), changed: flag() }),
  async run(context, asked): Promise<Undone> {
    const { dataDir } = context.settings
    const grant = grantToUndo(readGrants(dataDir), asked.number)
    const target = await permissionTarget(context, grant.agent)
    const edit = inSettings(grant.file, () => undoOf(target, grant))
    const isChanged = edit.before !== edit.after
    const isDone = isChanged ? mayChange(asked) : asked.dry_run !== true
    const now = context.now()
    if (isDone) recordUndo(dataDir, edit, grant, now)
    return { target, grant: { ...grant, undoneAt: isDone ? isoTime(now) : null }, edit, isChanged, isDone }
  },
  document: ({ grant, isDone, isChanged }: Undone) => ({
    ...grantDocument(grant),
    undone: isDone,
    changed: isChanged,
  }),
})

function grantToUndo(grants: readonly Grant[], number: number | undefined): Grant {
  if (number === undefined) {
    const last = grants.findLast((grant) => grant.undoneAt === null)
    if (last) return last
    throw new UserError('NOT_FOUND', 'nothing to take back', '`recall permissions log` lists what was applied')
  }
  const named = grants.find((grant) => grant.id === number)
  if (named === undefined) throw noApplication(String(number))
  if (named.undoneAt === null) return named
  throw new UserError(
    'USAGE',
    `application ${number} was taken back already`,
    '`recall permissions log` lists them all',
  )
}

export function noApplication(number: string): UserError {
  return new UserError('NOT_FOUND', `no application ${number}`, '`recall permissions log` numbers them')
}

function undoOf(target: PermissionTarget, grant: Grant): FileEdit {
  const { file } = grant
  const rules = grant.rules.map(({ rule }) => rule)
  const before = readText(file)
  if (before === null) return { file, before, after: null }
  const original = textBefore(grant)
  if (original !== undefined && planApply(target, original, rules).after === before)
    return { file, before, after: original }
  return { file, before, after: planUndo(target, before, rules).after }
}
