import { brief as operation } from '../../operations/brief.ts'
import { commandOf } from '../operation-command.ts'
import { printMarkdown } from '../sessions.ts'

export const brief = commandOf({
  operation,
  examples: ['recall brief', 'recall brief --directory ~/code/api --json'],
  print({ terminal }, { text }) {
    if (text === null) terminal.note('nothing was done here lately')
    else printMarkdown(terminal, text.trimEnd())
  },
})
