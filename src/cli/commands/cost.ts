import type { CostSum } from '../../insight/cost.ts'
import { dayName } from '../../insight/local-days.ts'
import { PERIODS } from '../../insight/periods.ts'
import { PRICES_DATED } from '../../insight/prices/prices.ts'
import { UserError } from '../../model/errors.ts'
import { grouped, plural } from '../../model/text.ts'
import { humanDuration } from '../../model/time.ts'
import { isOver, type Budget } from '../../operations/cost-budget.ts'
import { costStatusline } from '../../operations/cost-statusline.ts'
import { cost as operation, USUAL, type SummedCost } from '../../operations/cost.ts'
import { limitedBy } from '../../operations/report.ts'
import { FRESH_OPTION, type OptionValues } from '../command.ts'
import { flag, word } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'
import { bar, money } from '../plot.ts'
import { noteRest } from '../sessions.ts'
import { commandOfSeveral } from '../several.ts'
import { barColumn, checkKey, keyNames, priced } from '../stats/report.ts'
import { printTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'

/** The share of a budget from which on it warns. */
const WARN_FROM = 0.8

const sums = commandOf({
  operation,
  options: [FRESH_OPTION],
  examples: [],
  rows: 'rows',
  refine: withBudget,
  print({ terminal }, found, _values, { limit = USUAL }) {
    const rows = limitedBy(found.key, found.rows, limit)
    print(terminal, found, rows)
    noteRest(terminal, rows.length, found.rows.length, 'row')
    noteUnknown(terminal, found)
    if (found.budget !== null) printBudget(terminal, found.budget)
  },
})

const statusline = commandOf({
  operation: costStatusline,
  options: [{ flags: '--statusline', help: costStatusline.summary }, FRESH_OPTION],
  examples: [],
  refine: withBudget,
  print({ terminal, now }, { today, month, block, budget }) {
    const running =
      block === null
        ? 'no block running'
        : `${money(block.usd)} this block (${humanDuration((block.to - now()) / 1000)} left)`
    const used = budget === null ? '' : ` · ${Math.round(budget.share * 100)}% of ${money(budget.usd)}`
    const open = month.unpriced === 0 ? '' : ` · ${plural(month.unpriced, 'response')} without a price`
    terminal.line(`${priced(today)} today · ${running} · ${priced(month)} this month${used}${open}`)
  },
})

export const cost = commandOfSeveral({
  name: 'cost',
  summary: sums.summary,
  ...(sums.details === undefined ? {} : { details: sums.details }),
  args: [],
  examples: [
    'recall cost --since 30d',
    'recall cost --by month',
    'recall cost --by session --since 2026-02-01 --before 2026-03-01 --json',
    'recall cost --budget 50',
    'recall cost --statusline',
  ],
  parts: [{ command: sums }, { command: statusline }],
  choose(_words, values) {
    if (flag(values, 'statusline')) return [statusline]
    checkKey(values, PERIODS)
    return [sums]
  },
})

/** Dollars, with or without their sign. */
function withBudget<Input extends { readonly budget?: number | undefined }>(typed: Input, values: OptionValues): Input {
  const asked = word(values, 'budget')
  if (asked === undefined) return typed
  const budget = Number(asked.replace(/^\$/, ''))
  if (budget > 0 && Number.isFinite(budget)) return { ...typed, budget }
  throw new UserError('USAGE', `--budget cannot be ${JSON.stringify(asked)}`, 'it takes dollars, e.g. 50')
}

function print(terminal: Terminal, { by, key, total, sessions }: SummedCost, rows: readonly CostSum[]): void {
  if (total.responses === 0) return terminal.note('no responses found')
  const named = keyNames(terminal, key, rows)
  const session = (row: CostSum) => sessions?.get(row.key ?? '')
  const nameOf = (row: CostSum) => (terminal.isTTY && session(row)?.shortId.slice(0, 8)) || named(row.key)
  const titled = (row: CostSum) => (row === total ? '' : (session(row)?.title ?? ''))
  printTable(
    terminal,
    [...rows, total],
    [
      {
        title: by,
        value: (row) => (row === total ? 'all' : nameOf(row)),
        flexible: key === 'project',
        tail: true,
        least: 20,
      },
      ...(sessions === null ? [] : [{ title: 'title', value: titled, flexible: true, least: 24 }]),
      { title: 'cost', value: priced, right: true },
      { title: 'input', value: (row) => grouped(row.input), right: true, spare: true },
      { title: 'output', value: (row) => grouped(row.output), right: true, spare: true },
      { title: 'cache read', value: (row) => grouped(row.cacheRead), right: true, spare: true },
      { title: 'cache write', value: (row) => grouped(row.cacheWrite5m + row.cacheWrite1h), right: true, spare: true },
      { title: 'responses', value: (row) => grouped(row.responses), right: true, spare: true },
      ...barColumn(terminal, rows, (row) => row.usd).map((column) => ({
        ...column,
        value: (row: CostSum) => (row === total ? '' : column.value(row)),
      })),
    ],
  )
}

function noteUnknown(terminal: Terminal, { total, unpriced, silent }: SummedCost): void {
  terminal.note(terminal.dim(`prices of ${PRICES_DATED}`))
  if (total.recordedUsd > 0)
    terminal.note(terminal.dim(`${money(total.recordedUsd)} of it as the agent recorded it: no price in the list`))
  for (const { model, responses } of unpriced)
    terminal.note(
      terminal.yellow(
        `no price for ${model ?? 'an unnamed model'}: ${plural(responses, 'response')} not in these sums`,
      ),
    )
  if (silent > 0) terminal.note(terminal.dim(`not in these sums: ${plural(silent, 'session')} that told no tokens`))
}

function printBudget(terminal: Terminal, budget: Budget): void {
  const { usd, usedUsd: used, share, since } = budget
  const drawn = terminal.isTTY ? `${bar(used, usd, 24)} ` : ''
  const text = `${drawn}${money(used)} of ${money(usd)} used since ${dayName(since)} (${Math.round(share * 100)}%)`
  terminal.line(isOver(budget) ? terminal.red(text) : share >= WARN_FROM ? terminal.yellow(text) : text)
  if (isOver(budget)) terminal.note(terminal.red(`over budget by ${money(used - usd)}`))
  else if (share >= WARN_FROM) terminal.note(terminal.yellow(`${money(usd - used)} of the budget left`))
}
