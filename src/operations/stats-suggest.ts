import type { Suggestion, Suggestions } from '../insight/permissions/suggest.ts'
import type { PermissionTarget } from '../model/permission.ts'
import { isoTime } from '../model/time.ts'
import { usageFilter } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { permissionTarget } from './permission-target.ts'
import { limited, reportFields } from './report.ts'
import { triedVersions, type TriedVersions } from './permissions-never-asked.ts'
import { called, choice, count, flag, instant, list, nullable, number, object, text, type TypeOf } from './schema.ts'

const { by: _, ...narrowing } = reportFields

/** What rules are suggested from, and for whom. */
export const suggestFields = {
  for: called('agent', text('the agent whose rules to write (the first that has any)')),
  ...narrowing,
}

const suggestion = object({
  pattern: text(),
  rule: text(),
  count: count(),
  confidence: choice(['high', 'medium', 'low']),
  reason: text(),
  projects: list(text()),
  samples: list(text()),
  spared: count('questions that the rule would have spared'),
  asked: count('questions on record'),
  waited_s: number('how long their answers were waited for, as far as it is known'),
  error_rate: number(),
  last_used: instant,
  nearest_danger: nullable(text()),
})

export const suggestedFields = {
  for: text(),
  suggestions: list(suggestion),
  spare_nothing: list(object({ pattern: text(), rule: text(), count: count(), reason: text() })),
  skipped: list(object({ pattern: text(), count: count(), reason: text() })),
  table: object({ made_with: text(), on: text(), newest: nullable(text()), newer: flag() }),
}

export interface Suggested extends Suggestions {
  readonly target: PermissionTarget
  /** What is known of the agent's own questions was made with this version. */
  readonly table: TriedVersions
}

const input = object({}, suggestFields)

export const statsSuggest = operation({
  name: 'stats.suggest',
  summary: 'rules that let harmless commands run without asking',
  effect: 'reads',
  isSlow: true,
  input,
  output: object(suggestedFields),
  run: suggestRules,
  document: suggestedDocument,
})

/** Rules that evidence speaks for. */
export async function suggestRules(context: OperationContext, asked: TypeOf<typeof input>): Promise<Suggested> {
  const target = await permissionTarget(context, asked.for)
  const table = await triedVersions(context, target)
  return { target, table, ...(await context.recall.insight.suggest(usageFilter(context, asked), target)) }
}

export function suggestedDocument(found: Suggested, asked: TypeOf<typeof input>) {
  return {
    for: found.target.agent,
    suggestions: limited(found.suggestions, asked.limit ?? 0).map(suggestionDocument),
    spare_nothing: limited(found.idle, asked.limit ?? 0),
    skipped: limited(found.skipped, asked.limit ?? 0),
    table: { made_with: found.table.to, on: found.table.on, newest: found.table.newest, newer: found.table.newer },
  }
}

function suggestionDocument({ errorRate, lastUsed, nearestDanger, waitedMs, ...rest }: Suggestion) {
  return {
    ...rest,
    waited_s: Math.round(waitedMs / 100) / 10,
    error_rate: errorRate,
    last_used: isoTime(lastUsed),
    nearest_danger: nearestDanger,
  }
}
