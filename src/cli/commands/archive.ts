import { archive as operation } from '../../operations/archive.ts'
import { commandOf } from '../operation-command.ts'
import { printMarkdown } from '../sessions.ts'

export const archive = commandOf({
  operation,
  args: [{ name: 'id', help: 'which session', required: true }],
  examples: ['recall archive last', 'recall archive 3f2a9c1e --out notes', 'recall archive last --group main --yes'],
  change: ({ terminal }, { file, markdown, isUnnamed }) =>
    file === null || !isUnnamed
      ? null
      : { question: `write ${file}?`, writes: markdown, show: () => terminal.line(terminal.cell(file)) },
  print({ terminal }, { file, markdown, isWritten }) {
    if (isWritten) terminal.line(terminal.cell(file ?? ''))
    else if (file === null) printMarkdown(terminal, markdown.trimEnd())
  },
})
