import { statSync, type Dirent } from 'node:fs'
import path from 'node:path'
import { followNoLinksBelow, isOutOfDescriptors, LINKED, listDirectory, NOT_REGULAR } from '../model/regular-file.ts'
import type { Source, Unit } from '../sources/source.ts'

export interface Root {
  readonly source: Source
  readonly dir: string
  /** Somebody writes there who must not make us read anything elsewhere: no link is followed. */
  readonly isClosed?: boolean
}

export interface Scan {
  readonly units: (Unit & { readonly source: Source; readonly isClosed: boolean })[]
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
  for (const root of roots) {
    if (root.isClosed) followNoLinksBelow(root.dir)
    walk(root, { relative: '', dir: path.join(root.dir, '') }, found)
  }
  return found
}

/** A directory below a root, or the root itself, which is ''. */
interface Place {
  readonly relative: string
  readonly dir: string
}

function walk(from: Root, { relative, dir }: Place, found: Scan): void {
  const { source, dir: root, isClosed = false } = from
  const entries = entriesOf(source, dir, relative, found)
  if (entries === null) return
  if (relative === '') found.seen.push(root)
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  // Not joined for each of thousands of files: that would take longer than to list them.
  const before = relative === '' ? '' : relative + path.sep
  const dirBefore = relative === '' ? path.join(dir, '_').slice(0, -1) : dir + path.sep
  for (const entry of entries) {
    const inside = before + entry.name
    if (entry.isDirectory() || (!isClosed && isLinkedHome(entry, root, relative))) {
      if (!source.skips(inside)) walk(from, { relative: inside, dir: dirBefore + entry.name }, found)
    } else if (source.owns(inside)) {
      const file = dirBefore + entry.name
      if (entry.isFile() || (!isClosed && entry.isSymbolicLink()))
        found.units.push({ source, root, path: file, isClosed })
      else if (entry.isSymbolicLink()) found.unreadable.push({ source, path: file, message: LINKED })
      else found.unreadable.push({ source, path: file, message: NOT_REGULAR })
    }
  }
}

function entriesOf(source: Source, dir: string, relative: string, found: Scan): Dirent[] | null {
  try {
    return listDirectory(dir)
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
