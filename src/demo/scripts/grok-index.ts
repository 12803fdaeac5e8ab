import type { Script, Session } from '../script.ts'
import { grokSift } from './grok-sift.ts'
import { grokStorefront } from './grok-storefront.ts'

export function grokScripts(): readonly Script[] {
  return [...inProject('~/code/storefront', grokStorefront()), ...inProject('~/code/sift', grokSift())]
}

function inProject(project: string, sessions: readonly Session[]): readonly Script[] {
  return sessions.map((session) => ({ project, ...session }))
}
