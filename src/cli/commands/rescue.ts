import { plural } from '../../model/text.ts'
import { rescue as operation } from '../../operations/rescue.ts'
import { commandOf } from '../operation-command.ts'
import { printTable } from '../table.ts'
import { localTime } from '../../model/time.ts'

export const rescue = commandOf({
  operation,
  examples: ['recall rescue', 'recall rescue --within 30d --json'],
  rows: 'sessions',
  print({ terminal }, { within, rows, lost }) {
    if (rows.length === 0) return terminal.line(`nothing will be deleted within ${within}`)
    printTable(terminal, rows, [
      { title: 'deleted', value: (row) => localTime(row.deletedAt) },
      { title: 'held', value: (row) => row.reason ?? 'yes' },
      { title: 'transcript', value: (row) => row.path, flexible: true, tail: true },
    ])
    const note = `${plural(rows.length, 'transcript')} will go within ${within}, ${lost.length} not held`
    const advice = lost.some((row) => !row.letGo) ? ': run `recall index`' : ''
    terminal.note(lost.length > 0 ? terminal.yellow(note + advice) : terminal.dim(note))
  },
  exit: ({ lost }) => (lost.length > 0 ? 1 : 0),
})
