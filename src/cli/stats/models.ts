import { grouped } from '../../model/text.ts'
import { PRICES_DATED } from '../../insight/prices/prices.ts'
import { flag } from '../given.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, keyOf, limited, priced, reportFilter, type Report } from './report.ts'
import { noteRest } from '../sessions.ts'
import { costJson } from './cost-json.ts'

const USUAL = 30

export const models: Report = {
  name: 'models',
  summary: 'what each model was used for, and its price',
  examples: ['recall stats models --since 30d', 'recall stats models --by project --json'],
  async run(context, given) {
    const { terminal } = context
    const by = keyOf(given)
    const all = await context.recall.insight.models(by ?? 'all', reportFilter(context, given))
    const json = flag(given, 'json')
    const rows = limited(given, all, json ? 0 : USUAL)
    if (json) {
      const named = rows.map((row) => {
        const { key, ...sums } = costJson(row)
        return { key: by === undefined ? row.model : key, model: row.model, sessions: row.sessions, ...sums }
      })
      return terminal.json({ ...(by ? { by } : {}), rows: named, prices_dated: PRICES_DATED })
    }
    if (all.length === 0) return terminal.note('no responses found')
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
    noteRest(context.terminal, rows.length, all.length, 'row')
  },
}
