import { statSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import type { BackupReport } from '../portable/backup.ts'
import type { Restored } from '../portable/face.ts'
import { outPath } from './export-traces.ts'
import { operation } from './operation.ts'
import { called, count, flag, list, nullable, object, text } from './schema.ts'

export const backup = operation({
  name: 'backup',
  summary: 'all of the memory in one file',
  details:
    'The store as it is at one moment, whatever others write meanwhile, its payloads, the journals, the hub and groups, as a tar archive. ' +
    'It is looked through before it gets its name. Secrets are out of it as they are out of the store.',
  effect: 'writes',
  input: object({ file: called('file', text('the file to write')) }, { force: flag('replace what is there') }),
  output: object({ file: text(), bytes: count(), sessions: count(), left_out: list(text()) }),
  run(context, { file, force }): Promise<BackupReport> {
    return context.recall.portable.backUp({ file: outPath(context, file), force: force === true })
  },
  document: (report: BackupReport) => ({ ...report }),
})

export const restore = operation({
  name: 'restore',
  summary: 'make the store anew from a backup',
  details:
    'Everything is redacted again with the rules of today. A store that is there is left as it is, or, with --force, set ' +
    'aside as `--recreate` does; what was forgotten here stays forgotten.',
  effect: 'writes',
  input: object(
    { file: called('file', text('what `recall backup` wrote')) },
    { force: flag('set aside the store that is there') },
  ),
  output: object({
    sessions: count(),
    aside: nullable(text()),
    lost: list(text()),
    made_at: nullable(text()),
    forgotten: count(),
  }),
  run({ recall, cwd }, { file: named, force }): Promise<Restored> {
    const file = path.resolve(cwd, named)
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
      throw new UserError('NOT_FOUND', `there is no file ${file}`, 'name one that `recall backup` wrote')
    return recall.portable.restore({ file, force: force === true })
  },
  document: (restored: Restored) => ({ ...restored }),
})
