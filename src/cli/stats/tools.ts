import { grouped } from '../../model/text.ts'
import { flag } from '../given.ts'
import { printTable } from '../table.ts'
import { barColumn, keyColumn, keyJson, keyOf, limited, reportFilter, type Report } from './report.ts'
import { noteRest } from '../sessions.ts'

const USUAL = 30

export const tools: Report = {
  name: 'tools',
  summary: 'how often each tool was called, and how often it failed',
  examples: ['recall stats tools --since 30d', 'recall stats tools --by project --json'],
  async run(context, given) {
    const { terminal } = context
    const by = keyOf(given)
    const all = await context.recall.insight.tools(by ?? 'all', reportFilter(context, given))
    const json = flag(given, 'json')
    const rows = limited(given, all, json ? 0 : USUAL)
    if (json) {
      const named = rows.map(({ tool, count, errors, sessions, ...row }) => ({
        ...keyJson(by, row),
        tool: tool === '' ? null : tool,
        count,
        errors,
        sessions,
      }))
      return terminal.json({ ...(by ? { by } : {}), rows: named })
    }
    if (all.length === 0) return terminal.note('no tool calls found')
    printTable(terminal, rows, [
      ...keyColumn<(typeof rows)[number]>(terminal, by, rows),
      { title: 'tool', value: (row) => row.tool || 'unknown', flexible: true },
      { title: 'calls', value: (row) => grouped(row.count), right: true },
      { title: 'failed', value: (row) => grouped(row.errors), right: true, spare: true },
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.count),
    ])
    noteRest(context.terminal, rows.length, all.length, 'row')
  },
}
