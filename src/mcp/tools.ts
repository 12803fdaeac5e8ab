import { findSolution } from './find-solution.ts'
import { getDigest } from './get-digest.ts'
import { readSession } from './read-session.ts'
import { recentWork } from './recent-work.ts'
import { recordDecision } from './record-decision.ts'
import { searchMemory } from './search-memory.ts'
import type { Tool } from './tool.ts'

/** THE list of tools, in the order in which they are told. */
const TOOLS: readonly Tool[] = [searchMemory, readSession, recentWork, findSolution, getDigest, recordDecision]

export function toolsFor({ isReadOnly }: { readonly isReadOnly: boolean }): readonly Tool[] {
  return isReadOnly ? TOOLS.filter((tool) => tool.isReadOnly) : TOOLS
}
