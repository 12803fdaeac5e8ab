import path from 'node:path'
import type { Source } from '../source.ts'
import { companionsOf, isSessionFile, isTranscript, placeOf, sidecarsOf } from './place.ts'
import { PROMPT_LOG, SUBAGENT_DIR, SUBAGENT_FILE } from './place.ts'

/** Sessions older than this are deleted; there is no setting for it. */
const KEPT_DAYS = 30

/** Grok Build: a directory per session under `sessions/<where it ran>/`, one log of prompts for each such place. */
export const grok: Source = {
  name: 'grok',
  longName: 'grok',
  label: 'Grok',
  revision: 6,

  roots(env) {
    return [path.resolve(env['GROK_HOME'] || path.join(env['HOME'] ?? '', '.grok'))]
  },

  owns(relativePath) {
    const [top, group, session, file, ...deeper] = relativePath.split(path.sep)
    if (top !== 'sessions' || !group || !session) return false
    if (file === undefined) return session === PROMPT_LOG
    if (deeper.length === 0) return isSessionFile(file)
    return file === SUBAGENT_DIR && deeper.length === 2 && deeper[1] === SUBAGENT_FILE
  },

  skips(relativeDir) {
    const parts = relativeDir.split(path.sep)
    if (parts[0] !== 'sessions') return true
    return parts.length > 3 && (parts[3] !== SUBAGENT_DIR || parts.length > 5)
  },

  async reader() {
    return (await import('./reader.ts')).grokReader
  },

  sidecars(unit) {
    return isTranscript(unit.path) ? sidecarsOf(placeOf(unit)) : []
  },

  companions(unit) {
    return companionsOf(unit)
  },

  hooks: async () => [(await import('./hooks.ts')).grokHooks],

  keepsDays: () => KEPT_DAYS,

  sessionVariable: 'GROK_SESSION_ID',

  resume(nativeId) {
    return ['grok', '--resume', nativeId]
  },

  begin: (prompt) => ['grok', prompt],
}
