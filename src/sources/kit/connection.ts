import { isDeepStrictEqual } from 'node:util'
import { UserError } from '../../model/errors.ts'
import type { Env } from '../source.ts'
import type { Slot } from './hooks.ts'
import { asArray, asObject, isObject, type Json } from './json.ts'
import { readSettings, writeSettings } from './settings-json.ts'
import { lineEnd, parseToml, tomlWords, tryToml } from './toml.ts'

/** For all projects of a person, or for one and whoever else works on it. */
export type ConnectionScope = 'user' | 'project'

/** How an agent starts our server. */
export interface ServerCommand {
  readonly command: readonly string[]
  /** Variables that it needs and may not be handed on. */
  readonly env: Readonly<Record<string, string>>
}

export interface ConnectionPlace {
  /** What must be there already. */
  readonly home: string
  readonly file: string
}

/** Where an agent is told of servers and skills. Reads `env`, never the disk. */
export interface ConnectionTarget {
  readonly agent: string
  servers(scope: ConnectionScope, env: Env, cwd: string): ConnectionPlace
  server(server: ServerCommand): Slot
  skill(scope: ConnectionScope, env: Env, cwd: string): ConnectionPlace
  /** What a person must still do, or know, in this scope. */
  readonly notes: Readonly<Partial<Record<ConnectionScope | 'brief', string>>>
  /** It passes over what a hook says at the start of a session. */
  readonly ignoresBrief?: true
}

const NAME = 'recall'

/** A server in `{"mcpServers": {"recall": {"command": …, "args": […]}}}`, in a file of JSON. */
export function jsonServer({ command, env }: ServerCommand): Slot {
  const [program = '', ...args] = command
  const entry = { type: 'stdio', command: program, args, ...(Object.keys(env).length === 0 ? {} : { env }) }
  const read = (text: string | null) => {
    const settings = readSettings(text, unmergeable)
    const servers = settings['mcpServers']
    if (servers !== undefined && !isObject(servers)) throw unmergeable('`mcpServers` in it is no object')
    return { settings, servers: servers ?? {} }
  }
  return {
    add(text) {
      const { settings, servers } = read(text)
      const present = servers[NAME]
      if (present !== undefined && !isOurs(present)) throw taken(present)
      if (text !== null && isDeepStrictEqual(present, entry)) return text
      return writeSettings({ ...settings, mcpServers: { ...servers, [NAME]: entry } }, text, unmergeable)
    },
    remove(text) {
      const { settings, servers } = read(text)
      if (!isOurs(servers[NAME])) return text
      const { [NAME]: _, ...others } = servers
      const { mcpServers: __, ...rest } = settings
      const left = Object.keys(others).length === 0 ? rest : { ...settings, mcpServers: others }
      return writeSettings(left, text, unmergeable)
    },
    has: (text) => isOurs(read(text).servers[NAME]),
  }
}

const HEADER = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:recall|"recall"|'recall')[ \t]*(?:\.[^\]\n]*)?\][^\n]*$/
const ANY_HEADER = /^[ \t]*\[/

/** A server in a table `[mcp_servers.recall]`, in a file of TOML. Nothing else in the file is touched. */
export function tomlServer({ command, env }: ServerCommand): Slot {
  const [program = '', ...args] = command
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  const lines = [
    `[mcp_servers.${NAME}]`,
    `command = ${JSON.stringify(program)}`,
    `args = ${tomlWords(args)}`,
    ...(variables.length === 0 ? [] : [`env = { ${variables.join(', ')} }`]),
  ]
  const wanted = { command: program, args, ...(variables.length === 0 ? {} : { env }) }
  const entryIn = (config: Json) => asObject(config['mcp_servers'])?.[NAME]
  const remove = (text: string): string => {
    const config = parseToml(text)
    if (!isOurs(entryIn(config))) return text
    const edited = withoutTable(text)
    return checked(
      edited,
      (now) => entryIn(now) === undefined && isDeepStrictEqual(withoutEntry(now), withoutEntry(config)),
    )
  }
  return {
    add(text) {
      const config = parseToml(text ?? '')
      const present = entryIn(config)
      if (present !== undefined && !isOurs(present)) throw taken(present)
      if (text !== null && JSON.stringify(present) === JSON.stringify(wanted)) return text
      const before = present === undefined ? (text ?? '') : remove(text ?? '')
      const end = lineEnd(text)
      const gap = before === '' ? '' : before.endsWith('\n') ? end : end + end
      const edited = `${before}${gap}${lines.join(end)}${end}`
      return checked(edited, (now) => isDeepStrictEqual(withoutEntry(now), withoutEntry(config)))
    },
    remove,
    has: (text) => isOurs(entryIn(parseToml(text))),
  }
}

/** Takes out the table and what belongs to it, with the empty line before it. */
function withoutTable(text: string): string {
  const kept: string[] = []
  let isInside = false
  for (const line of text.split(/(?<=\n)/)) {
    if (ANY_HEADER.test(line)) {
      const isOurTable = HEADER.test(line.trimEnd())
      if (isOurTable && !isInside && kept.at(-1)?.trim() === '') kept.pop()
      isInside = isOurTable
    }
    if (!isInside) kept.push(line)
  }
  return kept.join('')
}

function withoutEntry(config: Json): Json {
  const { mcp_servers: servers, ...rest } = config
  const { [NAME]: _, ...others } = asObject(servers) ?? {}
  return Object.keys(others).length === 0 ? rest : { ...rest, mcp_servers: others }
}

/** An edit counts only if it changes the meaning of the file in just this one way. */
function checked(edited: string, isRight: (now: Json) => boolean): string {
  const now = tryToml(edited)
  if (now !== null && isRight(now)) return edited
  const hint = `write the table [mcp_servers.${NAME}] by hand; nothing was changed`
  throw new UserError('BAD_CONFIG', 'has `mcp_servers` in a form that cannot be edited safely', hint)
}

/** A skill: a file of its own. */
export function skillFile(skill: string): Slot {
  const isSkill = (text: string) => /^---\r?\nname: recall\r?\n/.test(text) && text.includes('recall')
  return {
    add(text) {
      if (text !== null && text.trim() !== '' && !isSkill(text)) throw unmergeable('it is another skill of that name')
      return skill
    },
    remove: (text) => (isSkill(text) ? '' : text),
    has: isSkill,
  }
}

/** Recognised by what it calls, not by where the program lies: that changes with every update of it. */
function isOurs(entry: unknown): boolean {
  const { command, args } = asObject(entry) ?? {}
  return /\brecall(?:\.js)?\smcp\b/.test([command, ...asArray(args)].join(' '))
}

function taken(entry: unknown): UserError {
  const message = `already has another server called ${NAME}: ${JSON.stringify(entry)}`
  return new UserError('BAD_CONFIG', message, 'give that one another name first; nothing was changed')
}

function unmergeable(why: string): UserError {
  return new UserError('BAD_CONFIG', `cannot be merged with: ${why}`, 'mend it first; nothing was changed')
}
