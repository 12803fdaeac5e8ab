import path from 'node:path'
import { jsonHooks } from '../kit/hooks.ts'
import type { Env } from '../source.ts'

/** Claude Code's own settings; with several config directories, those of the first. */
export const claudeHooks = jsonHooks('claude', {
  home: claudeHome,
  file: (env) => path.join(claudeHome(env), 'settings.json'),
})

export function claudeHome(env: Env): string {
  return path.resolve(env['CLAUDE_CONFIG_DIR']?.split(',')[0]?.trim() || path.join(env['HOME'] ?? '', '.claude'))
}
