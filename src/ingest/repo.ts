import { existsSync } from 'node:fs'
import path from 'node:path'

const known = new Map<string, string | null>()

/** The root of the git repository that `cwd` lies in, if that directory is still there. */
export function gitRoot(cwd: string): string | null {
  const cached = known.get(cwd)
  if (cached !== undefined) return cached
  let root: string | null = null
  if (path.isAbsolute(cwd)) {
    for (let dir = cwd; ; dir = path.dirname(dir)) {
      if (existsSync(path.join(dir, '.git'))) root = dir
      if (root !== null || dir === path.dirname(dir)) break
    }
  }
  known.set(cwd, root)
  return root
}
