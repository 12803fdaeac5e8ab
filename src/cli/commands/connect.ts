import { UserError } from '../../model/errors.ts'
import { connectRemove } from '../../operations/connect-remove.ts'
import { connectStatus } from '../../operations/connect-status.ts'
import { connect as adding, type Connection } from '../../operations/connect.ts'
import { isEdit } from '../../operations/hook-change.ts'
import type { Context } from '../command.ts'
import { printEdit, type Change } from '../consent.ts'
import { commandOf } from '../operation-command.ts'
import { flag } from '../option-values.ts'
import { commandOfSeveral } from '../several.ts'
import { printTable } from '../table.ts'

const AGENT = { name: 'agent', help: 'which agent, or `status`', required: true }

const add = commandOf({
  operation: adding,
  args: [AGENT],
  examples: [],
  change: changeOf,
  print: (context, found) => printDone(context, found, 'has the memory now; it is there from its next session on'),
})

const remove = commandOf({
  operation: connectRemove,
  args: [AGENT],
  examples: [],
  change: changeOf,
  print: (context, found) => printDone(context, found, 'no longer has the memory'),
})

const status = commandOf({
  operation: connectStatus,
  args: [],
  examples: [],
  print({ terminal }, { agents }) {
    const said = (value: boolean | null) => (value === null ? '?' : value ? 'yes' : 'no')
    printTable(terminal, agents, [
      { title: 'agent', value: (row) => row.agent },
      { title: 'server', value: (row) => said(row.server) },
      { title: 'in this project', value: (row) => said(row.project_server) },
      { title: 'hooks', value: (row) => said(row.hooks) },
      { title: 'skill', value: (row) => said(row.skill) },
      { title: 'file', value: (row) => row.problem ?? row.file, flexible: true, tail: true },
    ])
  },
})

export const connect = commandOfSeveral({
  name: 'connect',
  summary: adding.summary,
  ...(adding.details === undefined ? {} : { details: adding.details }),
  args: [AGENT],
  options: [{ flags: '--remove', help: 'take it away again, with all that was added' }],
  examples: [
    'recall connect claude --dry-run',
    'recall connect codex --hooks --brief',
    'recall connect grok --remove',
    'recall connect status',
  ],
  parts: [{ command: add }, { command: remove }, { command: status }],
  choose([agent = '', ...words], values) {
    if (words.length > 0) throw new UserError('USAGE', 'one agent at a time', 'e.g. recall connect codex')
    if (agent === 'status') return [status]
    return [flag(values, 'remove') ? remove : add, agent]
  },
})

function changeOf({ terminal }: Context, { changes }: Connection): Change | null {
  const edits = changes.filter(isEdit)
  if (edits.length === 0) return null
  const files = edits.map(({ file }) => file).join(', ')
  return {
    question: `write ${files}?`,
    writes: changes,
    show: () => edits.forEach((edit) => printEdit(terminal, edit)),
  }
}

function printDone({ terminal }: Context, { source, changes, isWritten, notes }: Connection, done: string): void {
  if (isWritten) terminal.line(`${source.label} ${done}`)
  else if (!changes.some(isEdit)) terminal.line(`nothing to change for ${source.label}`)
  for (const note of notes) terminal.note(note)
}
