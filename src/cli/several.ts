import { JSON_OPTION, type Argument, type Command, type OptionValues, type Option } from './command.ts'

/** One of the commands behind a name. */
export interface Part {
  readonly command: Command
  /** Stands before the help of options that the parts before it do not take. */
  readonly label?: string
}

export interface Several {
  readonly name: string
  readonly summary: string
  readonly details?: string
  readonly args: readonly Argument[]
  /** What no operation takes: such options choose among the parts. */
  readonly options?: readonly Option[]
  readonly examples: readonly string[]
  readonly parts: readonly Part[]
  /** The one that is meant, and the words that are for it; a USAGE error where none is. */
  choose(args: readonly string[], values: OptionValues): readonly [Command, ...words: string[]]
}

/** A command that is several: words or options say which. */
export function commandOfSeveral(it: Several): Command {
  const { name, summary, details, args, examples, parts } = it
  return {
    name,
    summary,
    ...(details === undefined ? {} : { details }),
    args,
    options: [...(it.options ?? []), ...optionsOfAll(parts)],
    examples,
    ...(parts.every(({ command }) => command.rows === undefined)
      ? {}
      : {
          rows(typed, values) {
            const [{ rows }, ...words] = it.choose(typed, values)
            return typeof rows === 'function' ? rows(words, values) : (rows ?? null)
          },
        }),
    async run(context, typed, values) {
      const [command, ...words] = it.choose(typed, values)
      return command.run(context, words, values)
    },
  }
}

/** Each once. */
function optionsOfAll(parts: readonly Part[]): readonly Option[] {
  const all = new Map<string, Option>()
  for (const { command, label } of parts)
    for (const option of command.options)
      if (!all.has(option.flags))
        all.set(option.flags, label === undefined ? option : { ...option, help: `${label}: ${option.help}` })
  all.delete(JSON_OPTION.flags)
  return [...all.values(), JSON_OPTION]
}

/** What a command takes and another does not. */
export function ownOptions({ options }: Command, other: Command): readonly Option[] {
  return options.filter(({ flags }) => !other.options.some((option) => option.flags === flags))
}

/** What an option is called among those given. */
export function optionName({ flags }: Option): string {
  const long = flags.split(' ')[0] ?? ''
  return long.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
