import path from 'node:path'
import type { Source } from '../source.ts'
import { importsOf, isPromptLog, nameIndexOf, PROMPT_LOG } from './place.ts'

const ROLLOUT = /^rollout.*\.jsonl(?:\.zst)?$/
const DOCUMENT = /^rollout-.*\.json$/

/** OpenAI Codex: a rollout file per session under `sessions/` or `archived_sessions/`, and the log of all prompts. */
export const codex: Source = {
  name: 'codex',
  longName: 'codex',
  label: 'Codex',
  revision: 6,

  roots(env) {
    return [path.resolve(env['CODEX_HOME'] || path.join(env['HOME'] ?? '', '.codex'))]
  },

  owns(relativePath) {
    if (relativePath === PROMPT_LOG) return true
    const [top, ...below] = relativePath.split(path.sep)
    const name = below.at(-1) ?? ''
    return isHome(top) && (ROLLOUT.test(name) || (below.length === 1 && DOCUMENT.test(name)))
  },

  skips(relativeDir) {
    const parts = relativeDir.split(path.sep)
    return !isHome(parts[0]) || parts.length > 4
  },

  async reader() {
    return (await import('./reader.ts')).codexReader
  },

  sidecars(unit) {
    return isPromptLog(unit) ? [] : [nameIndexOf(unit)]
  },

  companions(unit) {
    return isPromptLog(unit) ? [] : [importsOf(unit)]
  },

  hooks: async () => [(await import('./hooks.ts')).codexHooks, (await import('./notify.ts')).codexNotify],

  hooksAsk:
    'Codex runs new or changed hooks only after you have trusted them: start `codex` once, it asks, or type /hooks in it. ' +
    'Until then, and in `codex exec`, only `notify` tells recall, after each turn.',

  resume(nativeId) {
    return ['codex', 'resume', nativeId]
  },

  begin: (prompt) => ['codex', prompt],
}

function isHome(dir: string | undefined): boolean {
  return dir === 'sessions' || dir === 'archived_sessions'
}
