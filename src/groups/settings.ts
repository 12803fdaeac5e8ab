import path from 'node:path'
import type { GroupAgent } from '../model/group-agent.ts'
import type { Settings } from '../settings/settings.ts'
import { within } from './directory.ts'
import { existingGroup, refuseLinkedStore } from './groups.ts'
import { groupDir, sessionsOf } from './places.ts'

/** Settings for the memory of a group alone: its own store, fed from its own directory and from nothing else. */
export function settingsOfGroup(
  settings: Settings,
  name: string,
  sourceNames: readonly string[],
  agent: GroupAgent,
): Settings {
  const root = settings.groupsRoot
  const group = existingGroup({ root }, name)
  refuseLinkedStore(root, group)
  const dir = path.join(root, ...groupDir(group))
  within(root, sessionsOf(group, agent), () => null)
  const home = path.join(root, ...sessionsOf(group, agent))
  const roots = new Map(sourceNames.map((source) => [source, source === agent.source ? [home] : []]))
  return { ...settings, group, roots, dataDir: dir, storePath: path.join(dir, 'recall.db'), journalDir: null }
}
