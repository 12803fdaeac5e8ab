import { setTimeout as delay } from 'node:timers/promises'
import { takeSignals } from '../../capture/signals.ts'
import type { TaskOutcome } from '../../groups/host.ts'
import { UserError } from '../../model/errors.ts'
import { isoTime } from '../../model/time.ts'
import { groupAdd, groupContext, groupList, groupRemove, groupServe } from '../../operations/group.ts'
import type { Command, Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { count, flag } from '../option-values.ts'
import { commandOfSeveral } from '../several.ts'
import { printTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'

const NAME = [{ name: 'name', help: 'which group', required: true }]
const INTERRUPTED = 130
const USUAL_MS = 500

const add = commandOf({
  operation: groupAdd,
  args: NAME,
  examples: [],
  print: ({ terminal, settings }, { name }) =>
    terminal.line(`${name} is a group in ${terminal.cell(settings.groupsRoot)}`),
})

const list = commandOf({
  operation: groupList,
  examples: [],
  rows: 'groups',
  print({ terminal }, groups) {
    if (groups.length === 0) return terminal.note('no groups yet; `recall group add main` makes one')
    printTable(terminal, groups, [
      { title: 'group', value: (group) => group.name },
      { title: 'session', value: (group) => group.sessionId ?? '', flexible: true },
      { title: 'history', value: (group) => String(group.history), right: true },
      { title: 'archives', value: (group) => String(group.archives), right: true },
      { title: 'last activity', value: (group) => isoTime(group.lastActivity) ?? '' },
    ])
  },
})

const remove = commandOf({
  operation: groupRemove,
  args: NAME,
  examples: [],
  change: ({ terminal }, { name, places }) => ({
    question: `put group ${name} aside?`,
    writes: places,
    show: () => places.forEach((place) => terminal.line(terminal.cell(place))),
  }),
  print({ terminal }, { name, aside }) {
    if (aside !== null) terminal.line(`${name} is now in ${terminal.cell(aside)}`)
  },
})

const context = commandOf({
  operation: groupContext,
  args: NAME,
  examples: [],
  print({ terminal }, { append }) {
    if (append !== null) terminal.line(append.trimEnd())
  },
})

const once = commandOf({
  operation: groupServe,
  options: [
    { flags: '--once', help: 'do what waits, and end' },
    { flags: '--every <ms>', help: `look so often (${USUAL_MS})` },
  ],
  examples: [],
  print: ({ terminal }, handled) => printHandled(terminal, handled),
})

/** Looks again and again; where another host acts, that one does what there is to do. */
const serve: Command = {
  ...once,
  async run(context, words, values) {
    if (flag(values, 'once') || flag(values, 'json')) return once.run(context, words, values)
    const pause = Math.max(10, count(values, 'every') ?? USUAL_MS)
    const { terminal } = context
    const ending = new AbortController()
    const giveBack = takeSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (name) => ending.abort(name))
    terminal.note(`serving groups in ${terminal.cell(context.settings.groupsRoot)}; Ctrl-C ends it`)
    let printed = ''
    while (!ending.signal.aborted) {
      const outcomes = await handled(context)
      // A group that cannot be served is told of once, not at every look.
      const state = JSON.stringify(outcomes)
      if (state !== printed) printHandled(terminal, outcomes)
      printed = state
      await delay(pause, undefined, { signal: ending.signal }).catch(() => undefined)
    }
    giveBack()
    return ending.signal.reason === 'SIGINT' ? INTERRUPTED : 0
  },
}

async function handled({ recall }: Context): Promise<TaskOutcome[]> {
  try {
    return await recall.groups.serve()
  } catch (error) {
    if (error instanceof UserError && error.code === 'LOCKED') return []
    throw error
  }
}

function printHandled(terminal: Terminal, outcomes: readonly TaskOutcome[]): void {
  for (const { group, file, type, error, warning, archive } of outcomes) {
    const what = terminal.cell([group, type ?? file].filter((part) => part !== null).join(': '))
    if (error !== null) terminal.line(terminal.yellow(`${what} could not be done: ${terminal.cell(error)}`))
    else terminal.line(`${what}${archive === null ? '' : `, archived as ${archive}`}`)
    if (warning !== null) terminal.line(terminal.yellow(`${what}: ${terminal.cell(warning)}`))
  }
}

const ACTIONS: Readonly<Record<string, Command>> = { add, list, remove, serve, context }

export const group = commandOfSeveral({
  name: 'group',
  summary: 'isolated memories for agents in containers',
  details:
    '`add` makes the directories of a group, `list` shows the groups, `remove` puts one aside. `serve` is the host: it acts on what the agents of all groups ask for, until it is interrupted. `context` prints what every group but the main one is told. See docs/groups.md.',
  args: [
    { name: 'action', help: Object.keys(ACTIONS).join(', '), required: true },
    { name: 'name', help: 'which group', required: false },
  ],
  examples: ['recall group add main', 'recall group serve', 'recall group context dev-team'],
  parts: Object.entries(ACTIONS).map(([label, command]) => ({ command, label })),
  choose([action = '', ...words]) {
    const command = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (command === undefined)
      throw new UserError(
        'USAGE',
        `no action ${JSON.stringify(action)}`,
        `actions are: ${Object.keys(ACTIONS).join(', ')}`,
      )
    if (command.args.length > 0 && words[0] === undefined)
      throw new UserError('USAGE', 'which group?', `recall group ${action} <name>`)
    return [command, ...words]
  },
})
