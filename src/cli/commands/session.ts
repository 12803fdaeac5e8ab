import { UserError } from '../../model/errors.ts'
import * as operations from '../../operations/session.ts'
import type { Command, OptionValues } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { word } from '../option-values.ts'
import { commandOfSeveral } from '../several.ts'
import { printTable } from '../table.ts'

const NAME = [{ name: 'name', help: 'what it is called', required: false, many: true }]
const ID = [{ name: 'id', help: 'its number in the history', required: true }]

const get = commandOf({
  operation: operations.sessionGet,
  examples: [],
  print({ terminal }, { group, sessionId }) {
    if (sessionId === null) terminal.note(`no session is active in ${group}`)
    else terminal.line(terminal.cell(sessionId))
  },
})

const set = commandOf({
  operation: operations.sessionSet,
  args: [{ name: 'id', help: 'its own id', required: true }],
  examples: [],
  print: ({ terminal }, { group, sessionId }) => terminal.line(`${terminal.cell(sessionId)} is active in ${group}`),
})

const clear = commandOf({
  operation: operations.sessionClear,
  args: NAME,
  examples: [],
  print({ terminal }, { group, archive }) {
    terminal.line(
      `no session is active in ${group}${archive === null ? '' : `; archived as ${terminal.cell(archive)}`}`,
    )
  },
})

const archive = commandOf({
  operation: operations.sessionArchive,
  args: NAME,
  examples: [],
  print: ({ terminal }, { id, name }) => terminal.line(`${id}  ${terminal.cell(name)}`),
})

const restore = commandOf({
  operation: operations.sessionRestore,
  args: ID,
  examples: [],
  refine: (input) => ({ ...input, id: Number(input.id) }),
  print: ({ terminal }, { group, sessionId }) => terminal.line(`${terminal.cell(sessionId)} is active in ${group}`),
})

const history = commandOf({
  operation: operations.sessionHistory,
  examples: [],
  rows: 'sessions',
  print({ terminal }, sessions) {
    if (sessions.length === 0) return terminal.note('no session was put aside')
    printTable(terminal, sessions, [
      { title: 'id', value: (entry) => String(entry.id), right: true },
      { title: 'archived', value: (entry) => entry.archived_at },
      { title: 'session', value: (entry) => entry.session_id },
      { title: 'name', value: (entry) => entry.name, flexible: true },
    ])
  },
})

const resume = commandOf({
  operation: operations.sessionResume,
  args: ID,
  examples: [],
  refine: (input) => ({ ...input, id: Number(input.id) }),
  print: ({ terminal }, { group, sessionId }) =>
    terminal.line(`${terminal.cell(sessionId ?? '')} is active in ${group}`),
})

const ACTIONS: Readonly<Record<string, Command>> = { get, set, clear, archive, restore, history, resume }
const NUMBERED: ReadonlySet<Command> = new Set([restore, resume])

export const session = commandOfSeveral({
  name: 'session',
  summary: 'which session is active in a group, and which were before',
  details:
    '`get` and `set` the active one; `clear` archives it, so that the next message starts a new one; `resume` switches to one of the `history`. `archive` and `restore` change the pointers alone. See docs/groups.md.',
  args: [
    { name: 'action', help: Object.keys(ACTIONS).join(', '), required: true },
    { name: 'what', help: 'an id, a number of the history, or a name', required: false, many: true },
  ],
  examples: [
    'recall session get --group main --json',
    'recall session clear "Tax research" --group main',
    'recall session resume 2 --save-as "Travel" --group main',
  ],
  parts: Object.entries(ACTIONS).map(([label, command]) => ({ command, label })),
  choose([action = '', ...words], values) {
    const command = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (command === undefined)
      throw new UserError(
        'USAGE',
        `no action ${JSON.stringify(action)}`,
        `actions are: ${Object.keys(ACTIONS).join(', ')}`,
      )
    checkWords(action, command, words, values)
    return [command, ...words]
  },
})

function checkWords(action: string, command: Command, words: readonly string[], values: OptionValues): void {
  if (word(values, 'group') === undefined) throw new UserError('USAGE', 'which group?', 'give --group <name>')
  const isAsked = command.args[0]?.required === true
  if (isAsked && words[0] === undefined)
    throw new UserError('USAGE', `${action} what?`, `recall session ${action} <id>`)
  if (NUMBERED.has(command) && !/^\d{1,15}$/.test(words[0] ?? ''))
    throw new UserError(
      'USAGE',
      `${JSON.stringify(words[0])} is no number of the history`,
      '`recall session history` tells them',
    )
}
