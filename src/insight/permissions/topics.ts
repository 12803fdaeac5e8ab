import { commandsIn, parseShell, simpleCommand, subcommandIndex } from '../../distill/shell.ts'
import type { Topic } from '../../store/permissions.ts'
import { judge } from './rules.ts'

/** What a rule cannot see through, as it is looked for in a command line whose quoted words are taken out. */
const OBSTACLES: readonly (readonly [name: string, sign: RegExp])[] = [
  ['background', /(?<![&>])&(?![&>\d])/],
  ['cd', /(?:^|[;&|(]\s*)(?:cd|pushd)\s/],
  ['here-document', /<</],
  ['list', /&&|\|\||;|\n\s*\S/],
  ['loop', /(?:^|[;&|]\s*|\n\s*)(?:for|while|until|if|case)\s/],
  ['pipe', /(?<!\|)\|(?!\|)/],
  ['redirection', />(?!\s*(?:&|\/dev\/null))/],
  ['subshell', /(?:^|[;&|]\s*)[({]/],
  ['substitution', /\$\(|`|[<>]\(/],
  ['variables', /(?:^|[;&|]\s*)\w+=\S*\s+\S/],
]
const QUOTED = /'[^']*'|"(?:\\.|[^"\\$`])*"/g
const MAX_NAMES = 3
const MAX_LENGTH = 120

/** What in the way a command line is written keeps a rule from fitting it. */
export function obstaclesOf(command: string): string[] {
  const bare = command.trim().replace(QUOTED, 'q')
  return OBSTACLES.filter(([, sign]) => sign.test(bare)).map(([name]) => name)
}

/** What a question about a call was about. */
export function topicOf(tool: string, command: string | null, input: string | null): Topic {
  if (command !== null) return { tool: 'Bash', subject: subjectOf(command), obstacles: obstaclesOf(command).join(' ') }
  return { tool, subject: toolSubject(tool, input), obstacles: '' }
}

/** `git status`, or of several commands `cd … && npm test`: no arguments, so that like questions are one. */
function subjectOf(command: string): string {
  const simple = simpleCommand(command)
  if (simple !== null) return nameOf(simple.words)
  if (!parseShell(command).parsed) return '(not parsed)'
  const names = [...new Set(commandsIn(command).map(nameOf))]
  const rest = names.length - MAX_NAMES
  return (
    [...names.slice(0, MAX_NAMES), ...(rest > 0 ? [`${rest} more`] : [])].join(' … ').slice(0, MAX_LENGTH) || '(other)'
  )
}

function nameOf(words: readonly string[]): string {
  const { row, name } = judge({ words, plain: true, redirected: false, assigns: false })
  if (row !== null && name.includes(' ')) return name
  const sub = words[subcommandIndex(words)]
  return sub !== undefined && /^[a-z][\w:-]*$/.test(sub) && parseShell(words.join(' ')).sub !== null
    ? `${name} ${sub}`
    : name
}

function toolSubject(tool: string, input: string | null): string {
  const url = /"url"\s*:\s*"([^"]+)"/.exec(input ?? '')?.[1]
  return url === undefined ? tool : (hostOf(url) ?? tool)
}

/** Of an address of the web. */
function hostOf(url: string): string | null {
  try {
    const { hostname, protocol } = new URL(url)
    return /^https?:$/.test(protocol) && hostname !== '' ? hostname.toLowerCase() : null
  } catch {
    return null
  }
}
