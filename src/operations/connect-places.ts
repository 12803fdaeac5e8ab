import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { SlotPlace } from '../capture/install.ts'
import { UserError } from '../model/errors.ts'
import { connectionTargets } from '../sources/connections.ts'
import { skillFile, type ConnectionScope, type ConnectionTarget } from '../sources/kit/connection.ts'
import type { Source } from '../sources/source.ts'
import { sourceNamed } from './filters.ts'
import type { OperationContext } from './operation.ts'
import { carried } from './scheduled-sweep.ts'

/** An agent that can be connected. */
export interface Connectable {
  readonly source: Source
  readonly target: ConnectionTarget
}

export function connectables({ sources }: OperationContext): Connectable[] {
  return connectionTargets.flatMap((target) => {
    const source = sources.find(({ name }) => name === target.agent)
    return source === undefined ? [] : [{ source, target }]
  })
}

/** USAGE with the list of those there are, if none is called so. */
export function connectable(context: OperationContext, agent: string): Connectable {
  const known = connectables(context)
  const source = sourceNamed(
    agent,
    known.map((one) => one.source),
  )
  const found = known.find((one) => one.source === source)
  if (found !== undefined) return found
  const names = known.map((one) => one.source.name).join(', ')
  throw new UserError('USAGE', `no agent to connect is called ${JSON.stringify(agent)}`, `they are: ${names}`)
}

/** Where the server of this scope is named. What a project shares names no place of one machine. */
export function serverPlace(
  { env, cwd, program }: OperationContext,
  { target }: Connectable,
  scope: ConnectionScope,
): SlotPlace {
  const isShared = scope === 'project'
  const command = isShared ? ['recall', 'mcp'] : [...program(), 'mcp']
  const server = target.server({ command, env: isShared ? {} : Object.fromEntries(carried(env)) })
  const place = target.servers(scope, env, cwd)
  return { ...place, target: server, command, backup: `${place.file}.recall-mcp-backup` }
}

export function skillPlace(
  { env, cwd, program }: OperationContext,
  { target }: Connectable,
  scope: ConnectionScope,
): SlotPlace {
  const bin = program().at(-1) ?? ''
  const text = readFileSync(path.join(path.dirname(bin), '..', 'skills', 'recall', 'SKILL.md'), 'utf8')
  const place = target.skill(scope, env, cwd)
  return { ...place, target: skillFile(text), command: [], backup: `${place.file}.recall-backup` }
}
