import { UserError } from '../model/errors.ts'
import type { GroupAgent } from '../model/group-agent.ts'

/** Where groups live and how they speak. */
export interface GroupPlaces {
  readonly root: string
  readonly agent: GroupAgent
  /** What the agent is called in archives. */
  readonly assistantName: string
  readonly now: () => number
  /** Takes secrets out of what goes into an archive. */
  readonly redact: (text: string) => string
}

export const MAIN = 'main'
export const GLOBAL = 'global'
const RESERVED: ReadonlySet<string> = new Set([GLOBAL, 'errors'])
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const SESSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

export function isGroupName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name.toLowerCase())
}

/** A name that can be a group's; USAGE otherwise. Nothing of it can lead anywhere but to its own directories. */
export function groupName(name: string): string {
  if (isGroupName(name)) return name
  const hint = 'a name has letters, digits, - and _, at most 64, and is not "global" or "errors"'
  throw new UserError('USAGE', `${JSON.stringify(name)} cannot be a group`, hint)
}

/** The id of a session is the name of a file: it must not be more. */
export function isSessionId(id: string): boolean {
  return SESSION.test(id)
}

export const ipc = (group: string): string[] => ['data', 'ipc', group]
export const TASKS = 'tasks'
export const INPUT = 'input'
export const ERRORS = ['data', 'ipc', 'errors']
/** What the host has begun to act on: no group's, so that no group can change it any more. */
export const BEGUN = ['data', 'ipc', '.begun']
export const sessionsOf = (group: string, agent: GroupAgent): string[] => ['data', 'sessions', group, agent.home]
export const groupDir = (group: string): string[] => ['groups', group]
export const CONVERSATIONS = 'conversations'
