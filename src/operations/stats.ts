import type { Overview } from '../insight/insight.ts'
import type { OverviewRow } from '../insight/overview-rows.ts'
import { PRICES_DATED } from '../insight/prices/prices.ts'
import { OUTCOMES } from '../store/insight.ts'
import { tokenFields, tokensDocument, unpriced } from './cost-document.ts'
import { usageFilter } from './filters.ts'
import { operation } from './operation.ts'
import { by, key, reportFields } from './report.ts'
import { count, list, nullable, number, object, text } from './schema.ts'
import { timeDocument, timeFields } from './stats-time.ts'

const sums = { sessions: count(), exchanges: count(), tool_calls: count(), usd: number() }
const day = object({ day: nullable(text()), sessions: count(), exchanges: count(), usd: number() })
const outcomes = object({}, Object.fromEntries(OUTCOMES.map((outcome) => [outcome, count()])))

export interface AtAGlance {
  readonly overview: Overview
  /** By what was asked for; by project without. */
  readonly rows: readonly OverviewRow[]
}

export const stats = operation({
  name: 'stats',
  summary: 'what was used and what came of it, at a glance',
  effect: 'reads',
  isSlow: true,
  input: object({}, reportFields),
  output: object(
    {
      sessions: count(),
      exchanges: count(),
      tool_calls: count(),
      commands: count(),
      tokens: object({ ...tokenFields, responses: count(), unknown: count() }),
      cost: object({ usd: number(), recorded_usd: number(), unpriced, prices_dated: text() }),
      outcomes,
      time: object(timeFields),
      days: list(day),
      projects: list(object({ project: key, ...sums })),
    },
    { by, rows: list(object({ key, ...sums })) },
  ),
  async run(context, asked): Promise<AtAGlance> {
    const { insight } = context.recall
    const filter = usageFilter(context, asked)
    const overview = await insight.overview(filter)
    return { overview, rows: asked.by === undefined ? overview.projects : await insight.rows(asked.by, filter) }
  },
  document: ({ overview, rows }: AtAGlance, asked) => ({
    ...overviewDocument(overview),
    ...(asked.by === undefined
      ? {}
      : { by: asked.by, rows: rows.map((row) => ({ key: row.key, ...sumsDocument(row) })) }),
  }),
})

function overviewDocument({ totals, commands, cost, silent, time, days, projects }: Overview) {
  return {
    sessions: totals.sessions,
    exchanges: totals.prompts,
    tool_calls: totals.toolCalls,
    commands,
    tokens: { ...tokensDocument(cost.total), responses: cost.total.responses, unknown: silent },
    cost: {
      usd: cost.total.usd,
      recorded_usd: cost.total.recordedUsd,
      unpriced: cost.unpriced,
      prices_dated: PRICES_DATED,
    },
    outcomes: totals.outcomes,
    time: timeDocument(time),
    days: days.map(({ key: name, sessions, prompts, usd }) => ({ day: name, sessions, exchanges: prompts, usd })),
    projects: projects.map((row) => ({ project: row.key, ...sumsDocument(row) })),
  }
}

function sumsDocument({ sessions, prompts, toolCalls, usd }: OverviewRow) {
  return { sessions, exchanges: prompts, tool_calls: toolCalls, usd }
}
