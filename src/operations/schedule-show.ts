import { operation } from './operation.ts'
import { scheduledSweep, scheduleSchema } from './scheduled-sweep.ts'
import { choice, list, object, type TypeOf } from './schema.ts'

const output = object({ cadence: choice(['daily', 'weekly', 'on-hook']), scheduled: list(scheduleSchema) })

export const scheduleShow = operation({
  name: 'schedule.show',
  summary: 'what the system runs of recall',
  effect: 'reads',
  input: object({}),
  output,
  run: async (context): Promise<TypeOf<typeof output>> => ({
    cadence: context.settings.cadence,
    scheduled: scheduledSweep(context).present,
  }),
  document: (state: TypeOf<typeof output>) => state,
})
