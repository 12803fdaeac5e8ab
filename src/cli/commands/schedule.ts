import type { Schedule } from '../../capture/scheduler.ts'
import { UserError } from '../../model/errors.ts'
import { scheduleInstall } from '../../operations/schedule-install.ts'
import { scheduleRemove } from '../../operations/schedule-remove.ts'
import { scheduleShow } from '../../operations/schedule-show.ts'
import { SCHEDULERS } from '../../operations/scheduled-sweep.ts'
import type { Context, OptionValues } from '../command.ts'
import { word } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'
import { commandOfSeveral } from '../several.ts'

const install = commandOf({
  operation: scheduleInstall,
  examples: [],
  change: (context, { isThere, wanted, cadence }) =>
    isThere
      ? null
      : {
          question: `schedule a ${cadence} sweep with ${wanted.scheduler}?`,
          writes: wanted,
          show: () => printTexts(context, wanted),
        },
  print({ terminal }, { wanted, isThere, isDone, cadence }) {
    if (isThere) return terminal.line(`already scheduled with ${wanted.scheduler}`)
    if (!isDone) return
    terminal.note('`recall schedule remove` undoes it')
    terminal.line(`scheduled: ${cadence}, with ${wanted.scheduler}`)
  },
})

const remove = commandOf({
  operation: scheduleRemove,
  examples: [],
  change: (context, { present }) =>
    present.length === 0
      ? null
      : {
          question: 'remove this?',
          writes: present,
          show: () => present.forEach((old) => printTexts(context, old)),
        },
  print({ terminal }, { present, isDone }) {
    if (present.length === 0) terminal.line('nothing is scheduled')
    else if (isDone) terminal.line('no longer scheduled')
  },
})

const show = commandOf({
  operation: scheduleShow,
  examples: [],
  print(context, { cadence, scheduled }) {
    const { terminal } = context
    for (const old of scheduled) printTexts(context, old)
    if (scheduled.length > 0) return
    terminal.line('nothing is scheduled')
    if (cadence !== 'on-hook') terminal.note(`\`recall schedule install\` schedules a ${cadence} sweep`)
  },
})

export const schedule = commandOfSeveral({
  name: 'schedule',
  summary: scheduleInstall.summary,
  details:
    'With a systemd user timer, a launchd agent or a line in the crontab, whichever the machine has. What is written is shown first. ' +
    '`cadence` in the settings says how often.',
  args: [{ name: 'action', help: 'install, show or remove', required: true }],
  examples: ['recall schedule install', 'recall schedule show', 'recall schedule remove --yes'],
  parts: [{ command: install }, { command: show }, { command: remove }],
  choose([action], values) {
    if (action === 'show') return [show]
    if (action === 'remove') return [remove]
    if (action !== 'install')
      throw new UserError('USAGE', `no action ${JSON.stringify(action)}`, 'actions are: install, show, remove')
    checkScheduler(values)
    return [install]
  },
})

function checkScheduler(values: OptionValues): void {
  const name = word(values, 'with')
  if (name === undefined || SCHEDULERS.some((known) => known === name)) return
  throw new UserError('USAGE', `unknown scheduler ${JSON.stringify(name)}`, `schedulers are: ${SCHEDULERS.join(', ')}`)
}

function printTexts({ terminal }: Context, { texts }: Schedule): void {
  for (const { file, text } of texts) {
    terminal.line(terminal.bold(file))
    terminal.line(text.trimEnd().replaceAll(/^/gm, '  '))
    terminal.line()
  }
}
