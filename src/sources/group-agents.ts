import type { GroupAgent } from '../model/group-agent.ts'
import { claudeInGroups } from './claude/group-agent.ts'

/** The agent that lives in groups. */
export const groupAgent: GroupAgent = claudeInGroups
