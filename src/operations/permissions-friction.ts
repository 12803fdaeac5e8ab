import { frictionOf, type Friction } from '../insight/permissions/friction.ts'
import { isoTime } from '../model/time.ts'
import { usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { limited, reportFields } from './report.ts'
import { choice, count, instant, list, number, object, text } from './schema.ts'

const { by: _, ...narrowing } = reportFields

const row = object({
  agent: text(),
  tool: text(),
  subject: text(),
  obstacles: list(text(), 'what in the way it is written keeps a rule from fitting'),
  asked: count(),
  commented: count('answered with a no and words'),
  waited_s: number(),
  sessions: count(),
  projects: list(text()),
  last_asked: instant,
  sample: text(),
  help: choice(['rule', 'script', 'phrasing', 'nothing']),
  how: text(),
})

export const permissionsFriction = operation({
  name: 'permissions.friction',
  summary: 'which questions cost most, what keeps rules from sparing them, and what would help',
  effect: 'reads',
  isSlow: true,
  input: object({}, narrowing),
  output: object({ rows: list(row), asked: count(), waited_s: number() }),
  async run(context, asked): Promise<readonly Friction[]> {
    const { permissionTargets } = await import('../sources/permissions.ts')
    return frictionOf(await context.recall.insight.questions(usageFilter(context, asked)), permissionTargets)
  },
  document: (rows: readonly Friction[], asked) => ({
    rows: limited(rows, asked.limit ?? 0).map(({ waitedMs, lastAsked, help, ...rest }) => ({
      ...rest,
      waited_s: seconds(waitedMs),
      last_asked: isoTime(lastAsked),
      help: help.kind,
      how: help.text,
    })),
    asked: rows.reduce((sum, row) => sum + row.asked, 0),
    waited_s: seconds(rows.reduce((sum, row) => sum + row.waitedMs, 0)),
  }),
})

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10
}
