import { inert } from '../../model/inert.ts'
import { sql as operation } from '../../operations/sql.ts'
import { commandOf } from '../operation-command.ts'
import { flag } from '../option-values.ts'
import { printTable } from '../table.ts'

export const sql = commandOf({
  operation,
  args: [{ name: 'query', help: 'one SELECT', required: true }],
  options: [{ flags: '--csv', help: 'as CSV' }],
  examples: [
    'recall sql "SELECT tool_name, count(*) FROM tool_calls GROUP BY 1 ORDER BY 2 DESC"',
    'recall sql --csv "SELECT id, title, input_tokens FROM sessions" > sessions.csv',
  ],
  print({ terminal }, { columns, rows, more }, values) {
    if (flag(values, 'csv')) for (const row of [columns, ...rows]) terminal.line(row.map(csvField).join(','))
    else
      printTable(
        terminal,
        rows,
        columns.map((title, i) => ({
          title,
          value: (row: readonly unknown[]) => shown(row[i]),
          right: rows.every((row) => typeof row[i] === 'number' || row[i] === null),
          flexible: true,
        })),
      )
    if (more) terminal.note('there are more rows: --limit 0 gives all')
  },
})

function shown(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

/** As RFC 4180 has it. */
function csvField(value: unknown): string {
  const text = inert(shown(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
