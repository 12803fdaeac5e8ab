import { grouped } from '../../model/text.ts'
import { limited } from '../../operations/report.ts'
import { statsTools } from '../../operations/stats-tools.ts'
import { noteRest } from '../sessions.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, reportOf } from './report.ts'

const USUAL = 30

export const tools = reportOf({
  operation: statsTools,
  name: 'tools',
  examples: ['recall stats tools --since 30d', 'recall stats tools --by project --json'],
  print({ terminal }, all, _values, { by, limit = USUAL }) {
    if (all.length === 0) return terminal.note('no tool calls found')
    const rows = limited(all, limit)
    printTable(terminal, rows, [
      ...keyColumn<(typeof rows)[number]>(terminal, by, rows),
      { title: 'tool', value: (row) => row.tool || 'unknown', flexible: true },
      { title: 'calls', value: (row) => grouped(row.count), right: true },
      { title: 'failed', value: (row) => grouped(row.errors), right: true, spare: true },
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.count),
    ])
    noteRest(terminal, rows.length, all.length, 'row')
  },
})
