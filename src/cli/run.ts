import { Command as Program, CommanderError } from 'commander'
import { AmbiguousError, diskError, UserError } from '../model/errors.ts'
import { onReadyStore } from '../operations/ready-store.ts'
import { groupOf, inGroups } from './command-groups.ts'
import { optionsOf, PAGED, type Command, type Context, type OptionValues } from './command.ts'
import { COMMANDS, loadCommands } from './commands.ts'
import { fieldNames, type Chosen } from './fields.ts'
import { flag, word } from './option-values.ts'
import { isPager } from './pager.ts'
import type { Terminal } from './terminal.ts'
import { wrap } from './wrap.ts'

export interface CommandLine {
  readonly argv: readonly string[]
  readonly version: string
  readonly terminal: Terminal
  /** Makes what a command may use, for the store or the group named on the command line. */
  readonly context: (storeFlag: string | undefined, group: string | undefined) => Promise<Context>
}

/** Runs one command and returns the exit code. Every failure that a person can mend ends here, in their words. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  let exitCode = 0
  const json = wantsJson(line.argv)
  try {
    const program = buildProgram(line, await commandsFor(line.argv), (code) => (exitCode = code))
    await program.parseAsync([...line.argv], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return usageExit(error, line, json)
    const shown = error instanceof UserError ? error : diskError(error)
    if (shown === null) throw error
    report(line.terminal, shown, json)
    return shown.exitCode
  }
}

export function wantsJson(argv: readonly string[]): boolean {
  return ownArguments(argv).includes('--json')
}

/** What stands before `--`: the rest belongs to another program. */
function ownArguments(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}

/** The command that is asked for, or all of them where that is not plain: for help and for mistakes. */
async function commandsFor(argv: readonly string[]): Promise<readonly Command[]> {
  const [name = ''] = argv
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return load ? [await load()] : loadCommands()
}

function buildProgram(line: CommandLine, commands: readonly Command[], exit: (code: number) => void): Program {
  const program = new Program('recall')
  const { terminal } = line
  program
    .description('the memory of coding agents: search, read and count your past sessions')
    .version(line.version, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.line(text.trimEnd()),
      writeErr: (text) => {
        if (!wantsJson(line.argv)) terminal.note(text.trimEnd())
      },
      getOutHelpWidth: () => Math.min(100, terminal.width),
    })
    .showSuggestionAfterError()
    .helpCommand('help [command]', 'what a command does and takes')
    .addHelpText(
      'after',
      '\nStart with `recall index`, then `recall search "what you remember"`.\n`recall help <command>` tells what one takes, `recall --version` what this is.',
    )
  for (const command of inGroups(commands)) addCommand(program, command, line, exit)
  // Set last: the help of a command tells its options, and they would be inherited.
  program.configureHelp({
    subcommandTerm: (command) => command.name(),
    visibleCommands: ({ commands: all }) => [...all],
    visibleOptions: () => [],
  })
  return program
}

function addCommand(program: Program, command: Command, line: CommandLine, exit: (code: number) => void): void {
  const sub = program
    .command(command.name)
    .summary(command.summary)
    .helpGroup(`${groupOf(command.name)}:`)
  sub.description(command.details ? `${command.summary}\n\n${command.details}` : command.summary)
  for (const arg of command.args) {
    const name = arg.many ? `${arg.name}...` : arg.name
    sub.argument(arg.required ? `<${name}>` : `[${name}]`, arg.help)
  }
  for (const option of optionsOf(command)) sub.option(option.flags, option.help)
  sub.configureOutput({ outputError: (text, write) => write(`${text}${examplesOf(command)}`) })
  sub.addHelpText('after', `\nExamples:\n${command.examples.map((example) => `  ${example}`).join('\n')}`)
  sub.action(async () => {
    const values: OptionValues = sub.opts()
    line.terminal.choose(chosenFields(command, sub.args, values))
    const context = await line.context(word(values, 'store'), word(values, 'group'))
    try {
      if (flag(values, 'fresh')) await (await import('./indexing.ts')).indexFirst(context)
      const isPaged = PAGED.has(command.name) && values['pager'] !== false && isPager(context.settings.pager)
      if (isPaged) context.terminal.hold()
      exit((await onReadyStore(context, () => command.run(context, sub.args, values))) ?? 0)
      if (isPaged)
        await context.terminal.release(async (text) => {
          const { page } = await import('./open-pager.ts')
          return page(text, context.settings.pager, context.env)
        })
    } finally {
      await context.terminal.release(null)
      await context.recall.close()
    }
  })
}

/** What a mistake is answered with: two ways to do it right. */
function examplesOf({ examples }: Command): string {
  return examples
    .slice(0, 2)
    .map((example) => `  e.g. ${example}\n`)
    .join('')
}

/** What `--fields` asks for, refused before anything is done where there is nothing to choose from. */
function chosenFields({ rows }: Command, args: readonly string[], values: OptionValues): Chosen | null {
  const fields = fieldNames(values['fields'])
  if (fields === null) return null
  if (!flag(values, 'json')) throw new UserError('USAGE', '--fields is for --json', 'add --json, or leave out --fields')
  const list = typeof rows === 'function' ? rows(args, values) : rows
  if (list) return { list, fields }
  throw new UserError('USAGE', 'there are no rows here for --fields', 'leave out --fields')
}

function usageExit(error: CommanderError, { terminal, argv }: CommandLine, json: boolean): number {
  if (error.exitCode === 0) return 0
  if (error.code === 'commander.help') return 2
  const message = error.message.replace(/^error: /, '')
  const [name = ''] = argv
  const hint = Object.hasOwn(COMMANDS, name) ? `see \`recall help ${name}\`` : 'see `recall help`'
  if (json) terminal.json({ error: { code: 'USAGE', message, hint } })
  else terminal.note(`  ${hint}`)
  return 2
}

function report(terminal: Terminal, error: UserError, json: boolean): void {
  const { code, message, hint } = error
  const more = error instanceof AmbiguousError ? { candidates: error.candidates } : {}
  if (json) terminal.json({ error: { code, message, hint, ...more } })
  else
    terminal.note(
      [`${terminal.red('recall:')} ${message}`, ...wrap(terminal.cell(hint), terminal.width - 2)].join('\n  '),
    )
}
