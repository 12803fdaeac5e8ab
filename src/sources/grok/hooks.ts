import { jsonHooks } from '../kit/hooks.ts'
import { grokHome, grokOrigin } from './hook-origin.ts'

/** A file of our own among Grok's: it reads every `hooks/*.json`. */
export const grokHooks = jsonHooks('grok', { home: grokHome, file: grokOrigin.own })
