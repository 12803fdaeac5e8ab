import type { Cost, CostSum } from '../../insight/cost.ts'
import { dayName, dayStart } from '../../insight/local-days.ts'
import { PRICES_DATED } from '../../insight/prices/prices.ts'
import { UserError } from '../../model/errors.ts'
import type { SessionRecord } from '../../model/session.ts'
import { grouped, plural } from '../../model/text.ts'
import { humanDuration, isoTime } from '../../model/time.ts'
import type { UsageFilter, UsageKey } from '../../store/store.ts'
import {
  BEFORE_OPTION,
  FRESH_OPTION,
  JSON_OPTION,
  PROJECT_OPTION,
  SINCE_OPTION,
  SOURCE_OPTION,
  type Command,
  type Context,
  type Given,
} from '../command.ts'
import { flag, word } from '../given.ts'
import { bar, money } from '../plot.ts'
import { costJson } from '../stats/cost-json.ts'
import { byPeriod, PERIODS } from '../stats/periods.ts'
import { barColumn, keyNames, keyOf, limitedBy, priced, reportFilter } from '../stats/report.ts'
import { noteRest } from '../sessions.ts'
import { printTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'

const USUAL = 30
/** The share of a budget from which on it warns. */
const WARN_FROM = 0.8

export const cost: Command = {
  name: 'cost',
  summary: 'what the tokens cost, by the prices of the day in the list',
  details:
    'Every response is billed once, with its cache reads and writes, and by the length of its prompt where the price ' +
    'depends on it. The price list comes with the program; `[prices."<model>"]` in the config overrides it. For a model ' +
    'without a price the cost that the agent itself recorded counts; where there is none either, the model is named.',
  args: [],
  options: [
    { flags: '--by <key>', help: 'sum by day, week, month, project, model, session or source (day)' },
    { flags: '--statusline', help: 'one line: today, the five hours that are running, this month' },
    { flags: '--budget <usd>', help: 'how much of it is used, this month or since --since' },
    SINCE_OPTION,
    BEFORE_OPTION,
    PROJECT_OPTION,
    SOURCE_OPTION,
    { flags: '--limit <n>', help: `how many rows (${USUAL}; 0 = all)` },
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: [
    'recall cost --since 30d',
    'recall cost --by month',
    'recall cost --by session --since 2026-02-01 --before 2026-03-01 --json',
    'recall cost --budget 50',
    'recall cost --statusline',
  ],
  rows: (_args, given) => (flag(given, 'statusline') ? null : 'rows'),
  async run(context, _args, given) {
    const { recall, terminal } = context
    const filter = reportFilter(context, given)
    if (flag(given, 'statusline')) return statusline(context, given, filter)
    const period = PERIODS.find((name) => name === given['by'])
    const by = period === undefined ? (keyOf(given, PERIODS) ?? 'day') : 'day'
    const found = await recall.insight.cost(by, filter)
    const sums = period === undefined ? found.rows : byPeriod(found.rows, period)
    const ordered = sums.toSorted((a, b) => order(by, a, b))
    const sessions = by === 'session' ? await sessionsByUid(context) : null
    const silent = [...(await recall.insight.silent('all', filter)).values()].reduce((sum, n) => sum + n, 0)
    const budget = await budgetState(context, given, filter)
    if (flag(given, 'json')) {
      const rows = limitedBy(by, given, ordered, 0).map((row) => ({
        ...costJson(row),
        ...(sessions === null ? {} : { title: sessions.get(row.key ?? '')?.title ?? null }),
      }))
      return terminal.json({
        by: period ?? by,
        rows,
        ...totalJson(found),
        unknown: silent,
        ...(budget === null ? {} : { budget }),
      })
    }
    const rows = limitedBy(by, given, ordered, USUAL)
    print(context, { by, title: period ?? by, rows, total: found.total, sessions })
    noteRest(context.terminal, rows.length, sums.length, 'row')
    noteUnknown(terminal, found, silent)
    if (budget !== null) printBudget(terminal, budget)
  },
}

type Sessions = ReadonlyMap<string, SessionRecord>

async function sessionsByUid({ recall }: Context): Promise<Sessions> {
  const { sessions } = await recall.list({ limit: 0, hidden: true, empty: true })
  return new Map(sessions.map((session) => [session.uid, session]))
}

interface Printed {
  readonly by: UsageKey
  readonly title: string
  readonly rows: readonly CostSum[]
  readonly total: CostSum
  /** Where sums are those of sessions. */
  readonly sessions: Sessions | null
}

function order(by: UsageKey, a: CostSum, b: CostSum): number {
  if (by !== 'day' && a.usd !== b.usd) return b.usd - a.usd
  return (a.key ?? '') < (b.key ?? '') ? -1 : 1
}

function totalJson({ total, unpriced }: Cost) {
  const { key: _, usd, recorded_usd: recordedUsd, unpriced: __, ...tokens } = costJson(total)
  return { total_usd: usd, recorded_usd: recordedUsd, totals: tokens, unpriced, prices_dated: PRICES_DATED }
}

function print({ terminal }: Context, { by, title, rows, total, sessions }: Printed): void {
  if (total.responses === 0) return terminal.note('no responses found')
  const named = keyNames(terminal, by, rows)
  const session = ({ key }: CostSum) => sessions?.get(key ?? '')
  const nameOf = (row: CostSum) => (terminal.isTTY && session(row)?.shortId.slice(0, 8)) || named(row.key)
  const titled = (row: CostSum) => (row === total ? '' : (session(row)?.title ?? ''))
  printTable(
    terminal,
    [...rows, total],
    [
      {
        title,
        value: (row) => (row === total ? 'all' : nameOf(row)),
        flexible: by === 'project',
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

function noteUnknown(terminal: Terminal, { total, unpriced }: Cost, silent: number): void {
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

interface Budget {
  readonly usd: number
  readonly used_usd: number
  readonly share: number
  readonly over: boolean
  readonly since: string | null
}

async function budgetState(context: Context, given: Given, filter: UsageFilter): Promise<Budget | null> {
  const text = word(given, 'budget')
  if (text === undefined) return null
  const usd = Number(text.replace(/^\$/, ''))
  if (!(usd > 0 && Number.isFinite(usd)))
    throw new UserError('USAGE', `--budget cannot be ${JSON.stringify(text)}`, 'it takes dollars, e.g. 50')
  const since = filter.since ?? monthStart(context.now())
  const { total } = await context.recall.insight.cost('all', { ...filter, since })
  return { usd, used_usd: total.usd, share: total.usd / usd, over: total.usd > usd, since: isoTime(since) }
}

function printBudget(terminal: Terminal, { usd, used_usd: used, share, over, since }: Budget): void {
  const drawn = terminal.isTTY ? `${bar(used, usd, 24)} ` : ''
  const text = `${drawn}${money(used)} of ${money(usd)} used since ${since === null ? 'ever' : dayName(Date.parse(since))} (${Math.round(share * 100)}%)`
  terminal.line(over ? terminal.red(text) : share >= WARN_FROM ? terminal.yellow(text) : text)
  if (over) terminal.note(terminal.red(`over budget by ${money(used - usd)}`))
  else if (share >= WARN_FROM) terminal.note(terminal.yellow(`${money(usd - used)} of the budget left`))
}

async function statusline(context: Context, given: Given, filter: UsageFilter): Promise<void> {
  const { recall, terminal, now } = context
  const since = async (time: number) => (await recall.insight.cost('all', { ...filter, since: time })).total
  const today = await since(dayStart(now()))
  const month = await since(monthStart(now()))
  const block = await recall.insight.block(filter)
  const budget = await budgetState(context, given, filter)
  if (flag(given, 'json')) {
    const five = block === null ? null : { usd: block.usd, from: isoTime(block.from), to: isoTime(block.to) }
    return terminal.json({
      today_usd: today.usd,
      today_unpriced: today.unpriced,
      month_usd: month.usd,
      month_unpriced: month.unpriced,
      block: five,
      prices_dated: PRICES_DATED,
      budget,
    })
  }
  const running =
    block === null
      ? 'no block running'
      : `${money(block.usd)} this block (${humanDuration((block.to - now()) / 1000)} left)`
  const used = budget === null ? '' : ` · ${Math.round(budget.share * 100)}% of ${money(budget.usd)}`
  const open = month.unpriced === 0 ? '' : ` · ${plural(month.unpriced, 'response')} without a price`
  terminal.line(`${priced(today)} today · ${running} · ${priced(month)} this month${used}${open}`)
}

function monthStart(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), 1).getTime()
}
