import type { Audit } from '../../insight/audit.ts'
import { PERIODS } from '../../insight/periods.ts'
import { UserError } from '../../model/errors.ts'
import { grouped, plural } from '../../model/text.ts'
import { limitedBy } from '../../operations/report.ts'
import { statsAudit } from '../../operations/stats-audit.ts'
import { statsTokens, tokensOf, type SummedTokens, type UsageSum } from '../../operations/stats-tokens.ts'
import { FRESH_OPTION, type Context } from '../command.ts'
import { word } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'
import { noteRest } from '../sessions.ts'
import { commandOfSeveral } from '../several.ts'
import { printTable } from '../table.ts'
import { barColumn, keyNames, reportOf } from './report.ts'

/** A session each: more than anyone reads. */
const USUAL = 30

const sums = reportOf({
  operation: statsTokens,
  more: PERIODS,
  examples: [],
  print(context, found, _values, { limit = found.by === 'session' ? USUAL : 0 }) {
    const { key, rows } = found
    if (rows.length === 0) return context.terminal.note('no tokens found')
    const shown = limitedBy(key, rows, limit)
    print(context, found, shown)
    noteRest(context.terminal, shown.length, rows.length, 'row')
  },
})

const audit = commandOf({
  operation: statsAudit,
  without: ['what'],
  options: [
    { flags: '--audit <what>', help: 'every record behind the sum of a session or a day, counted or left out' },
    FRESH_OPTION,
  ],
  examples: [],
  rows: 'counted',
  refine(_, values) {
    const what = word(values, 'audit') ?? ''
    if (what.startsWith('-'))
      throw new UserError('USAGE', '--audit takes a session or a day', 'e.g. --audit 2026-11-03')
    return { what }
  },
  print: printAudit,
})

export const tokens = commandOfSeveral({
  name: 'tokens',
  summary: statsTokens.summary,
  args: [],
  examples: [
    'recall stats tokens --by model --since 30d',
    'recall stats tokens --by week',
    'recall stats tokens --audit 2026-11-03',
  ],
  parts: [{ command: sums }, { command: audit, label: 'tokens' }],
  choose: (_words, values) => [values['audit'] === undefined ? sums : audit],
})

function print({ terminal }: Context, { by, key, totals }: SummedTokens, rows: readonly UsageSum[]): void {
  const number = (pick: (row: UsageSum) => number) => (row: UsageSum) =>
    row.responses === 0 && row.unknown > 0 ? 'unknown' : grouped(pick(row))
  const nameOf = keyNames(terminal, key, rows)
  const named = (row: UsageSum) => (row === totals ? 'all' : nameOf(row.key))
  printTable(
    terminal,
    [...rows, totals],
    [
      { title: by, value: named, flexible: by === 'project', tail: true, least: 20 },
      { title: 'input', value: number((row) => row.input), right: true, spare: true },
      { title: 'output', value: number((row) => row.output), right: true },
      { title: 'cache read', value: number((row) => row.cacheRead), right: true, spare: true },
      { title: 'cache write', value: number((row) => row.cacheWrite5m + row.cacheWrite1h), right: true, spare: true },
      { title: 'reasoning', value: number((row) => row.reasoning), right: true, spare: true },
      { title: 'responses', value: number((row) => row.responses), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => (row === totals ? 0 : tokensOf(row))),
    ],
  )
  if (totals.unknown > 0)
    terminal.note(terminal.dim(`not in these sums: ${plural(totals.unknown, 'session')} that told no tokens`))
}

function printAudit({ terminal }: Context, { counted, leftOut, gone }: Audit): void {
  const rows = [
    ...counted.map((entry) => ({ ...entry, verdict: 'counted' })),
    ...leftOut.map((entry) => ({ ...entry, verdict: entry.reason.replaceAll('_', ' ') })),
  ].sort((a, b) => compare(a.file ?? '', b.file ?? '') || a.line - b.line)
  printTable(terminal, rows, [
    { title: 'verdict', value: (row) => row.verdict },
    { title: 'input', value: (row) => String(row.input), right: true },
    { title: 'output', value: (row) => String(row.output), right: true },
    { title: 'cache read', value: (row) => String(row.cacheRead), right: true },
    { title: 'cache write', value: (row) => String(row.cacheWrite5m + row.cacheWrite1h), right: true },
    { title: 'model', value: (row) => row.model ?? '' },
    {
      title: 'told at',
      value: (row) => `${row.file ?? 'a transcript that is gone'}:${row.line}`,
      flexible: true,
      tail: true,
    },
  ])
  terminal.note(terminal.dim(`${plural(counted.length, 'response')} counted, ${leftOut.length} records left out`))
  for (const file of gone) terminal.note(terminal.yellow(`${file} is gone: what it repeated cannot be told`))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
