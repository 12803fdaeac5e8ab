import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { SessionRecord } from '../model/session.ts'
import { repoOf } from './repo.ts'

/** Where somebody would look first, and no further. */
const MAX_BESIDE = 100

/** What a directory belongs to. */
export interface Project {
  readonly root: string
  readonly isRepo: boolean
}

export function projectAt(dir: string): Project {
  const repo = repoOf(dir)
  return repo === null ? { root: dir, isRepo: false } : { root: repo.root, isRepo: true }
}

/** Where the directory of a session is, or was. */
export interface Whereabouts {
  /** Where it ran; null if no record tells. */
  readonly ran: string | null
  /** The same place today: itself, or where its repository has been moved to; null if it cannot be found. */
  readonly now: string | null
}

/**
 * Looks for the directory a session ran in. One that is gone is found by the identity of its repository: where later
 * sessions were, where the caller stands, or beside where it was.
 */
export function whereabouts(
  { cwd, gitRepo, repoIdentity }: Pick<SessionRecord, 'cwd' | 'gitRepo' | 'repoIdentity'>,
  here: string,
): Whereabouts {
  if (cwd === null || isDirectory(cwd)) return { ran: cwd, now: cwd }
  const isSame = (dir: string) => repoIdentity !== null && repoOf(dir)?.identity === repoIdentity
  if (gitRepo !== null && isDirectory(gitRepo)) return { ran: cwd, now: within(gitRepo, cwd) }
  const found = [here, ...besideOf(cwd)].find(isSame)
  const root = found === undefined ? undefined : repoOf(found)?.root
  return { ran: cwd, now: root === undefined ? null : within(root, cwd) }
}

/** The place in a repository that a path meant when the repository lay elsewhere: the longest end of it that is there. */
function within(root: string, was: string): string {
  const parts = was.split(path.sep)
  for (let from = 1; from < parts.length; from++) {
    const place = path.join(root, ...parts.slice(from))
    if (isDirectory(place)) return place
  }
  return root
}

/** Directories beside the one that is gone, or beside the one above it that is gone, too. */
function besideOf(gone: string): string[] {
  const above = path.dirname(gone)
  if (above === gone) return []
  if (!isDirectory(above)) return besideOf(above)
  const names = readdirSync(above, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names.slice(0, MAX_BESIDE).map(({ name }) => path.join(above, name))
}

function isDirectory(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
