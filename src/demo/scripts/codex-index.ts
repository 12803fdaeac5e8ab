import type { Script, Session } from '../script.ts'
import { codexPlatform } from './codex-platform.ts'
import { codexTidepool } from './codex-tidepool.ts'

export function codexScripts(): readonly Script[] {
  return [...inProject('~/code/tidepool', codexTidepool()), ...inProject('~/code/platform', codexPlatform())]
}

function inProject(project: string, sessions: readonly Session[]): readonly Script[] {
  return sessions.map((session) => ({ project, ...session }))
}
