import { existsSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import type { PermissionTarget } from '../model/permission.ts'
import { sourceNamed } from './filters.ts'
import type { OperationContext } from './operation.ts'

/** The agent that `name` means, or the first that has rules. */
export async function permissionTarget(
  { sources }: OperationContext,
  name: string | undefined,
): Promise<PermissionTarget> {
  const { permissionTargets } = await import('../sources/permissions.ts')
  const agents = permissionTargets.map(({ agent }) => agent).join(', ')
  const wanted = name === undefined ? permissionTargets[0]?.agent : sourceNamed(name, sources)?.name
  const target = permissionTargets.find(({ agent }) => agent === wanted)
  if (target) return target
  throw new UserError('USAGE', `${name} has no permission rules`, `agents that have are: ${agents}`)
}

/** Where the repository begins that a directory lies in; itself if in none. */
export function repositoryAbove(cwd: string): string {
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    if (existsSync(path.join(dir, '.git'))) return dir
    if (dir === path.dirname(dir)) return cwd
  }
}

/** True if the agent has run here: it has a directory of its own. */
export async function isThere(context: OperationContext, target: PermissionTarget): Promise<boolean> {
  const home = await homeOf(context, target)
  return home !== undefined && existsSync(home)
}

async function homeOf({ sources, env }: OperationContext, { agent }: PermissionTarget): Promise<string | undefined> {
  return (await sources.find(({ name }) => name === agent)?.hooks?.())?.[0]?.home(env)
}

/** Rules are written only for an agent that is there. */
export async function requireAgent(context: OperationContext, target: PermissionTarget): Promise<void> {
  const { label } = target
  const home = await homeOf(context, target)
  if (home !== undefined && !existsSync(home))
    throw new UserError('NOT_FOUND', `${label} is not there: no ${home}`, 'run it once, then this again')
}

/** A complaint about the settings of an agent, with the file they are in. */
export function inSettings<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.code, `${file}: ${error.message}`, error.hint, error)
  }
}
