import type { NeverAsked, NeverAskedRow } from '../insight/permissions/never-asked.ts'
import { compareVersions } from '../insight/permissions/never-asked.ts'
import { operation } from './operation.ts'
import { permissionTarget } from './permission-target.ts'
import { called, choice, count, flag, list, nullable, object, text } from './schema.ts'

const row = object({
  name: text(),
  answer: choice(['never', 'asks', 'sandbox', 'some']),
  asked: list(text()),
  tried: count(),
})

const table = object({
  agent: text(),
  from: text(),
  to: text(),
  on: text(),
  newest: nullable(text()),
  newer: flag(),
  rows: list(row),
})

/** What an agent was tried with, and whether there are sessions of a newer version than that. */
export interface NeverAskedTable extends NeverAsked {
  readonly newest: string | null
  readonly newer: boolean
  readonly rows: readonly NeverAskedRow[]
}

export const permissionsNeverAsked = operation({
  name: 'permissions.neverAsked',
  summary: 'which commands the agents run without asking when no rule says anything, tried with the real ones',
  effect: 'reads',
  input: object({}, { for: called('agent', text('one agent alone')) }),
  output: object({ agents: list(table) }),
  async run(context, asked): Promise<readonly NeverAskedTable[]> {
    const wanted = asked.for === undefined ? null : (await permissionTarget(context, asked.for)).agent
    const all = await context.recall.insight.neverAsked()
    return all.flatMap((one) => (wanted === null || one.agent === wanted ? { ...one, newer: isNewer(one) } : []))
  },
  document: (agents) => ({ agents: agents.map((one) => ({ ...one, rows: one.rows.map((known) => ({ ...known })) })) }),
})

export function isNewer({ newest, to }: { readonly newest: string | null; readonly to: string }): boolean {
  return newest !== null && compareVersions(newest, to) > 0
}
