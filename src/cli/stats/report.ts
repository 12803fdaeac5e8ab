import { UserError } from '../../model/errors.ts'
import { USAGE_KEYS, type UsageFilter, type UsageKey } from '../../store/store.ts'
import type { Context, Given, Option } from '../command.ts'
import { count, sessionFilter, timeOf, word } from '../given.ts'
import { bar, money } from '../plot.ts'
import { shortNames } from '../../model/short-names.ts'
import type { Column } from '../table.ts'
import type { Terminal } from '../terminal.ts'

/** One subject of `recall stats`. */
export interface Report {
  readonly name: string
  readonly summary: string
  /** Options that only this report takes. */
  readonly options?: readonly Option[]
  readonly examples?: readonly string[]
  run(context: Context, given: Given): Promise<number | void>
}

/** What an option is called among those given. */
export function optionName({ flags }: Option): string {
  const long = flags.split(' ')[0] ?? ''
  return long.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `--since`, `--before`, `--project` and `--source` as sums read them. */
export function reportFilter(context: Context, given: Given): UsageFilter {
  const { since, ...sessions } = sessionFilter(context, { ...given, limit: undefined }, 0)
  const before = word(given, 'before')
  return {
    sessions,
    ...(since === undefined ? {} : { since }),
    ...(before === undefined ? {} : { before: timeOf(before, context.now()) }),
  }
}

/** What `--by` names; undefined without it. `more` is what else it may be here. */
export function keyOf(given: Given, more: readonly string[] = []): UsageKey | undefined {
  const name = word(given, 'by')
  if (name === undefined) return undefined
  const key = USAGE_KEYS.find((candidate) => candidate === name)
  if (key) return key
  throw new UserError(
    'USAGE',
    `cannot sum by ${JSON.stringify(name)}`,
    `--by takes ${[...USAGE_KEYS, ...more].join(', ')}`,
  )
}

/** The first rows: as many as `--limit` says, all for 0. */
export function limited<T>(given: Given, rows: readonly T[], usual: number): readonly T[] {
  const limit = count(given, 'limit') ?? usual
  return limit === 0 ? rows : rows.slice(0, limit)
}

/** The same; of days, which come in order, the last. */
export function limitedBy<T>(by: UsageKey, given: Given, rows: readonly T[], usual: number): readonly T[] {
  return by === 'day' ? limited(given, rows.toReversed(), usual).toReversed() : limited(given, rows, usual)
}

interface Keyed {
  readonly key: string | null
}

/** The column of what is summed by; none without `--by`. */
export function keyColumn<T extends Keyed>(
  terminal: Terminal,
  by: UsageKey | undefined,
  rows: readonly T[],
): Column<T>[] {
  if (by === undefined) return []
  const nameOf = keyNames(terminal, by, rows)
  return [{ title: by, value: ({ key }) => nameOf(key), flexible: by === 'project', tail: true, least: 20 }]
}

/** How the keys of these rows are shown. On a terminal a project is told by as much of its path as it takes to know it. */
export function keyNames(terminal: Terminal, by: UsageKey, rows: readonly Keyed[]): (key: string | null) => string {
  const short = by === 'project' && terminal.isTTY ? shortNames(rows.flatMap(({ key }) => key ?? [])) : null
  return (key) => (key === null ? 'unknown' : (short?.get(key) ?? key))
}

interface Priced {
  readonly usd: number
  readonly responses: number
  readonly unpriced: number
}

/** Money; what nobody knows the price of is not free. */
export function priced({ usd, responses, unpriced }: Priced): string {
  return responses > 0 && unpriced === responses ? 'no price' : money(usd)
}

/** The key in JSON, where one was asked for. */
export function keyJson(by: UsageKey | undefined, { key }: Keyed): { readonly key?: string | null } {
  return by === undefined ? {} : { key }
}

const BAR_WIDTH = 16

/** Bars beside numbers, on a terminal only. */
export function barColumn<T>(terminal: Terminal, rows: readonly T[], value: (row: T) => number): Column<T>[] {
  if (!terminal.isTTY) return []
  const most = Math.max(0, ...rows.map(value))
  return [{ title: '', value: (row) => terminal.cyan(bar(value(row), most, BAR_WIDTH)), spare: true }]
}
