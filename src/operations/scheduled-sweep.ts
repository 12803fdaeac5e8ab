import path from 'node:path'
import type { Job, Scheduler } from '../capture/schedule.ts'
import { scheduledNow, thisMachine, type Machine, type Schedule } from '../capture/scheduler.ts'
import { homeOf } from '../settings/kinds.ts'
import type { OperationContext } from './operation.ts'
import { choice, flag, list, nullable, object, text } from './schema.ts'

export const SCHEDULERS: readonly Scheduler[] = ['systemd', 'launchd', 'cron']
/** Variables that decide what a sweep reads and where it writes. */
const CARRIED = /^(XDG_DATA_HOME|XDG_CONFIG_HOME|HELIX_STORE_DB|RECALL_STORE|CLAUDE_CONFIG_DIR|CODEX_HOME|GROK_HOME)$/

/** A sweep that the system runs, where, and what of it is there already. */
export interface ScheduledSweep {
  readonly machine: Machine
  readonly job: Job
  readonly present: readonly Schedule[]
}

export function scheduledSweep({ env, settings, program }: OperationContext): ScheduledSweep {
  const configHome = path.dirname(path.dirname(settings.configPath))
  const machine = thisMachine({ home: homeOf(env), configHome }, { ...env })
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value && CARRIED.test(name) ? [[name, value] as const] : [],
  )
  const cadence = settings.cadence === 'on-hook' ? 'daily' : settings.cadence
  const job: Job = { cadence, command: [...program(), 'sweep', '--quiet'], env: variables }
  return { machine, job, present: scheduledNow(job, machine) }
}

const texts = list(object({ file: text(), text: text() }))

export const scheduleSchema = object({ scheduler: choice(SCHEDULERS), texts })

export const scheduleOutput = object({ changed: flag(), scheduler: nullable(choice(SCHEDULERS)), texts })

export function scheduleDocument(changed: boolean, schedule: Schedule | undefined) {
  return { changed, scheduler: schedule?.scheduler ?? null, texts: schedule?.texts ?? [] }
}
