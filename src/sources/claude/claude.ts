import path from 'node:path'
import type { Source } from '../source.ts'
import { claudeHooks } from './hooks.ts'
import { HistoryReading } from './history.ts'
import { keepsDays } from './expiry.ts'
import { TranscriptReading } from './transcript.ts'

const PROMPT_LOG = 'history.jsonl'

/** Claude Code: one JSONL per session under `projects/`, one more per subagent, and the log of all prompts. */
export const claude: Source = {
  name: 'claude',
  longName: 'claude_code',
  label: 'Claude Code',
  revision: 1,

  roots(env) {
    const configured = env['CLAUDE_CONFIG_DIR']
    if (configured) return configured.split(',').map((dir) => path.resolve(dir.trim()))
    const home = env['HOME'] ?? ''
    const xdg = env['XDG_CONFIG_HOME'] ?? path.join(home, '.config')
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

  read(unit, from, hint) {
    return path.basename(unit.path) === PROMPT_LOG
      ? new HistoryReading(unit, from)
      : new TranscriptReading(unit, from, hint)
  },

  keepsDays,

  hooks: claudeHooks,

  resume(nativeId) {
    return `claude --resume ${nativeId}`
  },
}
