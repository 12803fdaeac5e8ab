import { blame as operation } from '../../operations/blame.ts'
import { FRESH_OPTION } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { printHeading, printWhere } from '../sessions.ts'

const REASONS = {
  commit: 'made the commit',
  commit_message: 'committed with these words at that time',
  edit: 'wrote the line',
} as const

export const blame = commandOf({
  operation,
  args: [
    {
      name: 'commit|path:line',
      field: 'target',
      help: 'at least 7 digits of a hash, or a line of a file',
      required: true,
    },
  ],
  options: [FRESH_OPTION],
  examples: ['recall blame 4f2a9c1', 'recall blame src/auth/handler.ts:42 --json'],
  print({ terminal }, { target, session, confidence, reason, seq }) {
    if (session === null || reason === null)
      return terminal.note(terminal.dim(`no session is known to be behind ${target}`))
    printHeading(terminal, session, [REASONS[reason], `${Math.round(confidence * 100)} % sure`])
    printWhere(terminal, session.uid, seq, seq === null ? '' : ' --tools')
  },
})
