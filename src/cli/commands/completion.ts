import { UserError } from '../../model/errors.ts'
import { optionsOf, type Command } from '../command.ts'

export const completion: Command = {
  name: 'completion',
  summary: 'print the completion script for a shell',
  args: [{ name: 'shell', help: 'bash, zsh or fish', required: true }],
  options: [],
  examples: ['recall completion bash >> ~/.bashrc', 'recall completion fish > ~/.config/fish/completions/recall.fish'],
  async run({ commands, terminal }, args) {
    const shell = args[0] ?? ''
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (!write) throw new UserError('USAGE', `unknown shell ${JSON.stringify(shell)}`, 'shells are: bash, zsh, fish')
    terminal.line(write(await commands()))
  },
}

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

/** The long flags of a command, e.g. `--limit`. */
export function longFlags(command: Command): string[] {
  return optionsOf(command).flatMap((option) => /--[a-z-]+/.exec(option.flags)?.[0] ?? [])
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${longFlags(command).join(' ')}" ;;`)
  return `_recall() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${commands.map((command) => command.name).join(' ')} help"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _recall recall`
}

function zsh(commands: readonly Command[]): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:')
  const names = commands.map((command) => `    '${command.name}:${quote(command.summary)}'`)
  const cases = commands.map((command) => `    ${command.name}) compadd -- ${longFlags(command).join(' ')} ;;`)
  return `#compdef recall
_recall() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
compdef _recall recall`
}

function fish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = ['complete -c recall -f']
  for (const command of commands) {
    lines.push(`complete -c recall -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`)
    for (const option of command.options) {
      const long = /--([a-z-]+)/.exec(option.flags)?.[1]
      if (long)
        lines.push(
          `complete -c recall -n '__fish_seen_subcommand_from ${command.name}' -l ${long} -d ${quote(option.help)}`,
        )
    }
  }
  return lines.join('\n')
}
