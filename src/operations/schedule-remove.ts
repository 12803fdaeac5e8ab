import { remove, type Schedule } from '../capture/scheduler.ts'
import { consentFields, mayChange } from './consent.ts'
import { operation } from './operation.ts'
import { scheduleDocument, scheduledSweep, scheduleOutput } from './scheduled-sweep.ts'
import { object } from './schema.ts'

export interface Unscheduling {
  /** What was there. */
  readonly present: readonly Schedule[]
  readonly isDone: boolean
}

export const scheduleRemove = operation({
  name: 'schedule.remove',
  summary: 'let the system run `recall sweep` no longer',
  effect: 'writes',
  input: object({}, consentFields),
  output: scheduleOutput,
  async run(context, asked): Promise<Unscheduling> {
    const { machine, present } = scheduledSweep(context)
    const isDone = present.length > 0 && mayChange(asked)
    if (isDone) for (const old of present) remove(old, machine)
    return { present, isDone }
  },
  document: ({ present, isDone }: Unscheduling) => scheduleDocument(isDone, present[0]),
})
