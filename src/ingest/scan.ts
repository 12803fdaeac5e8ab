import { readdirSync, type Dirent } from 'node:fs'
import path from 'node:path'
import type { Source, Unit } from '../sources/source.ts'

export interface Root {
  readonly source: Source
  readonly dir: string
}

export interface Scan {
  readonly units: (Unit & { readonly source: Source })[]
  /** Roots that are there and could be listed. */
  readonly seen: string[]
  readonly unreadable: { readonly source: Source; readonly path: string; readonly message: string }[]
}

/** Every transcript under the roots, by name alone: no file is opened. */
export function scan(roots: readonly Root[]): Scan {
  const found: Scan = { units: [], seen: [], unreadable: [] }
  for (const { source, dir } of roots) walk(source, dir, '', found)
  return found
}

function walk(source: Source, root: string, relative: string, found: Scan): void {
  const dir = path.join(root, relative)
  let entries: Dirent[]
  try {
    entries = readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (relative === '' && (code === 'ENOENT' || code === 'ENOTDIR')) return
    found.unreadable.push({ source, path: dir, message: error instanceof Error ? error.message : String(error) })
    return
  }
  if (relative === '') found.seen.push(root)
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const inside = relative === '' ? entry.name : path.join(relative, entry.name)
    if (entry.isDirectory()) {
      if (!source.skips(inside)) walk(source, root, inside, found)
    } else if ((entry.isFile() || entry.isSymbolicLink()) && source.owns(inside)) {
      found.units.push({ source, root, path: path.join(root, inside) })
    }
  }
}
