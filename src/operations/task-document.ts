import path from 'node:path'
import { UserError } from '../model/errors.ts'
import type { OperationContext } from './operation.ts'
import { choice, count, integer, number, object, record, text } from './schema.ts'

/** Counters of a task by name. */
export const metricSchema = record(number())

/** A line of the journal of tasks. */
export const taskLine = object(
  { kind: choice(['task', 'start', 'stop']), name: text(), start_epoch: count(), ts: text() },
  { end_epoch: count(), duration_s: count(), exit: integer(), metric: metricSchema, source: text() },
)

/** A USAGE error if there is none. */
export function taskName(typed: string | undefined, action: string): string {
  const name = typed?.trim() ?? ''
  if (name !== '') return name
  throw new UserError('USAGE', 'a task needs a name', `e.g. recall time ${action} audit`)
}

/** The working directory as people write it. */
export function workingDirectory({ env, cwd }: OperationContext): string {
  const home = env['HOME'] ?? ''
  const within = home !== '' && (cwd === home || cwd.startsWith(home + path.sep))
  return within ? `~${cwd.slice(home.length)}` : cwd
}
