import path from 'node:path'
import type { Source } from '../source.ts'

const TRANSCRIPT = 'events.jsonl'
const DETAILS = 'workspace.yaml'

/** GitHub Copilot CLI: a directory per session, with a transcript that only grows. */
export const copilot: Source = {
  name: 'copilot',
  longName: 'copilot_cli',
  label: 'Copilot CLI',
  revision: 1,

  roots(env) {
    return [path.resolve(env['COPILOT_HOME'] || path.join(env['HOME'] ?? '', '.copilot'))]
  },

  owns(relativePath) {
    const [top, session, file, ...deeper] = relativePath.split(path.sep)
    return top === 'session-state' && session !== undefined && file === TRANSCRIPT && deeper.length === 0
  },

  skips(relativeDir) {
    const parts = relativeDir.split(path.sep)
    return parts[0] !== 'session-state' || parts.length > 2
  },

  async reader() {
    return (await import('./reader.ts')).copilotReader
  },

  sidecars: ({ path: file }) => [path.join(path.dirname(file), DETAILS)],

  sessionVariable: 'COPILOT_AGENT_SESSION_ID',

  resume: (nativeId) => ['copilot', `--resume=${nativeId}`],

  begin: (prompt) => ['copilot', '--interactive', prompt],
}
