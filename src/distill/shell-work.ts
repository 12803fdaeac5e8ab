import type { DigestEvent } from '../model/digest.ts'
import { classifyCall } from './calls.ts'
import { checkIn } from './checks.ts'
import { nameAndArguments } from './command-relevance.ts'
import { commandsIn } from './shell.ts'
import { deniedCalls } from './timeline.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** One pass that rules out nearly all commands. */
const MAY_CHANGE =
  /<<|\b(?:sed|perl|ruby|yq)\s[^\n]{0,80}?-\w*i|\s--(?:write|fix)|patch|apply|\s(?:add|install|i|remove|uninstall|update|upgrade|require|get)(?:\s|$)/
const EDITORS = words('sed gsed perl ruby yq')
const IN_PLACE = /^(?:-[a-z]*i(?:\W.*)?|--in-?place.*)$/
const FIXES = /^--(?:write|fix)$/
/** Programs that are told to change what a project depends on. */
const MANAGERS = words(
  'npm pnpm yarn bun cargo go dotnet poetry uv composer bundle gem mix pdm deno flutter dart swift',
)
const MANAGES = words('add install i remove uninstall update upgrade require get')
/** What changes even without a name what a project depends on. */
const RAISES = words('update upgrade')
const TO_FILE = String.raw`\s{0,4}["']?(?!\/(?:dev|tmp)\/)([\w./~-]+)`
/** A here-document that goes to a file, or to a script that writes one. */
const WRITTEN = new RegExp(
  [
    String.raw`\bcat\s{0,4}>{1,2}${TO_FILE}["']?\s{0,4}<<`,
    String.raw`\btee(?:\s{1,4}-a)?${TO_FILE}["']?[^\n<]{0,40}<<`,
    String.raw`<<-?\s{0,4}\S{1,40}\s{0,4}>{1,2}${TO_FILE}`,
    String.raw`\.write_text\(|writeFileSync\(|\bopen\([^)\n]{1,200}["'][wa]\+?["']`,
  ].join('|'),
)

/** The file that a command changes, empty if only that it changes some is known; null if it changes none. */
export function changedBy(command: string): string | null {
  if (!MAY_CHANGE.test(command)) return null
  const written = command.includes('<<') ? WRITTEN.exec(command) : null
  if (written !== null) return written.slice(1).find((file) => file !== undefined) ?? ''
  return commandsIn(command).some(changes) ? '' : null
}

function changes(command: readonly string[]): boolean {
  const [name, ...args] = nameAndArguments(command)
  if (name === 'patch' || (name === 'git' && (args[0] === 'apply' || args[0] === 'am'))) return true
  if (MANAGERS.has(name)) {
    const [verb = '', ...rest] = args
    return MANAGES.has(verb) && (RAISES.has(verb) || rest.some((word) => !word.startsWith('-')))
  }
  return command.some((word) => (EDITORS.has(name) ? IN_PLACE : FIXES).test(word))
}

/**
 * The same events, with what the log does not tell as such: an edit before each command that changes files and was
 * allowed to, and an error where the output tells of a failure and the status of the command does not.
 */
export function withShellWork(events: readonly DigestEvent[]): readonly DigestEvent[] {
  const denied = deniedCalls(events)
  const commands = new Map<string, string>()
  return events.flatMap((event) => {
    const { role, base, text, call } = event
    if (role === 'tool' && event.tests === 'failed' && !isChecked(commands.get(call ?? '') ?? null)) {
      return [{ ...event, kind: 'error', tests: null }]
    }
    if (role !== 'assistant' || base === null || text === null) return [event]
    if (call !== null) commands.set(call, text)
    const file = event.files.length > 0 || denied.has(call) ? null : changedBy(text)
    if (file === null) return [event]
    const files = file === '' ? [] : [{ path: file, edit: true }]
    return [{ ...event, kind: 'edit', text: null, call: null, files }, event]
  })
}

/** A verdict is that of tests or of a check, or nobody knows of what. */
function isChecked(command: string | null): boolean {
  return command === null || checkIn(command) !== null || classifyCall('bash', {}, command) === 'test_run'
}
