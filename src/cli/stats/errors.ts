import { grouped } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { flag } from '../given.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, keyJson, keyOf, limited, reportFilter, type Report } from './report.ts'
import { noteRest } from '../sessions.ts'

const USUAL = 20

export const errors: Report = {
  name: 'errors',
  summary: 'what failed, the same failure under one fingerprint; of analysed sessions',
  examples: ['recall stats errors --since 30d', 'recall stats errors --by project'],
  async run(context, given) {
    const { terminal } = context
    const by = keyOf(given)
    const all = await context.recall.insight.errors(by ?? 'all', reportFilter(context, given))
    const json = flag(given, 'json')
    const rows = limited(given, all, json ? 0 : USUAL)
    if (json) {
      const named = rows.map(({ key, lastAt, ...row }) => ({
        ...keyJson(by, { key }),
        ...row,
        last_at: isoTime(lastAt),
      }))
      return terminal.json({ ...(by ? { by } : {}), rows: named })
    }
    if (all.length === 0) return terminal.note('no errors found; `recall analyze` looks for them')
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
    noteRest(context.terminal, rows.length, all.length, 'row')
  },
}
