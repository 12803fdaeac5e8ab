import { UserError } from '../model/errors.ts'
import type { SessionFilter } from '../model/session.ts'
import { parseSince } from '../model/time.ts'
import type { Source } from '../sources/source.ts'
import type { Context, Given } from './command.ts'

export function flag(given: Given, name: string): boolean {
  return given[name] === true
}

export function word(given: Given, name: string): string | undefined {
  const value = given[name]
  return typeof value === 'string' ? value : undefined
}

export function count(given: Given, name: string): number | undefined {
  const text = word(given, name)
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text))
    throw new UserError('USAGE', `--${name} takes a whole number, not ${JSON.stringify(text)}`, `e.g. --${name} 20`)
  return Number(text)
}

/** The source that a person means, by its short or its long name, with `-` or `_`. */
export function sourceNamed(name: string, sources: readonly Source[]): Source | undefined {
  const plain = name.toLowerCase().replaceAll('-', '_')
  return sources.find((source) => source.name === plain || source.longName === plain)
}

/** Its short name; a USAGE error that lists them if there is none. */
export function sourceName(name: string, sources: readonly Source[]): string {
  const found = sourceNamed(name, sources)
  if (found) return found.name
  const names = sources.map((source) => source.longName.replaceAll('_', '-')).join(', ')
  throw new UserError('USAGE', `unknown source ${JSON.stringify(name)}`, `sources are: ${names}`)
}

/** `--source`, `--since`, `--project` and `--limit` as every command reads them. */
export function sessionFilter(context: Context, given: Given, defaultLimit: number): SessionFilter {
  const source = word(given, 'source')
  const since = word(given, 'since')
  const project = word(given, 'project')
  return {
    limit: count(given, 'limit') ?? defaultLimit,
    ...(source === undefined ? {} : { source: sourceName(source, context.sources) }),
    ...(since === undefined ? {} : { since: timeOf(since, context.now()) }),
    ...(project === undefined ? {} : { project }),
  }
}

/** One of a few words, in any case; a USAGE error that lists them otherwise. */
export function choice<const T extends string>(given: Given, name: string, words: readonly T[]): T | undefined {
  const value = word(given, name)
  if (value === undefined) return undefined
  const chosen = words.find((candidate) => candidate.toLowerCase() === value.toLowerCase())
  if (chosen !== undefined) return chosen
  const flagName = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new UserError('USAGE', `--${flagName} cannot be ${JSON.stringify(value)}`, `it takes ${words.join(', ')}`)
}

export function timeOf(text: string, now: number): number {
  const time = parseSince(text, now)
  if (time !== null) return time
  throw new UserError(
    'USAGE',
    `cannot read the time ${JSON.stringify(text)}`,
    'use 7d, 24h, 30m, 1w, 2024-01-15 or 2024-01-15T10:30:00',
  )
}
