import { plural } from '../../model/text.ts'
import { sync as operation } from '../../operations/sync.ts'
import { commandOf } from '../operation-command.ts'
import { counting } from './export.ts'
import { printTaken } from './import.ts'

export const sync = commandOf({
  operation,
  args: [{ name: 'dir', help: 'the shared directory', required: true }],
  examples: ['recall sync ~/Sync/recall'],
  watch: counting,
  print(context, { own, hosts, taken, written }) {
    const { terminal } = context
    if (hosts > 0) printTaken(context, taken)
    else terminal.line('no other machine has written there yet')
    if (taken.forget.length > 0)
      terminal.line(`forgot ${plural(taken.forget.length, 'session')} that another machine has forgotten`)
    terminal.line(
      terminal.cell(`wrote ${plural(written.written, 'session')} to ${own}; ${written.unchanged} unchanged`),
    )
  },
})
