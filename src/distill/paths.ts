import type { SessionRecord } from '../model/session.ts'

export type Place = Pick<SessionRecord, 'cwd' | 'gitRepo'>

export const NOWHERE: Place = { cwd: null, gitRepo: null }

/** The whole path of a file that a call names, whatever directory it was named from; as it is if that is not known. */
export function wholePath(path: string, { cwd, gitRepo }: Place): string {
  const whole = /^(?:[/~\\]|[A-Za-z]:)/.test(path)
  const base = cwd ?? gitRepo
  return whole || base === null ? path : `${base.replace(/[\\/]+$/, '')}/${path.replace(/^(?:\.\/)+/, '')}`
}

/** A whole path as people write it: from the root of the repository or of the working directory if it lies within. */
export function shortPath(path: string, { cwd, gitRepo }: Place): string {
  for (const root of [gitRepo, cwd]) {
    if (root === null || root === '' || !path.startsWith(root)) continue
    const rest = path.slice(root.length).replace(/^[\\/]+/, '')
    if (rest !== '' && rest.length < path.length - root.length) return rest
  }
  return path
}
