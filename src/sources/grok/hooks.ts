import path from 'node:path'
import { jsonHooks } from '../kit/hooks.ts'
import type { Env } from '../source.ts'

/** A file of our own among Grok's: it reads every `hooks/*.json`. */
export const grokHooks = jsonHooks('grok', { home, file: (env) => path.join(home(env), 'hooks', 'recall.json') })

function home(env: Env): string {
  return path.resolve(env['GROK_HOME'] || path.join(env['HOME'] ?? '', '.grok'))
}
