import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { humanBytes } from '../model/text.ts'
import type { Finding, Store } from '../store/store.ts'
import { lockHolder } from './lock.ts'
import type { Root } from './scan.ts'

const LITTLE_SPACE = 200 * 1000 * 1000

export interface Examination {
  readonly storePath: string
  readonly lockFile: string
  readonly roots: readonly Root[]
  readonly open: () => Store
}

/** Looks at everything that could keep recall from working: the store, its surroundings, the agents' directories. */
export async function examine(task: Examination): Promise<Finding[]> {
  return [...(await examineStore(task)), ...examineSurroundings(task), ...examineRoots(task)]
}

async function examineStore(task: Examination): Promise<Finding[]> {
  try {
    return await task.open().check()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [
      { id: error.code.toLowerCase().replace('_', '-'), level: 'error', message: error.message, remedy: error.hint },
    ]
  }
}

function examineSurroundings(task: Examination): Finding[] {
  const findings: Finding[] = []
  const dir = path.dirname(task.storePath)
  if (existsSync(dir)) {
    const space = statfsSync(dir)
    const free = space.bavail * space.bsize
    if (free < LITTLE_SPACE) {
      const message = `only ${humanBytes(free)} left on the disk of ${dir}`
      findings.push({ id: 'disk', level: 'warn', message, remedy: 'free some space, or move the store with --store' })
    }
    if (!mayUse(dir, constants.W_OK)) {
      const remedy = 'change its permissions, or move the store with --store'
      findings.push({ id: 'read-only', level: 'warn', message: `${dir} cannot be written`, remedy })
    }
  }
  if (existsSync(task.lockFile) && lockHolder(task.lockFile) === null) {
    const message = `${task.lockFile} was left by a process that is gone`
    findings.push({
      id: 'stale-lock',
      level: 'info',
      message,
      remedy: 'nothing to do: the next `recall index` takes it over',
    })
  }
  return findings
}

function examineRoots(task: Examination): Finding[] {
  const present = task.roots.filter((root) => existsSync(root.dir))
  if (present.length === 0) {
    const places = task.roots.map((root) => root.dir).join(', ')
    const remedy = 'run an agent first, or set [sources.<name>] roots in the config'
    return [{ id: 'no-roots', level: 'info', message: `no agent's directory found (looked for ${places})`, remedy }]
  }
  return present
    .filter((root) => !mayUse(root.dir, constants.R_OK | constants.X_OK))
    .map((root) => ({
      id: 'unreadable-root',
      level: 'warn' as const,
      message: `${root.dir} cannot be read`,
      remedy: `check the permissions of ${root.dir}`,
    }))
}

function mayUse(place: string, mode: number): boolean {
  try {
    accessSync(place, mode)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
