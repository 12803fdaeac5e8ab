import { install, remove, scheduleFor, schedulerOf, type Schedule } from '../capture/scheduler.ts'
import { UserError } from '../model/errors.ts'
import { consentFields, mayChange } from './consent.ts'
import { operation } from './operation.ts'
import { scheduleDocument, scheduledSweep, scheduleOutput, SCHEDULERS } from './scheduled-sweep.ts'
import { called, choice, object } from './schema.ts'

export interface Scheduling {
  readonly wanted: Schedule
  /** It was there already, as it is wanted. */
  readonly isThere: boolean
  readonly isDone: boolean
  readonly cadence: string
}

export const scheduleInstall = operation({
  name: 'schedule.install',
  summary: 'let the system run `recall sweep` daily or weekly',
  effect: 'writes',
  input: object(
    {},
    { with: called('scheduler', choice(SCHEDULERS, `use this one: ${SCHEDULERS.join(', ')}`)), ...consentFields },
  ),
  output: scheduleOutput,
  async run(context, asked): Promise<Scheduling> {
    const { cadence } = context.settings
    if (cadence === 'on-hook') {
      const hint = 'set `cadence = "daily"` or "weekly" under [session_memory.retention], or use `recall hook install`'
      throw new UserError('USAGE', 'cadence is "on-hook": the hooks of the agents start the sweeps', hint)
    }
    const { machine, job, present } = scheduledSweep(context)
    const wanted = scheduleFor(asked.with ?? schedulerOf(machine), job, machine)
    const isThere = present.length === 1 && JSON.stringify(present[0]) === JSON.stringify(wanted)
    const isDone = !isThere && mayChange(asked)
    if (isDone) {
      for (const old of present) if (old.scheduler !== wanted.scheduler) remove(old, machine)
      install(wanted, machine)
    }
    return { wanted, isThere, isDone, cadence }
  },
  document: ({ wanted, isDone }: Scheduling) => scheduleDocument(isDone, wanted),
})
