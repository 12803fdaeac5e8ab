import { compareVersions, neverAsked, type NeverAskedRow } from '../insight/permissions/never-asked.ts'
import type { PermissionTarget } from '../model/permission.ts'
import { operation, type OperationContext } from './operation.ts'
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
  from: text('the oldest version that was tried'),
  to: text('the newest'),
  on: text(),
  newest: nullable(text('the newest version that sessions tell of')),
  newer: flag(),
  rows: list(row),
})

/** What an agent was tried with, and whether there are sessions of a newer version than that. */
export interface TriedVersions {
  readonly from: string
  readonly to: string
  readonly on: string
  readonly newest: string | null
  readonly newer: boolean
}

export interface NeverAsked extends TriedVersions {
  readonly agent: string
  readonly label: string
  readonly rows: readonly NeverAskedRow[]
}

export const permissionsNeverAsked = operation({
  name: 'permissions.neverAsked',
  summary: 'which commands the agents run without asking when no rule says anything, tried with the real ones',
  effect: 'reads',
  input: object({}, { for: called('agent', text('one agent alone')) }),
  output: object({ agents: list(table) }),
  async run(context, asked): Promise<readonly NeverAsked[]> {
    const { permissionTargets } = await import('../sources/permissions.ts')
    const targets = asked.for === undefined ? permissionTargets : [await permissionTarget(context, asked.for)]
    const versions = await Promise.all(targets.map((target) => triedVersions(context, target)))
    return targets.map((target, i) => ({
      agent: target.agent,
      label: target.label,
      ...versions[i]!,
      rows: [...neverAsked(target).values()],
    }))
  },
  document: (agents) => ({
    agents: agents.map(({ agent, from, to, on, newest, newer, rows }) => ({
      agent,
      from,
      to,
      on,
      newest,
      newer,
      rows: rows.map((known) => ({ ...known })),
    })),
  }),
})

export async function triedVersions(
  { recall }: Pick<OperationContext, 'recall'>,
  { agent, tried }: PermissionTarget,
): Promise<TriedVersions> {
  const seen = (await recall.insight.versions()).filter((one) => one.agent === agent).map(({ version }) => version)
  const newest = seen.sort(compareVersions).at(-1) ?? null
  const to = tried.versions.at(-1) ?? ''
  const newer = newest !== null && compareVersions(newest, to) > 0
  return { from: tried.versions[0] ?? '', to, on: tried.on, newest, newer }
}
