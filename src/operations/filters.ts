import { UserError } from '../model/errors.ts'
import { EVENT_KINDS } from '../model/event.ts'
import type { SessionFilter } from '../model/session.ts'
import { parseSince } from '../model/time.ts'
import type { Source } from '../sources/source.ts'
import type { UsageFilter } from '../store/store.ts'
import type { OperationContext } from './operation.ts'
import { called, choice, count, text, type Schema } from './schema.ts'

export const source: Schema<string> = called('name', text('only sessions of this agent'))
export const project: Schema<string> = called('path', text('only sessions whose repository or directory contains this'))
export const since: Schema<string> = called(
  'when',
  text('only since then: 7d, 24h, 30m, 1w, 2024-01-15, 2024-01-15T10:30 (local time; 10:30Z, 10:30+02:00)'),
)
export const before: Schema<string> = called('when', text('only before then'))

export function limit(usual: number): Schema<number> {
  return called('n', count(`how many (${usual}; 0 = all)`))
}

/** What a question about sessions takes; `sessionFilter` reads it. */
export function sessionFields(usual: number) {
  return { source, project, since, limit: limit(usual) }
}

const OUTCOMES = ['success', 'fail', 'abandoned', 'unknown'] as const

/** What `search` and `list` narrow by; `narrowing` reads it. */
export const filterFields = {
  source,
  tool: called('name', text('only where this tool was used')),
  kind: called('kind', choice(EVENT_KINDS, `only where an event is of this kind: ${EVENT_KINDS.join(', ')}`)),
  file: called('path', text('only sessions that touched this file')),
  branch: called('name', text('only sessions on this branch')),
  model: called('name', text('only sessions with this model')),
  outcome: called('outcome', choice(OUTCOMES, 'only success, fail, abandoned or unknown')),
  tag: called('tag', text('only sessions with this tag')),
  group: called('name', text('only sessions of this group')),
  is: called(
    'what',
    choice(['sidechain', 'automated'], 'sidechain: only where subagents did it; automated: only runs of a program'),
  ),
  since,
  before,
  project,
}

type FilterInput = { readonly [name in keyof typeof filterFields]?: string | undefined } & {
  readonly limit?: number | undefined
}

/** `source`, `since`, `project` and `limit` as every operation reads them. */
export function sessionFilter(
  { sources, now }: Pick<OperationContext, 'sources' | 'now'>,
  input: Pick<FilterInput, 'source' | 'since' | 'project' | 'limit'>,
  usual: number,
): SessionFilter {
  const { source: name, since: from, project: part } = input
  return {
    limit: input.limit ?? usual,
    ...(name === undefined ? {} : { source: sourceName(name, sources) }),
    ...(from === undefined ? {} : { since: timeOf(from, now()) }),
    ...(part === undefined ? {} : { project: part }),
  }
}

/** What `filterFields` say of sessions, and of what happened in them. */
export interface Narrowing {
  readonly sessions: SessionFilter
  readonly holding: NonNullable<SessionFilter['holding']>
}

export function narrowing(
  context: Pick<OperationContext, 'sources' | 'now'>,
  input: FilterInput,
  usual: number,
): Narrowing {
  const { tool, kind, file, branch, model, outcome, tag, group, is, before: until } = input
  return {
    sessions: {
      ...sessionFilter(context, input, usual),
      ...given({ file, branch, model, outcome }),
      ...given({ tag: group === undefined ? tag : `group:${group}` }),
      ...(until === undefined ? {} : { before: timeOf(until, context.now()) }),
      ...(is === 'automated' ? { automated: true } : {}),
    },
    holding: { ...given({ tool, kind }), ...(is === 'sidechain' ? { sidechain: true } : {}) },
  }
}

/** Only what is there. */
function given<T extends Readonly<Record<string, string | undefined>>>(all: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string
  }
}

/** `since`, `before`, `project` and `source` as sums read them. */
export function usageFilter(
  context: Pick<OperationContext, 'sources' | 'now'>,
  input: Pick<FilterInput, 'source' | 'since' | 'before' | 'project'>,
): UsageFilter {
  const { source: name, since: from, before: until, project: part } = input
  const { since: start, ...sessions } = sessionFilter(context, { source: name, since: from, project: part }, 0)
  return {
    sessions,
    ...(start === undefined ? {} : { since: start }),
    ...(until === undefined ? {} : { before: timeOf(until, context.now()) }),
  }
}

/** The source that a person means, by its short or its long name, with `-` or `_`. */
export function sourceNamed(name: string, sources: readonly Source[]): Source | undefined {
  const plain = name.toLowerCase().replaceAll('-', '_')
  return sources.find((candidate) => candidate.name === plain || candidate.longName === plain)
}

/** Its short name; a USAGE error that lists them if there is none. */
export function sourceName(name: string, sources: readonly Source[]): string {
  const found = sourceNamed(name, sources)
  if (found) return found.name
  const names = sources.map(({ longName }) => longName.replaceAll('_', '-')).join(', ')
  throw new UserError('USAGE', `unknown source ${JSON.stringify(name)}`, `sources are: ${names}`)
}

export function timeOf(
  when: string,
  now: number,
  hint = 'use 7d, 24h, 30m, 1w, 2024-01-15 or 2024-01-15T10:30:00',
): number {
  const time = parseSince(when, now)
  if (time !== null) return time
  throw new UserError('USAGE', `cannot read the time ${JSON.stringify(when)}`, hint)
}
