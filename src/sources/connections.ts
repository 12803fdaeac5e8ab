import { claudeConnection } from './claude/connection.ts'
import { codexConnection } from './codex/connection.ts'
import { grokConnection } from './grok/connection.ts'
import type { ConnectionTarget } from './kit/connection.ts'

/** THE list of agents that can be given our server. */
export const connectionTargets: readonly ConnectionTarget[] = [claudeConnection, codexConnection, grokConnection]
