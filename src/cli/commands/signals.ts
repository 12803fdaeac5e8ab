import { signals as operation } from '../../operations/signals.ts'
import { commandOf } from '../operation-command.ts'
import { printSlipsLast, printWhere, printWrapped } from '../sessions.ts'

export const signals = commandOf({
  operation,
  args: [{ name: 'id', help: 'only of this session', required: false }],
  examples: ['recall signals 3f2a9c1e', 'recall signals --since 7d'],
  rows: 'signals',
  print({ terminal }, found) {
    if (found.total === 0) return terminal.note('no signals; `recall analyze` looks for them')
    printSlipsLast(terminal, found, 'signal', (signal) => {
      const times = signal.count > 1 ? ` ×${signal.count}` : ''
      printWrapped(terminal, `${terminal.bold(signal.kind.replaceAll('_', ' '))}${times}  ${signal.summary}`, '', '  ')
      printWhere(terminal, signal.sessionUid, signal.seqs[0])
    })
  },
})
