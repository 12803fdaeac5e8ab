import path from 'node:path'
import type { HookOrigin } from '../kit/hooks.ts'

/**
 * Grok also runs the hooks in Claude Code's settings. Its payloads are in camel case, its sessions lie in its own
 * directory, and it tells every hook which event it serves.
 */
export const grokOrigin: HookOrigin = {
  name: 'grok',
  isBehind(payload, env) {
    if (typeof payload['hookEventName'] === 'string') return true
    const transcript = payload['transcript_path'] ?? payload['transcriptPath']
    if (typeof transcript === 'string') return isInside(transcript, env['GROK_HOME'])
    return Boolean(env['GROK_HOOK_EVENT'])
  },
}

function isInside(file: string, home: string | undefined): boolean {
  const parts = file.split(/[\\/]/)
  return parts.includes('.grok') || (home !== undefined && home !== '' && !path.relative(home, file).startsWith('..'))
}
