import path from 'node:path'
import type { Source } from '../source.ts'
import { filesBehind } from './places.ts'

const DATABASE = /^opencode(?:-[\w.]+)?\.db$/

/** OpenCode: a database since 1.2, before that a tree of small files per session. */
export const opencode: Source = {
  name: 'opencode',
  longName: 'opencode',
  label: 'OpenCode',
  revision: 1,
  holdsMany: true,

  roots(env) {
    const data = env['XDG_DATA_HOME'] || path.join(env['HOME'] ?? '', '.local', 'share')
    return [path.resolve(data, 'opencode')]
  },

  owns(relativePath) {
    const parts = relativePath.split(path.sep)
    if (parts.length === 1) return DATABASE.test(relativePath)
    return isSessionFile(parts)
  },

  skips(relativeDir) {
    const parts = relativeDir.split(path.sep)
    if (parts[0] === 'storage') return parts.length > 1 && parts[1] !== 'session'
    if (parts[0] !== 'project') return true
    if (parts.length === 3) return parts[2] !== 'storage'
    if (parts.length === 4) return parts[3] !== 'session'
    return parts.length > 4 && parts[4] !== 'info'
  },

  companions: (unit) => filesBehind(unit),

  async reader() {
    return (await import('./reader.ts')).opencodeReader
  },

  resume: (nativeId) => ['opencode', '--session', nativeId],

  begin: (prompt) => ['opencode', '--prompt', prompt],
}

const SESSION = /^ses_\w+\.json$/

/** `storage/session/<project>/<id>.json`, or `project/<directory>/storage/session/info/<id>.json`. */
function isSessionFile(parts: readonly string[]): boolean {
  const [top, second, third, fourth, fifth] = parts
  if (!SESSION.test(parts.at(-1) ?? '')) return false
  if (top === 'storage') return second === 'session' && parts.length === 4
  return top === 'project' && third === 'storage' && fourth === 'session' && fifth === 'info' && parts.length === 6
}
