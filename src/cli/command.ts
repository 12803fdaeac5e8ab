import type { Recall } from '../recall.ts'
import type { OperationContext } from '../operations/operation.ts'
import type { Terminal } from './terminal.ts'

export interface Argument {
  readonly name: string
  readonly help: string
  readonly required: boolean
  /** Takes all the words that are left. */
  readonly many?: boolean
  /** The input of the operation that it is, if that is called otherwise. */
  readonly field?: string
}

export interface Option {
  /** As typed, e.g. `--limit <n>` or `-v, --verbose`. */
  readonly flags: string
  readonly help: string
}

/** Values of a command's options by their long name in camel case. */
export type OptionValues = Readonly<Record<string, unknown>>

/** Everything a command may use. */
export interface Context extends OperationContext {
  readonly terminal: Terminal
  /** Of this program. */
  readonly version: string
  /** Makes another product on other settings, for the demo. */
  readonly recallFor: (home: string, storePath: string) => Recall
  /** The list this command stands in, for completion. */
  readonly commands: () => Promise<readonly Command[]>
}

export interface Command {
  readonly name: string
  readonly summary: string
  readonly details?: string
  readonly args: readonly Argument[]
  readonly options: readonly Option[]
  readonly examples: readonly string[]
  /** The list in its JSON document whose fields `--fields` chooses. Null where it changes something, or has no list. */
  readonly rows?: string | ((args: readonly string[], values: OptionValues) => string | null)
  /** Returns the exit code; nothing means 0. */
  run(context: Context, args: readonly string[], values: OptionValues): Promise<number | void>
}

export const JSON_OPTION: Option = { flags: '--json', help: 'print one JSON document' }
export const FRESH_OPTION: Option = { flags: '--fresh', help: 'index first' }
export const STORE_OPTION: Option = { flags: '--store <file>', help: 'use this store' }
export const GROUP_OPTION: Option = { flags: '--group <name>', help: 'use the memory of this group' }

export const FIELDS_OPTION: Option = { flags: '--fields <names>', help: 'with --json: only these fields of each row' }

/** Commands whose answers may be long: on a terminal they are read in a pager. */
export const PAGED: ReadonlySet<string> = new Set(
  'search list show similar how fix files digest diff retro signals patterns stats time cost status budget rescue secrets handoff archive'.split(
    ' ',
  ),
)

const NO_PAGER_OPTION: Option = { flags: '--no-pager', help: 'print a long answer at once' }

/** Everything a command takes: its own options and those that all have. */
export function optionsOf({ name, options, rows }: Command): readonly Option[] {
  return [
    ...options,
    ...(rows === undefined ? [] : [FIELDS_OPTION]),
    ...(PAGED.has(name) ? [NO_PAGER_OPTION] : []),
    STORE_OPTION,
    ...(options.some(({ flags }) => flags === GROUP_OPTION.flags) || UNGROUPED.has(name) ? [] : [GROUP_OPTION]),
  ]
}

/** Commands about what is outside of any group. */
const UNGROUPED: ReadonlySet<string> = new Set(
  'group hook schedule exec demo welcome completion permissions'.split(' '),
)
