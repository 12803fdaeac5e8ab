import { claude } from './claude/claude.ts'
import type { Source } from './source.ts'

/** THE list of agents. Everything that names or counts sources derives from it. */
export const sources: readonly Source[] = [claude]
