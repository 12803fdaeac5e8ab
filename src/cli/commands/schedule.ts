import path from 'node:path'
import { programOf } from '../../capture/program.ts'
import { type Job, type Scheduler } from '../../capture/schedule.ts'
import {
  install,
  remove,
  scheduledNow,
  scheduleFor,
  schedulerOf,
  thisMachine,
  type Machine,
  type Schedule,
} from '../../capture/scheduler.ts'
import { UserError } from '../../model/errors.ts'
import { homeOf } from '../../settings/kinds.ts'
import { JSON_OPTION, type Command, type Context, type Given } from '../command.ts'
import { CONSENT_OPTIONS, mayChange } from '../consent.ts'
import { flag, word } from '../given.ts'

const SCHEDULERS: readonly Scheduler[] = ['systemd', 'launchd', 'cron']
/** Variables that decide what a sweep reads and where it writes. */
const CARRIED = /^(XDG_DATA_HOME|XDG_CONFIG_HOME|HELIX_STORE_DB|RECALL_STORE|CLAUDE_CONFIG_DIR|CODEX_HOME|GROK_HOME)$/

export const schedule: Command = {
  name: 'schedule',
  summary: 'let the system run `recall sweep` daily or weekly',
  details:
    'With a systemd user timer, a launchd agent or a line in the crontab, whichever the machine has. What is written is shown first. ' +
    '`cadence` in the settings says how often.',
  args: [{ name: 'action', help: 'install, show or remove', required: true }],
  options: [
    { flags: '--with <scheduler>', help: `use this one: ${SCHEDULERS.join(', ')}` },
    ...CONSENT_OPTIONS,
    JSON_OPTION,
  ],
  examples: ['recall schedule install', 'recall schedule show', 'recall schedule remove --yes'],
  async run(context, args, given) {
    const machine = machineOf(context)
    if (args[0] === 'show') return show(context, machine, given)
    if (args[0] === 'install') return installJob(context, machine, given)
    if (args[0] === 'remove') return removeJob(context, machine, given)
    throw new UserError('USAGE', `no action ${JSON.stringify(args[0])}`, 'actions are: install, show, remove')
  },
}

function machineOf({ env, settings }: Context): Machine {
  const configHome = path.dirname(path.dirname(settings.configPath))
  return thisMachine({ home: homeOf(env), configHome }, { ...env })
}

function jobOf({ env, settings }: Context): Job {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value && CARRIED.test(name) ? [[name, value] as const] : [],
  )
  const cadence = settings.cadence === 'on-hook' ? 'daily' : settings.cadence
  return { cadence, command: [...programOf(process), 'sweep', '--quiet'], env: variables }
}

function chosen(context: Context, machine: Machine, given: Given): Schedule {
  const name = word(given, 'with')
  const scheduler = name === undefined ? schedulerOf(machine) : SCHEDULERS.find((known) => known === name)
  if (scheduler === undefined)
    throw new UserError(
      'USAGE',
      `unknown scheduler ${JSON.stringify(name)}`,
      `schedulers are: ${SCHEDULERS.join(', ')}`,
    )
  return scheduleFor(scheduler, jobOf(context), machine)
}

async function installJob(context: Context, machine: Machine, given: Given): Promise<void> {
  const { settings, terminal } = context
  if (settings.cadence === 'on-hook') {
    const hint = 'set `cadence = "daily"` or "weekly" under [session_memory.retention], or use `recall hook install`'
    throw new UserError('USAGE', 'cadence is "on-hook": the hooks of the agents start the sweeps', hint)
  }
  const wanted = chosen(context, machine, given)
  const present = scheduledNow(jobOf(context), machine)
  const isThere = present.length === 1 && JSON.stringify(present[0]) === JSON.stringify(wanted)
  if (isThere)
    return report(context, given, { wanted, changed: false, say: `already scheduled with ${wanted.scheduler}` })
  const question = `schedule a ${settings.cadence} sweep with ${wanted.scheduler}?`
  const isAgreed = await mayChange(context, given, { question, show: () => printTexts(context, wanted) })
  if (!isAgreed) return reportNothing(context, given, wanted)
  for (const old of present) if (old.scheduler !== wanted.scheduler) remove(old, machine)
  install(wanted, machine)
  if (!flag(given, 'json')) terminal.note('`recall schedule remove` undoes it')
  report(context, given, { wanted, changed: true, say: `scheduled: ${settings.cadence}, with ${wanted.scheduler}` })
}

async function removeJob(context: Context, machine: Machine, given: Given): Promise<void> {
  const present = scheduledNow(jobOf(context), machine)
  const [first] = present
  if (first === undefined) return report(context, given, { wanted: null, changed: false, say: 'nothing is scheduled' })
  const show = () => present.forEach((old) => printTexts(context, old))
  if (!(await mayChange(context, given, { question: 'remove this?', show })))
    return reportNothing(context, given, first)
  for (const old of present) remove(old, machine)
  report(context, given, { wanted: first, changed: true, say: 'no longer scheduled' })
}

function show(context: Context, machine: Machine, given: Given): void {
  const { settings, terminal } = context
  const present = scheduledNow(jobOf(context), machine)
  if (flag(given, 'json')) return terminal.json({ cadence: settings.cadence, scheduled: present })
  for (const old of present) printTexts(context, old)
  if (present.length > 0) return
  terminal.line('nothing is scheduled')
  if (settings.cadence !== 'on-hook') terminal.note(`\`recall schedule install\` schedules a ${settings.cadence} sweep`)
}

function printTexts({ terminal }: Context, { texts }: Schedule): void {
  for (const { file, text } of texts) {
    terminal.line(terminal.bold(file))
    terminal.line(text.trimEnd().replaceAll(/^/gm, '  '))
    terminal.line()
  }
}

interface Outcome {
  readonly wanted: Schedule | null
  readonly changed: boolean
  readonly say: string
}

function report({ terminal }: Context, given: Given, { wanted, changed, say }: Outcome): void {
  if (!flag(given, 'json')) return terminal.line(say)
  terminal.json({ changed, scheduler: wanted?.scheduler ?? null, texts: wanted?.texts ?? [] })
}

/** People have been told already. */
function reportNothing(context: Context, given: Given, wanted: Schedule): void {
  if (flag(given, 'json')) report(context, given, { wanted, changed: false, say: '' })
}
