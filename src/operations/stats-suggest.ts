import type { Suggestion, Suggestions } from '../insight/permissions/suggest.ts'
import type { PermissionTarget } from '../model/permission.ts'
import { isoTime } from '../model/time.ts'
import { usageFilter } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { permissionTarget } from './permission-target.ts'
import { limited, reportFields } from './report.ts'
import { called, choice, count, instant, list, nullable, number, object, text, type TypeOf } from './schema.ts'

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
  spared: nullable(count()),
  error_rate: number(),
  last_used: instant,
  nearest_danger: nullable(text()),
})

export const suggestedFields = {
  for: text(),
  suggestions: list(suggestion),
  skipped: list(object({ pattern: text(), count: count(), reason: text() })),
}

export interface Suggested extends Suggestions {
  readonly target: PermissionTarget
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
  return { target, ...(await context.recall.insight.suggest(usageFilter(context, asked), target)) }
}

export function suggestedDocument(found: Suggested, asked: TypeOf<typeof input>) {
  return {
    for: found.target.agent,
    suggestions: limited(found.suggestions, asked.limit ?? 0).map(suggestionDocument),
    skipped: limited(found.skipped, asked.limit ?? 0),
  }
}

/** A log tells that somebody was asked only if they refused. If nobody is known to have been, nothing is known. */
function suggestionDocument({ errorRate, lastUsed, nearestDanger, ...rest }: Suggestion) {
  return {
    ...rest,
    spared: rest.spared === 0 ? null : rest.spared,
    error_rate: errorRate,
    last_used: isoTime(lastUsed),
    nearest_danger: nearestDanger,
  }
}
