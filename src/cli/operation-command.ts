import { UserError } from '../model/errors.ts'
import type { Document, Operation, Watching } from '../operations/operation.ts'
import { JSON_OPTION, type Argument, type Command, type Context, type OptionValues, type Option } from './command.ts'
import type { Change } from './consent.ts'
import { flag } from './option-values.ts'

type Field = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, Field>>

/** How the command line asks for an operation and shows what it answers. */
export interface OperationCommand<Input, Result, Doc extends Document> {
  readonly operation: Operation<Input, Result, Doc>
  readonly name?: string
  readonly summary?: string
  readonly details?: string
  /** Inputs that are given by their place; the others are options. */
  readonly args?: readonly Argument[]
  /** Inputs that the command line does not offer. */
  readonly without?: readonly (keyof Input & string)[]
  /** What only this face takes. */
  readonly options?: readonly Option[]
  readonly examples: readonly string[]
  readonly rows?: Command['rows']
  /** What a person means, where it is not word for word what was typed. */
  readonly refine?: (input: Input, values: OptionValues, context: Context) => Input
  /** Who looks on while it runs; `end` when it has ended. */
  readonly watch?: (context: Context, values: OptionValues) => { readonly watching: Watching; readonly end: () => void }
  /** Of an operation that takes `dry_run` and `yes`: what a dry run would write, to be shown and asked about. */
  readonly change?: (context: Context, planned: Result) => Change | null
  /** What a person is told beside the answer, also beside JSON. */
  readonly warn?: (context: Context, result: Result) => void
  print(context: Context, result: Result, values: OptionValues, input: Input): Promise<void> | void
  /** With --json, where what is printed is not the document as it is made. */
  readonly printJson?: (context: Context, result: Result) => void
  /** 0 without. */
  readonly exit?: (result: Result) => number
}

/** A command whose options, help and JSON are those of its operation. */
export function commandOf<Input, Result, Doc extends Document>(it: OperationCommand<Input, Result, Doc>): Command {
  const { operation, args = [] } = it
  const fields = fieldsOf(operation)
  const byPlace = new Set([...args.map(fieldOf), ...(it.without ?? [])])
  const optional = Object.entries(fields).filter(([name]) => !byPlace.has(name))
  const details = it.details ?? operation.details
  return {
    name: it.name ?? operation.name,
    summary: it.summary ?? operation.summary,
    ...(details === undefined ? {} : { details }),
    args,
    options: [...optional.map(([name, field]) => optionOf(name, field)), ...(it.options ?? []), JSON_OPTION],
    examples: it.examples,
    ...(it.rows === undefined ? {} : { rows: it.rows }),
    async run(context, words, values) {
      const typed = inputFrom(fields, args, words, values) as Input
      const input = it.refine === undefined ? typed : it.refine(typed, values, context)
      const looking = it.watch?.(context, values)
      const within = looking === undefined ? context : { ...context, ...looking }
      const isJson = flag(values, 'json')
      const run = (asked: Input) => (isJson ? operation.run(within, asked) : runShowing(it, within, asked))
      const result = await run(input).finally(() => looking?.end())
      it.warn?.(context, result)
      if (!isJson) await it.print(context, result, values, input)
      else if (it.printJson === undefined) context.terminal.json(operation.document(result, input))
      else it.printJson(context, result)
      return it.exit?.(result) ?? 0
    },
  }
}

/** For people: a change is shown, and asked about, before it is made. */
async function runShowing<Input, Result, Doc extends Document>(
  { operation, change }: OperationCommand<Input, Result, Doc>,
  context: Context,
  input: Input,
): Promise<Result> {
  const run = (asked: Input) => operation.run(context, asked)
  if (change === undefined) return run(input)
  const { withConsent } = await import('./consent.ts')
  return withConsent(context, { input, run, changeOf: (planned) => change(context, planned) })
}

/** A command that this option makes another one; both take the same words. */
export function switchedBy(option: Option, usual: Command, other: Command): Command {
  const name = option.flags.slice(2)
  return {
    ...usual,
    options: [option, ...usual.options],
    run: (context, words, values) => (flag(values, name) ? other : usual).run(context, words, values),
  }
}

export function fieldsOf<Input, Result, Doc extends Document>({ input }: Operation<Input, Result, Doc>): Fields {
  return (input['properties'] ?? {}) as Fields
}

/** An input as an option: `group_by` is `--group-by <what>`. */
export function optionOf(name: string, field: Field): Option {
  const long = `--${name.replaceAll('_', '-')}`
  const word = typeof field['x-word'] === 'string' ? field['x-word'] : 'value'
  const help = typeof field['description'] === 'string' ? field['description'] : ''
  return { flags: field['type'] === 'boolean' ? long : `${long} <${word}>`, help }
}

/** What stands on the command line, as the input of the operation. */
export function inputFrom(
  fields: Fields,
  args: readonly Argument[],
  words: readonly string[],
  values: OptionValues,
): OptionValues {
  const input: Record<string, unknown> = {}
  args.forEach((argument, i) => {
    const { many, required } = argument
    const typed = many ? words.slice(i).join(' ') : words[i]
    if (typed !== undefined && (typed !== '' || !many || required)) input[fieldOf(argument)] = typed
  })
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (value !== undefined && input[name] === undefined) input[name] = read(name, field, value)
  }
  return input
}

function fieldOf({ name, field = name }: Argument): string {
  return field
}

function read(name: string, field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const long = name.replaceAll('_', '-')
  const words: unknown = field['enum']
  if (Array.isArray(words)) {
    const chosen = words.find((word) => String(word).toLowerCase() === value.toLowerCase())
    if (chosen !== undefined) return chosen
    throw new UserError('USAGE', `--${long} cannot be ${JSON.stringify(value)}`, `it takes ${words.join(', ')}`)
  }
  if (field['type'] !== 'integer') return value
  if (/^\d+$/.test(value)) return Number(value)
  throw new UserError('USAGE', `--${long} takes a whole number, not ${JSON.stringify(value)}`, `e.g. --${long} 20`)
}
