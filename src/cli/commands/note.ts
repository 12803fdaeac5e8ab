import { note as operation } from '../../operations/note.ts'
import { commandOf } from '../operation-command.ts'

export const note = commandOf({
  operation,
  args: [{ name: 'text', help: 'what to note', required: true, many: true }],
  examples: ['recall note "migration finished on staging"'],
  print({ terminal }, { file, failure }) {
    terminal.line(`kept in ${file}`)
    if (failure !== null) terminal.note(terminal.yellow(`not posted yet, will be later: ${failure}`))
  },
})
