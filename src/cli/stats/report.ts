import type { PeriodKey } from '../../insight/periods.ts'
import { UserError } from '../../model/errors.ts'
import { shortNames } from '../../model/short-names.ts'
import type { Document } from '../../operations/operation.ts'
import { USAGE_KEYS, type UsageKey } from '../../store/store.ts'
import { FRESH_OPTION, type Command, type OptionValues } from '../command.ts'
import { word } from '../option-values.ts'
import { commandOf, type OperationCommand } from '../operation-command.ts'
import { bar, money } from '../plot.ts'
import type { Column } from '../table.ts'
import type { Terminal } from '../terminal.ts'

type Summing = { readonly by?: UsageKey | PeriodKey | undefined; readonly before?: string | undefined }

/** One subject of `recall stats` that is summed by what `--by` names; `more` is what else that may be here. */
export function reportOf<Input extends Summing, Result, Doc extends Document>(
  it: OperationCommand<Input, Result, Doc> & { readonly more?: readonly string[] },
): Command {
  const command = commandOf({ rows: 'rows', ...it, without: ['before'], options: [FRESH_OPTION] })
  return {
    ...command,
    async run(context, words, values) {
      checkKey(values, it.more)
      return command.run(context, words, values)
    },
  }
}

/** Refuses a `--by` that names nothing; `more` is what else it may be here. */
export function checkKey(values: OptionValues, more: readonly string[] = []): void {
  const name = word(values, 'by')
  const keys = [...USAGE_KEYS, ...more]
  if (name === undefined || keys.includes(name)) return
  throw new UserError('USAGE', `cannot sum by ${JSON.stringify(name)}`, `--by takes ${keys.join(', ')}`)
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

const BAR_WIDTH = 16

/** Bars beside numbers, on a terminal only. */
export function barColumn<T>(terminal: Terminal, rows: readonly T[], value: (row: T) => number): Column<T>[] {
  if (!terminal.isTTY) return []
  const most = Math.max(0, ...rows.map(value))
  return [{ title: '', value: (row) => terminal.cyan(bar(value(row), most, BAR_WIDTH)), spare: true }]
}
