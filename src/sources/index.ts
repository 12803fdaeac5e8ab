import { claude } from './claude/claude.ts'
import { codex } from './codex/codex.ts'
import { copilot } from './copilot/copilot.ts'
import { grok } from './grok/grok.ts'
import { keiTraces } from './kei/kei.ts'
import { opencode } from './opencode/opencode.ts'
import type { Source } from './source.ts'

/** THE list of agents. Everything that names or counts sources derives from it. */
export const sources: readonly Source[] = [claude, codex, grok, opencode, copilot, keiTraces(claude)]
