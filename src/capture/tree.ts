import { createHash } from 'node:crypto'
import { readdirSync, type Dirent } from 'node:fs'
import path from 'node:path'
import { statRegular } from '../model/regular-file.ts'
import type { Source } from '../sources/source.ts'

/** The directories under a root in which transcripts may lie, relative to it, the root itself first. None if it is not there. */
export function directoriesUnder(source: Source, root: string, inside = ''): string[] {
  const entries = entriesOf(path.join(root, inside))
  if (entries === null) return []
  const found = [inside]
  for (const entry of entries) {
    const relative = path.join(inside, entry.name)
    if (entry.isDirectory() && !source.skips(relative)) found.push(...directoriesUnder(source, root, relative))
  }
  return found
}

/** Changes whenever a transcript under the roots, or a file in the other directories, comes, goes or grows. */
export function fingerprint(
  roots: readonly { readonly source: Source; readonly dir: string }[],
  also: readonly string[],
): string {
  const hash = createHash('sha256')
  const note = (file: string) => {
    const stat = statRegular(file)
    if (stat) hash.update(`${file}\0${stat.size}\0${stat.mtimeMs}\0`)
  }
  for (const { source, dir } of roots)
    for (const inside of directoriesUnder(source, dir)) {
      for (const file of companionsIn(source, dir, inside)) note(file)
      for (const entry of entriesOf(path.join(dir, inside)) ?? []) {
        const relative = path.join(inside, entry.name)
        if (!entry.isDirectory() && source.owns(relative)) note(path.join(dir, relative))
      }
    }
  for (const dir of also)
    for (const entry of entriesOf(dir) ?? []) if (entry.name.endsWith('.json')) note(path.join(dir, entry.name))
  return hash.digest('hex')
}

/** Files without which the transcripts in a directory cannot be understood. */
export function companionsIn(source: Source, root: string, inside: string): string[] {
  if (source.companions === undefined) return []
  const owned = (entriesOf(path.join(root, inside)) ?? []).filter((entry) => source.owns(path.join(inside, entry.name)))
  return owned.flatMap((entry) => source.companions?.({ path: path.join(root, inside, entry.name), root }) ?? [])
}

/** Null for what is no directory, or none that we may read. */
function entriesOf(dir: string): Dirent[] | null {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
