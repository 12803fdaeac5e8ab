import { pointerOf } from '../../model/pointers.ts'
import { decide as operation } from '../../operations/decide.ts'
import { commandOf } from '../operation-command.ts'

export const decide = commandOf({
  operation,
  args: [
    { name: 'id', help: 'which session', required: true },
    { name: 'text', help: 'what was decided', required: true, many: true },
  ],
  examples: ['recall decide 3f2a9c1e "we stay on SQLite"'],
  print: ({ terminal }, { uid, seq }) => terminal.line(`recorded as ${uid}${pointerOf(seq)}`),
})
