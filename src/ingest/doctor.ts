import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { humanBytes, plural } from '../model/text.ts'
import type { CheckOptions, Finding, Store } from '../store/store.ts'
import { lockHolder } from './lock.ts'
import { scan, type Root } from './scan.ts'

const LITTLE_SPACE = 200 * 1000 * 1000
const MAX_NAMED = 10

export interface Examination {
  readonly storePath: string
  readonly lockFile: string
  readonly roots: readonly Root[]
  /** What interrupted commands have left to be done. */
  readonly owed: readonly string[]
  readonly caps: { readonly distilledCapBytes: number }
  readonly open: () => Store
  /** What can be said of a store that cannot be opened. */
  readonly checkFiles: () => Promise<readonly Finding[]>
  readonly options: CheckOptions
}

/** Looks at everything that could keep recall from working: the store, its surroundings, the agents' directories. */
export async function examine(task: Examination): Promise<Finding[]> {
  return [...(await examineStore(task)), ...examineSurroundings(task), ...examineRoots(task)]
}

async function examineStore(task: Examination): Promise<Finding[]> {
  try {
    const store = task.open()
    return [...(await store.check(task.options)), ...overCap(await store.keeping.distilledBytes(), task.caps)]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { code, message, hint } = error
    const found: Finding = { id: code.toLowerCase().replace('_', '-'), level: 'error', message, remedy: hint }
    return code === 'STORE_BROKEN' ? [found, ...(await task.checkFiles())] : [found]
  }
}

function overCap(bytes: number, { distilledCapBytes }: Examination['caps']): Finding[] {
  if (bytes <= distilledCapBytes) return []
  const message = `digests, signals and ledger take ${humanBytes(bytes)}, more than distilled_cap_bytes`
  const remedy = 'none is ever dropped: raise distilled_cap_bytes, or forget sessions'
  return [{ id: 'distilled-cap', level: 'warn', message, remedy }]
}

function examineSurroundings(task: Examination): Finding[] {
  const remedy = 'the next command that writes does it first: `recall index`'
  const findings: Finding[] = task.owed.map((message) => ({ id: 'owed', level: 'warn', message, remedy }))
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
  const isOpen = (root: Root) => mayUse(root.dir, constants.R_OK | constants.X_OK)
  const closed = present.filter((root) => !isOpen(root))
  const { units, unreadable } = scan(present.filter(isOpen))
  const files = units.map((unit) => unit.path).filter((file) => existsSync(file) && !mayUse(file, constants.R_OK))
  return [
    ...closed.map(({ dir }) => unreadableAt('unreadable-root', dir)),
    ...named(
      'unreadable-directory',
      unreadable.map((place) => place.path),
    ),
    ...named('unreadable-file', files),
  ]
}

/** A finding each; of many, the rest in one. */
function named(id: string, places: readonly string[]): Finding[] {
  const findings = places.slice(0, MAX_NAMED).map((place) => unreadableAt(id, place))
  const rest = places.length - findings.length
  if (rest > 0) findings.push(unreadableAt(id, plural(rest, 'more place', 'more places')))
  return findings
}

function unreadableAt(id: string, place: string): Finding {
  return { id, level: 'warn', message: `${place} cannot be read`, remedy: 'change its permissions' }
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
