import { grouped } from '../../model/text.ts'
import { limited } from '../../operations/report.ts'
import { statsModels } from '../../operations/stats-models.ts'
import { noteRest } from '../sessions.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, priced, reportOf } from './report.ts'

const USUAL = 30

export const models = reportOf({
  operation: statsModels,
  name: 'models',
  examples: ['recall stats models --since 30d', 'recall stats models --by project --json'],
  print({ terminal }, all, _values, { by, limit = USUAL }) {
    if (all.length === 0) return terminal.note('no responses found')
    const rows = limited(all, limit)
    printTable(terminal, rows, [
      ...keyColumn<(typeof rows)[number]>(terminal, by === 'model' ? undefined : by, rows),
      { title: 'model', value: (row) => row.model ?? 'unknown', flexible: by !== undefined },
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true, spare: true },
      { title: 'responses', value: (row) => grouped(row.responses), right: true, spare: true },
      { title: 'input', value: (row) => grouped(row.input), right: true, spare: true },
      { title: 'output', value: (row) => grouped(row.output), right: true, spare: true },
      { title: 'cache read', value: (row) => grouped(row.cacheRead), right: true, spare: true },
      { title: 'cost', value: priced, right: true },
      ...barColumn(terminal, rows, (row) => row.responses),
    ])
    noteRest(terminal, rows.length, all.length, 'row')
  },
})
