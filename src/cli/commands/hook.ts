import { runHook } from '../../capture/hook-run.ts'
import { readInput } from '../../capture/input.ts'
import { UserError } from '../../model/errors.ts'
import type { HookEdit } from '../../operations/hook-change.ts'
import { hookInstall } from '../../operations/hook-install.ts'
import { hookStatus } from '../../operations/hook-status.ts'
import { hookUninstall } from '../../operations/hook-uninstall.ts'
import type { Command, Context } from '../command.ts'
import { printEdit, type Change } from '../consent.ts'
import { commandOf } from '../operation-command.ts'
import { commandOfSeveral } from '../several.ts'
import { printTable } from '../table.ts'

const ACTIONS = ['install', 'uninstall', 'status', 'run']
const AGENT = { name: 'agent', help: 'which agent; all that have hooks, for `status`', required: false }

const install = commandOf({
  operation: hookInstall,
  args: [AGENT],
  examples: [],
  change: changeOf,
  print(context, edit) {
    const { terminal, settings } = context
    if (!edit.isWritten) return printUnchanged(context, edit)
    const { source, backup } = edit
    terminal.line(`${source.label} now calls recall${backup === null ? '' : `; the old file is ${backup}`}`)
    if (settings.cadence !== 'on-hook')
      terminal.note(
        '`recall sweep` or `recall watch` reads what it tells; cadence = "on-hook" makes hooks start a sweep',
      )
  },
})

const uninstall = commandOf({
  operation: hookUninstall,
  args: [AGENT],
  examples: [],
  change: changeOf,
  print(context, edit) {
    if (edit.isWritten) context.terminal.line(`${edit.source.label} no longer calls recall`)
    else printUnchanged(context, edit)
  },
})

const status = commandOf({
  operation: hookStatus,
  args: [AGENT],
  examples: [],
  print({ terminal }, { hooks, queued, cadence }) {
    printTable(terminal, hooks, [
      { title: 'agent', value: (row) => row.agent },
      { title: 'hook', value: (row) => (row.problem ? 'unknown' : row.installed ? 'installed' : 'not installed') },
      { title: 'file', value: (row) => row.problem ?? row.file, flexible: true, tail: true },
    ])
    terminal.line(`${queued} waiting in the queue; sweeps: ${cadence}`)
  },
})

/** `bin/recall.js` has a shorter way; here come only calls with options before their words. */
const enqueue: Command = {
  name: 'run',
  summary: 'note in the queue what an agent says',
  args: [],
  options: [],
  examples: [],
  run: ({ env, settings, now }, args) =>
    runHook({
      args,
      env,
      dataDir: settings.dataDir,
      read: () => readInput(() => process.stdin),
      origins: [],
      now: now(),
    }),
}

const BY_ACTION: Readonly<Record<string, Command>> = {
  install,
  uninstall,
  remove: uninstall,
  status,
  run: enqueue,
}

export const hook = commandOfSeveral({
  name: 'hook',
  summary: hookInstall.summary,
  details:
    "`install` merges one command into the agent's own settings and keeps the old file beside it; `uninstall` (or " +
    '`remove`) takes it out again. Both show the change first and ask. `run` is what the agent calls: it notes the event in the queue and ends. ' +
    'The next sweep, or `recall watch`, reads the session.',
  args: [
    { name: 'action', help: ACTIONS.join(', '), required: true },
    AGENT,
    { name: 'payload', help: 'for `run`: what the agent says, instead of on standard input', required: false },
  ],
  examples: ['recall hook install claude --dry-run', 'recall hook install claude --yes', 'recall hook status'],
  parts: [{ command: install }, { command: uninstall }, { command: status }],
  choose([action = '', ...words]) {
    const command = Object.hasOwn(BY_ACTION, action) ? BY_ACTION[action] : undefined
    if (command !== undefined) return [command, ...words]
    throw new UserError('USAGE', `no action ${JSON.stringify(action)}`, `actions are: ${ACTIONS.join(', ')}`)
  },
})

function changeOf({ terminal }: Context, { change }: HookEdit): Change | null {
  if (change.before === change.after) return null
  return { question: `write ${change.file}?`, writes: change, show: () => printEdit(terminal, change) }
}

/** Of a change that was not made, people have been told already. */
function printUnchanged({ terminal }: Context, { source, change }: HookEdit): void {
  if (change.before === change.after)
    terminal.line(`nothing to change for ${source.label}: ${terminal.cell(change.file)}`)
}
