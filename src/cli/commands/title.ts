import { title as operation } from '../../operations/title.ts'
import { commandOf } from '../operation-command.ts'

export const title = commandOf({
  operation,
  args: [
    { name: 'id', help: 'which session', required: true },
    { name: 'title', help: 'the title', required: false, many: true },
  ],
  examples: ['recall title 3f2a9c1e the deploy that failed', 'recall title 3f2a9c1e --remove'],
  print: ({ terminal }, { uid, title: now }) => terminal.line(terminal.cell(`${uid}  ${now ?? 'no title'}`)),
})
