import path from 'node:path'
import type { Source } from '../source.ts'
import { keepsDays } from './expiry.ts'
import { PROMPT_LOG } from './prompt-log.ts'

/** Claude Code: one JSONL per session under `projects/`, one more per subagent, and the log of all prompts. */
export const claude: Source = {
  name: 'claude',
  longName: 'claude_code',
  label: 'Claude Code',
  revision: 7,

  roots(env) {
    const configured = env['CLAUDE_CONFIG_DIR']
    if (configured) return configured.split(',').map((dir) => path.resolve(dir.trim()))
    const home = env['HOME'] ?? ''
    const xdg = env['XDG_CONFIG_HOME'] || path.join(home, '.config')
    return [path.join(home, '.claude'), path.join(xdg, 'claude')]
  },

  owns(relativePath) {
    if (relativePath === PROMPT_LOG) return true
    return relativePath.startsWith(`projects${path.sep}`) && relativePath.endsWith('.jsonl')
  },

  skips(relativeDir) {
    const parts = relativeDir.split(path.sep)
    if (parts[0] !== 'projects') return true
    const last = parts.at(-1)
    return parts.length > 2 && (last === 'tool-results' || last === 'memory')
  },

  async reader() {
    return (await import('./reader.ts')).claudeReader
  },

  keepsDays,

  hooks: async () => [(await import('./hooks.ts')).claudeHooks],

  sessionVariable: 'CLAUDE_CODE_SESSION_ID',

  resume(nativeId) {
    return ['claude', '--resume', nativeId]
  },

  begin: (prompt) => ['claude', prompt],
}
