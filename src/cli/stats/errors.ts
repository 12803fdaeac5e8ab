import { grouped } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { limited } from '../../operations/report.ts'
import { statsErrors } from '../../operations/stats-errors.ts'
import { noteRest } from '../sessions.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, reportOf } from './report.ts'

const USUAL = 20

export const errors = reportOf({
  operation: statsErrors,
  name: 'errors',
  examples: ['recall stats errors --since 30d', 'recall stats errors --by project'],
  print({ terminal }, all, _values, { by, limit = USUAL }) {
    if (all.length === 0) return terminal.note('no errors found; `recall analyze` looks for them')
    const rows = limited(all, limit)
    printTable(terminal, rows, [
      ...keyColumn<(typeof rows)[number]>(terminal, by, rows),
      { title: 'times', value: (row) => grouped(row.count), right: true },
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true, spare: true },
      { title: 'tool', value: (row) => row.tool ?? '', spare: true },
      { title: 'last', value: (row) => (isoTime(row.lastAt) ?? '').slice(0, 10), spare: true },
      { title: 'error', value: (row) => row.summary, flexible: true, least: 36 },
      ...barColumn(terminal, rows, (row) => row.count),
      ...(terminal.isTTY ? [] : [{ title: 'for example', value: (row: (typeof rows)[number]) => row.evidence ?? '' }]),
    ])
    noteRest(terminal, rows.length, all.length, 'row')
  },
})
