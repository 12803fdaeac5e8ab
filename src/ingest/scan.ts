import { readdirSync, statSync, type Dirent } from 'node:fs'
import path from 'node:path'
import { isOutOfDescriptors, NOT_REGULAR } from '../model/regular-file.ts'
import type { Source, Unit } from '../sources/source.ts'

export interface Root {
  readonly source: Source
  readonly dir: string
}

export interface Scan {
  readonly units: (Unit & { readonly source: Source })[]
  /** Roots that are there and could be listed. */
  readonly seen: string[]
  readonly unreadable: Unreadable[]
}

/** A place of a source that could not be looked at. */
export interface Unreadable {
  readonly source: Source
  readonly path: string
  readonly message: string
}

/** Every transcript under the roots, by name alone: no file is opened. */
export function scan(roots: readonly Root[]): Scan {
  const found: Scan = { units: [], seen: [], unreadable: [] }
  for (const { source, dir } of roots) walk(source, dir, '', found)
  return found
}

function walk(source: Source, root: string, relative: string, found: Scan): void {
  const dir = path.join(root, relative)
  const entries = entriesOf(source, dir, relative, found)
  if (entries === null) return
  if (relative === '') found.seen.push(root)
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const inside = relative === '' ? entry.name : path.join(relative, entry.name)
    if (entry.isDirectory() || isLinkedHome(entry, root, relative)) {
      if (!source.skips(inside)) walk(source, root, inside, found)
    } else if (source.owns(inside)) {
      const file = path.join(root, inside)
      if (entry.isFile() || entry.isSymbolicLink()) found.units.push({ source, root, path: file })
      else found.unreadable.push({ source, path: file, message: NOT_REGULAR })
    }
  }
}

function entriesOf(source: Source, dir: string, relative: string, found: Scan): Dirent[] | null {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if (isOutOfDescriptors(error)) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (relative === '' && (code === 'ENOENT' || code === 'ENOTDIR')) return null
    found.unreadable.push({ source, path: dir, message: error instanceof Error ? error.message : String(error) })
    return null
  }
}

/**
 * People keep their sessions elsewhere and link to them from the root itself. Directories behind links further down
 * are not followed: a loop of them has no end, and one link to `/` makes every file of the machine a transcript.
 */
function isLinkedHome(entry: Dirent, root: string, relative: string): boolean {
  if (relative !== '' || !entry.isSymbolicLink()) return false
  try {
    const target = statSync(path.join(root, entry.name), { throwIfNoEntry: false })
    return target?.isDirectory() === true && target.ino !== statSync(root).ino
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
