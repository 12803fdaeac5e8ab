import { UserError } from '../../model/errors.ts'
import { baseName } from '../../model/session.ts'
import { USAGE_KEYS, type UsageFilter, type UsageKey } from '../../store/store.ts'
import type { Context, Given, Option } from '../command.ts'
import { count, sessionFilter, word } from '../given.ts'
import { bar } from '../plot.ts'
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

/** `--since`, `--project` and `--source` as sums read them. */
export function reportFilter(context: Context, given: Given): UsageFilter {
  const { since, ...sessions } = sessionFilter(context, { ...given, limit: undefined }, 0)
  return { sessions, ...(since === undefined ? {} : { since }) }
}

/** What `--by` names; undefined without it. */
export function keyOf(given: Given): UsageKey | undefined {
  const name = word(given, 'by')
  if (name === undefined) return undefined
  const key = USAGE_KEYS.find((candidate) => candidate === name)
  if (key) return key
  throw new UserError('USAGE', `cannot sum by ${JSON.stringify(name)}`, `--by takes ${USAGE_KEYS.join(', ')}`)
}

/** The first rows: as many as `--limit` says, all for 0. */
export function limited<T>(given: Given, rows: readonly T[], usual: number): readonly T[] {
  const limit = count(given, 'limit') ?? usual
  return limit === 0 ? rows : rows.slice(0, limit)
}

interface Keyed {
  readonly key: string | null
}

/** The column of what is summed by; none without `--by`. */
export function keyColumn<T extends Keyed>(terminal: Terminal, by: UsageKey | undefined): Column<T>[] {
  if (by === undefined) return []
  return [{ title: by, value: ({ key }) => keyName(terminal, by, key), flexible: true }]
}

export function keyName(terminal: Terminal, by: UsageKey, key: string | null): string {
  if (key === null) return 'unknown'
  return by === 'project' && terminal.isTTY ? baseName(key) : key
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
  return [{ title: '', value: (row) => terminal.cyan(bar(value(row), most, BAR_WIDTH)) }]
}
