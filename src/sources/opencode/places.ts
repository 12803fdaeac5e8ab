import { readdirSync, existsSync } from 'node:fs'
import path from 'node:path'
import { isOutOfDescriptors, isSystemError } from '../../model/regular-file.ts'
import type { Unit } from '../source.ts'

/** Where the messages of a session lie that is kept as small files, and the parts of each. */
export interface TreePlace {
  readonly session: string
  readonly messages: string
  readonly partsOf: (message: string) => string
}

export function isDatabase({ path: file }: Pick<Unit, 'path'>): boolean {
  return file.endsWith('.db')
}

export function treePlace({ path: file, root }: Unit): TreePlace {
  const session = path.basename(file, '.json')
  const isOld = path.relative(root, file).split(path.sep)[0] === 'project'
  const store = isOld ? path.resolve(file, '../..') : path.resolve(file, '../../..')
  const parts = path.join(store, 'part')
  return {
    session,
    messages: path.join(store, 'message', session),
    partsOf: (message) => (isOld ? path.join(parts, session, message) : path.join(parts, message)),
  }
}

/**
 * What tells by its size and time that a session may say something new: the log of a database; of a tree, where
 * something was added last. That a database came is told by a place that is never there.
 */
export function filesBehind(unit: Unit): readonly string[] {
  if (isDatabase(unit)) return [`${unit.path}-wal`]
  const place = treePlace(unit)
  const last = namesIn(place.messages).at(-1)
  const came = existsSync(path.join(unit.root, 'opencode.db')) ? [path.join(unit.root, 'opencode.db', 'came')] : []
  if (last === undefined) return [place.messages, ...came]
  const parts = place.partsOf(path.basename(last, '.json'))
  const lastParts = namesIn(parts).slice(-4)
  return [
    place.messages,
    path.join(place.messages, last),
    parts,
    ...lastParts.map((name) => path.join(parts, name)),
    ...came,
  ]
}

/** In the order of their names; none where there is no such directory. */
export function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort()
  } catch (error) {
    if (isSystemError(error) && !isOutOfDescriptors(error)) return []
    throw error
  }
}
