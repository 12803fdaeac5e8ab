import { grouped, plural } from '../../model/text.ts'
import { humanDuration } from '../../model/time.ts'
import { limitedBy } from '../../operations/report.ts'
import { isUnknown, statsTime } from '../../operations/stats-time.ts'
import type { TimeSum } from '../../store/insight.ts'
import { noteRest } from '../sessions.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, reportOf } from './report.ts'

const USUAL = 30

export const time = reportOf({
  operation: statsTime,
  name: 'time',
  examples: ['recall stats time --by day --since 14d', 'recall stats time --by project --json'],
  print({ terminal }, { by, rows: all, unknown }, _values, { limit = USUAL }) {
    if (all.length === 0) return terminal.note('no sessions found')
    const rows = limitedBy(by, all, limit)
    printTable(terminal, rows, [
      ...keyColumn<TimeSum>(terminal, by, rows),
      { title: 'you', value: (row) => spelled(row, row.activeS), right: true },
      { title: 'agent', value: (row) => spelled(row, row.agentS), right: true },
      { title: 'waiting', value: (row) => spelled(row, row.waitingS), right: true, spare: true },
      { title: 'idle', value: (row) => spelled(row, row.idleS), right: true, spare: true },
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.activeS + row.agentS),
    ])
    noteRest(terminal, rows.length, all.length, 'row')
    terminal.note(terminal.dim('sessions side by side are counted each; `recall time` counts such time once'))
    if (unknown > 0)
      terminal.note(terminal.dim(`time not known of ${plural(unknown, 'session')}: not analysed, or without times`))
  },
})

function spelled(row: TimeSum, seconds: number): string {
  return isUnknown(row) ? 'unknown' : humanDuration(seconds)
}
