import { grouped } from '../../model/text.ts'
import { flag } from '../given.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, keyJson, keyOf, limited, reportFilter, type Report } from './report.ts'
import { noteRest } from '../sessions.ts'

const USUAL = 30

export const files: Report = {
  name: 'files',
  summary: 'which files were changed and read most',
  examples: ['recall stats files --project api', 'recall stats files --by day --json'],
  async run(context, given) {
    const { terminal } = context
    const by = keyOf(given)
    const all = await context.recall.insight.files(by ?? 'all', reportFilter(context, given))
    const json = flag(given, 'json')
    const rows = limited(given, all, json ? 0 : USUAL)
    if (json) {
      const named = rows.map(({ key, ...row }) => ({ ...keyJson(by, { key }), ...row }))
      return terminal.json({ ...(by ? { by } : {}), rows: named })
    }
    if (all.length === 0) return terminal.note('no files found')
    printTable(terminal, rows, [
      ...keyColumn<(typeof rows)[number]>(terminal, by, rows),
      { title: 'file', value: (row) => row.path, flexible: true, tail: true, least: 44 },
      { title: 'changed', value: (row) => grouped(row.edits), right: true, spare: true },
      { title: 'read', value: (row) => grouped(row.reads), right: true, spare: true },
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.edits + row.reads),
    ])
    noteRest(context.terminal, rows.length, all.length, 'row')
  },
}
