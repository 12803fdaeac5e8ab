import { spawnSync } from 'node:child_process'
import { statSync, type Stats } from 'node:fs'
import path from 'node:path'
import { readRegular } from '../model/regular-file.ts'

export interface Repo {
  /** Root of the working tree; of the main one, where the directory lies in a linked worktree. */
  readonly root: string
  /** What stays the same when the repository is moved: its remote, else its first commit. Null if it has neither. */
  readonly identity: string | null
}

const known = new Map<string, Repo | null>()
const GIT_TIMEOUT_MS = 2000
const MAX_BYTES = 1024 * 1024

/** The repository that `cwd` lies in, if that directory, or one above it, is still there. Reads no file of the project. */
export function repoOf(cwd: string): Repo | null {
  const cached = known.get(cwd)
  if (cached !== undefined) return cached
  const found = (path.isAbsolute(cwd) ? findRepo(cwd) : null) ?? repoOfWorktree(cwd)
  known.set(cwd, found)
  return found
}

function findRepo(cwd: string): Repo | null {
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    const dotGit = path.join(dir, '.git')
    const stat = statOf(dotGit)
    if (stat?.isDirectory()) return { root: dir, identity: identityOf(dotGit, dir) }
    if (stat?.isFile()) return linkedRepo(dir, dotGit)
    if (dir === path.dirname(dir)) return null
  }
}

/** Worktrees beside or in their repository, and those of Codex, which lie in its own directory under their names. */
const WITHIN = /^((?:[A-Za-z]:)?[\\/].+?)[\\/](?:\.claude[\\/]|\.git[\\/])?\.?worktrees[\\/][^\\/]/
const UNDER_CODEX = /^.+[\\/]\.codex[\\/]worktrees[\\/][^\\/]+[\\/][^\\/]+/

/** A worktree that is gone: the repository it was of, as its path tells. */
function repoOfWorktree(cwd: string): Repo | null {
  const root = UNDER_CODEX.exec(cwd)?.[0] ?? WITHIN.exec(cwd)?.[1]
  if (root === undefined) return null
  return (path.isAbsolute(root) ? findRepo(root) : null) ?? { root, identity: null }
}

/** `.git` as a file: a linked worktree belongs to its repository, a submodule is one of its own. */
function linkedRepo(dir: string, dotGit: string): Repo {
  const gitDir = path.resolve(dir, /^gitdir: (.+)$/m.exec(readText(dotGit))?.[1]?.trim() ?? '.git')
  const common = readText(path.join(gitDir, 'commondir')).trim()
  if (common === '') return { root: dir, identity: identityOf(gitDir, dir) }
  const commonDir = path.resolve(gitDir, common)
  const root = path.basename(commonDir) === '.git' ? path.dirname(commonDir) : commonDir
  return { root, identity: identityOf(commonDir, root) }
}

function identityOf(gitDir: string, root: string): string | null {
  const remote = remoteOf(readText(path.join(gitDir, 'config')))
  if (remote !== null) return remote
  const args = ['-C', root, 'rev-list', '--max-parents=0', 'HEAD']
  const { stdout, status } = spawnSync('git', args, { encoding: 'utf8', timeout: GIT_TIMEOUT_MS })
  const first = status === 0 ? stdout.trim().split('\n').sort()[0] : ''
  return first ? `commit ${first}` : null
}

/** `host/path` of origin, or of the first remote there is: without user, scheme or `.git`. */
function remoteOf(config: string): string | null {
  const sections = [...config.matchAll(/^\[remote "([^"]+)"\]([^[]*)/gm)]
  const section = sections.find(([, name]) => name === 'origin') ?? sections[0]
  const url = /^\s*url\s*=\s*(.+)$/m.exec(section?.[2] ?? '')?.[1]?.trim()
  if (!url) return null
  const plain = url.replace(/^[a-z+]+:\/\//, '').replace(/^[^@/]*@/, '')
  return plain.replace(/^([^/:]+):(?!\/)/, '$1/').replace(/(?:\.git)?\/*$/, '')
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function readText(file: string): string {
  return readRegular(file, MAX_BYTES) ?? ''
}
