import type { Overview } from '../../insight/insight.ts'
import type { OverviewRow } from '../../insight/overview-rows.ts'
import { PRICES_DATED } from '../../insight/prices/prices.ts'
import { grouped, plural } from '../../model/text.ts'
import { humanDuration } from '../../model/time.ts'
import { limitedBy } from '../../operations/report.ts'
import { isUnknown } from '../../operations/stats-time.ts'
import { stats } from '../../operations/stats.ts'
import { OUTCOMES } from '../../store/insight.ts'
import { bar, short, sparkline } from '../plot.ts'
import { noteRest } from '../sessions.ts'
import { printTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { barColumn, keyColumn, priced, reportOf } from './report.ts'

const TOP = 8
const DAYS_SHOWN = 90
const NAME = 12

/** `recall stats` without a report: everything at a glance. */
export const dashboard = reportOf({
  operation: stats,
  examples: [],
  rows: (_words, values) => (values['by'] === undefined ? 'projects' : 'rows'),
  print({ terminal }, { overview, rows }, _values, { by, limit = TOP }) {
    if (overview.totals.sessions === 0) return terminal.note('no sessions found; `recall index` reads new ones')
    printTotals(terminal, overview)
    printDays(terminal, overview)
    const shown = limitedBy(by ?? 'project', rows, limit)
    terminal.line()
    printTable(terminal, shown, [
      ...keyColumn<OverviewRow>(terminal, by ?? 'project', shown),
      { title: 'sessions', value: (row) => grouped(row.sessions), right: true },
      { title: 'exchanges', value: (row) => grouped(row.prompts), right: true, spare: true },
      { title: 'calls', value: (row) => grouped(row.toolCalls), right: true, spare: true },
      { title: 'cost', value: priced, right: true },
      ...barColumn(terminal, shown, (row) => row.usd),
    ])
    noteRest(terminal, shown.length, rows.length, by === undefined ? 'project' : 'row')
    noteUnknown(terminal, overview)
  },
})

function printTotals(terminal: Terminal, { totals, commands, cost: { total }, time }: Overview): void {
  const line = (name: string, text: string) => terminal.line(`${terminal.dim(name.padEnd(NAME))}${text}`)
  line('sessions', `${grouped(totals.sessions)}, ${plural(totals.prompts, 'exchange')}`)
  line('tools', `${plural(totals.toolCalls, 'call')}, ${grouped(commands)} of them shell commands`)
  const cached = total.cacheRead + total.cacheWrite5m + total.cacheWrite1h
  line(
    'tokens',
    `${short(total.input)} input, ${short(total.output)} output, ${short(cached)} cache; ${plural(total.responses, 'response')}`,
  )
  line('cost', `${priced(total)} at the prices of ${PRICES_DATED}`)
  const judged = OUTCOMES.some((outcome) => outcome !== 'unknown' && (totals.outcomes[outcome] ?? 0) > 0)
  line('outcomes', judged || !isUnknown(time) ? outcomes(terminal, totals) : 'unknown before `recall analyze`')
  if (isUnknown(time)) return line('time', 'unknown before `recall analyze`')
  line(
    'time',
    `${humanDuration(time.activeS)} you, ${humanDuration(time.agentS)} agent, ${humanDuration(time.waitingS)} waiting, ` +
      `${humanDuration(time.idleS)} idle`,
  )
}

function outcomes(terminal: Terminal, totals: Overview['totals']): string {
  const counts = OUTCOMES.map((outcome) => `${grouped(totals.outcomes[outcome] ?? 0)} ${outcome}`).join(', ')
  const room = Math.min(20, terminal.width - NAME - counts.length - 2)
  if (!terminal.isTTY || room < 5) return counts
  const good = bar(totals.outcomes.success ?? 0, totals.sessions, room)
  return `${counts}  ${terminal.green(good)}`
}

/** Days in a row, also those on which nothing happened. */
function printDays(terminal: Terminal, { days }: Overview): void {
  const known = days.filter((day) => day.key !== null)
  const last = known.at(-1)?.key
  if (last === undefined || last === null) return
  const counts = new Map(known.map((day) => [day.key, day]))
  const range = daysUpTo(last, known[0]?.key ?? last)
  const values = range.map((day) => counts.get(day)?.prompts ?? 0)
  const spent = range.map((day) => counts.get(day)?.usd ?? 0)
  const width = Math.min(range.length, Math.max(20, Math.min(DAYS_SHOWN, terminal.width - NAME - 26)))
  const span = `${range[0]} to ${last}`
  terminal.line()
  terminal.line(`${terminal.dim('exchanges'.padEnd(NAME))}${terminal.cyan(sparkline(values, width))}  ${span}`)
  terminal.line(`${terminal.dim('cost'.padEnd(NAME))}${terminal.green(sparkline(spent, width))}`)
}

function daysUpTo(last: string, first: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(last); days.length < DAYS_SHOWN; at -= 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    if (day < first) break
    days.unshift(day)
  }
  return days
}

function noteUnknown(terminal: Terminal, { cost, silent, time }: Overview): void {
  if (silent > 0) terminal.note(terminal.dim(`${plural(silent, 'session')} told no tokens`))
  if (cost.unpriced.length > 0) {
    const named = cost.unpriced.map(({ model, responses }) => `${model ?? 'unknown'} (${grouped(responses)})`)
    terminal.note(terminal.dim(`no price for: ${named.join(', ')}`))
  }
  if (time.unknown > 0)
    terminal.note(terminal.dim(`time not known of ${plural(time.unknown, 'session')}: not analysed, or without times`))
}
