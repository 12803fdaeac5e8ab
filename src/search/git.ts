import { spawnSync } from 'node:child_process'
import path from 'node:path'

const TIMEOUT_MS = 5000

export interface Commit {
  readonly hash: string
  /** Milliseconds. */
  readonly authoredAt: number
  readonly subject: string
}

/** The commit that a line comes from; null if it is in none, or git cannot tell. */
export function blameLine(file: string, line: number): Commit | null {
  const dir = path.dirname(file)
  const out = git(dir, ['blame', '--porcelain', '-L', `${line},${line}`, '--', path.basename(file)])
  const hash = /^[0-9a-f]{40}/.exec(out ?? '')?.[0] ?? ''
  return /^0*$/.test(hash) ? null : commitNamed(dir, hash)
}

/** The commit of this name in the repository that `dir` lies in. */
export function commitNamed(dir: string, name: string): Commit | null {
  const out = git(dir, ['log', '-1', '--no-show-signature', '--format=%H%n%at%n%s', `${name}^{commit}`, '--'])
  const [hash = '', seconds = '', subject = ''] = (out ?? '').split('\n')
  return hash === '' ? null : { hash, authoredAt: Number(seconds) * 1000, subject }
}

/** Reads only, and starts nothing that the repository's own configuration names. */
function git(dir: string, args: readonly string[]): string | null {
  const quiet = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'blame.ignoreRevsFile=', '-C', dir]
  const { stdout, status } = spawnSync('git', [...quiet, ...args], { encoding: 'utf8', timeout: TIMEOUT_MS })
  return status === 0 ? stdout : null
}
