import { grouped } from '../../model/text.ts'
import { limited } from '../../operations/report.ts'
import { statsFiles } from '../../operations/stats-files.ts'
import { noteRest } from '../sessions.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, reportOf } from './report.ts'

const USUAL = 30

export const files = reportOf({
  operation: statsFiles,
  name: 'files',
  examples: ['recall stats files --project api', 'recall stats files --by day --json'],
  print({ terminal }, all, _values, { by, limit = USUAL }) {
    if (all.length === 0) return terminal.note('no files found')
    const rows = limited(all, limit)
    printTable(terminal, rows, [
      ...keyColumn<(typeof rows)[number]>(terminal, by, rows),
      { title: 'file', value: (row) => row.path, flexible: true, tail: true, least: 44 },
      { title: 'changed', value: (row) => grouped(row.edits), right: true, spare: true },
      { title: 'read', value: (row) => grouped(row.reads), right: true, spare: true },
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.edits + row.reads),
    ])
    noteRest(terminal, rows.length, all.length, 'row')
  },
})
