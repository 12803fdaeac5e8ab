import path from 'node:path'
import type { HookOrigin } from '../kit/hooks.ts'
import type { Env } from '../source.ts'

/**
 * Grok also runs the hooks in Claude Code's settings. Its payloads are in camel case, its sessions lie in its own
 * directory, and it tells every hook which event it serves.
 */
export const grokOrigin: HookOrigin = {
  name: 'grok',
  own: (env) => path.join(grokHome(env), 'hooks', 'recall.json'),
  isBehind(payload, env) {
    if (typeof payload['hookEventName'] === 'string') return true
    const transcript = payload['transcript_path'] ?? payload['transcriptPath']
    if (typeof transcript === 'string') return isInside(transcript, env['GROK_HOME'])
    return Boolean(env['GROK_HOOK_EVENT'])
  },
}

/** Where Grok keeps everything. */
export function grokHome(env: Env): string {
  return path.resolve(env['GROK_HOME'] || path.join(env['HOME'] ?? '', '.grok'))
}

function isInside(file: string, home: string | undefined): boolean {
  const parts = file.split(/[\\/]/)
  return parts.includes('.grok') || (home !== undefined && home !== '' && !path.relative(home, file).startsWith('..'))
}
