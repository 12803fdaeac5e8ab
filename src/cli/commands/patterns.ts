import { plural } from '../../model/text.ts'
import { patterns as operation } from '../../operations/patterns.ts'
import { commandOf } from '../operation-command.ts'
import { printSlipsLast, printWhere, printWrapped } from '../sessions.ts'

export const patterns = commandOf({
  operation,
  examples: ['recall patterns', 'recall patterns --since 30d --json'],
  rows: 'patterns',
  print({ terminal }, found) {
    if (found.total === 0) return terminal.note('nothing recurs; `recall analyze` looks for it')
    printSlipsLast(terminal, found, 'pattern', (pattern) => {
      const where = `${plural(pattern.sessions, 'session')}, ×${pattern.count}`
      printWrapped(
        terminal,
        `${terminal.bold(pattern.kind.replaceAll('_', ' '))} (${where})  ${pattern.summary}`,
        '',
        '  ',
      )
      const [uid = '', seq] = (pattern.evidence[0] ?? '').split('#')
      printWhere(terminal, uid, Number(seq))
    })
  },
})
