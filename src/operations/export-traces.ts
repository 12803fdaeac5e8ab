import path from 'node:path'
import { UserError } from '../model/errors.ts'
import type { SessionFilter } from '../model/session.ts'
import type { TracesReport } from '../portable/traces.ts'
import { filterFields, sessionFilter } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { called, count, flag, object, text } from './schema.ts'

/** What every export narrows by. */
export const exportFields = {
  source: filterFields.source,
  since: filterFields.since,
  project: filterFields.project,
}

interface Narrowed {
  readonly source?: string | undefined
  readonly since?: string | undefined
  readonly project?: string | undefined
}

/** Null where nothing is left out. */
export function exportFilter(context: OperationContext, { source, since, project }: Narrowed): SessionFilter | null {
  if (source === undefined && since === undefined && project === undefined) return null
  return { ...sessionFilter(context, { source, since, project }, 0), limit: 0 }
}

/** Where to write; a USAGE error where nobody says. */
export function outPath({ cwd }: Pick<OperationContext, 'cwd'>, out: string | undefined): string {
  if (out === undefined || out === '')
    throw new UserError('USAGE', 'where to?', 'name a file or a directory: --out PATH')
  return path.resolve(cwd, out)
}

export const exportTraces = operation({
  name: 'export.traces',
  summary: 'sessions as traces: a file of JSON lines each, for jq, awk, pandas and sqlite3',
  details:
    'The directory has `traces/`, `time-metrics/`, `agents/ledger.sqlite`, `records/` and a manifest. Exported again, only ' +
    'what has changed is written, and what was forgotten goes. `recall import traces` takes it in without loss.',
  effect: 'writes',
  input: object(
    { out: called('path', text('where to write: a directory, or a file for one session')) },
    { ...exportFields, force: flag('write into a directory that holds other files') },
  ),
  output: object({
    dir: text(),
    sessions: object({ written: count(), unchanged: count(), removed: count() }),
    events: count(),
    bytes: count(),
  }),
  run(context, { out, force, ...narrow }): Promise<TracesReport> {
    const { recall, watching } = context
    return recall.portable.exportTraces({
      dir: outPath(context, out),
      filter: exportFilter(context, narrow),
      force: force === true,
      ...(watching.onCount ? { onCount: watching.onCount } : {}),
    })
  },
  document: (report) => ({ ...report }),
})
