import type { Pointers } from '../store/pointers.ts'
import { within, type Directory } from './directory.ts'
import { groupNames } from './group-names.ts'
import { ipc, MAIN, type GroupPlaces } from './places.ts'
import { lastActivity } from './transcripts.ts'

export const HISTORY = 'session_history.json'
const CURRENT_TASKS = 'current_tasks.json'
const GROUPS = 'available_groups.json'
/** What a group's address begins with where no host program gives it one. */
const OWN_ADDRESS = 'recall:'
const MAX_BYTES = 4 * 1024 * 1024

/** Tells a group what its agent may know of the pointers: there is no database where it runs. */
export function writeSnapshots(places: GroupPlaces, pointers: Pointers, group: string): void {
  const history = pointers.history(group).map(({ id, name, created_at, archived_at }) => ({
    id,
    name,
    created_at,
    archived_at,
  }))
  within(
    places.root,
    ipc(group),
    (dir) => {
      keep(dir, HISTORY, history)
      // These are the host program's, if it writes any.
      if (dir.text(CURRENT_TASKS, MAX_BYTES) === null) keep(dir, CURRENT_TASKS, [])
      if (isOwn(dir.text(GROUPS, MAX_BYTES))) keepGroups(places, dir, group)
    },
    true,
  )
}

function keepGroups(places: GroupPlaces, dir: Directory, group: string): void {
  const names = group === MAIN ? groupNames(places) : []
  const groups = names.map((name) => {
    const active = lastActivity(places, name)
    const lastActivityAt = active === null ? null : new Date(active).toISOString()
    return { jid: `${OWN_ADDRESS}${name}`, name, lastActivity: lastActivityAt, isRegistered: true }
  })
  const before = groupsIn(dir.text(GROUPS, MAX_BYTES))
  if (before !== null && JSON.stringify(before) === JSON.stringify(groups)) return
  keep(dir, GROUPS, { groups, lastSync: new Date(places.now()).toISOString() })
}

function isOwn(text: string | null): boolean {
  const groups = text === null ? [] : groupsIn(text)
  return groups !== null && groups.every((group) => String(group?.['jid'] ?? '').startsWith(OWN_ADDRESS))
}

function groupsIn(text: string | null): readonly (Readonly<Record<string, unknown>> | null)[] | null {
  try {
    const { groups } = JSON.parse(text ?? '') as { groups?: unknown }
    return Array.isArray(groups) ? groups : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

/** A file that says so already is left alone. */
function keep(dir: Directory, name: string, value: unknown): void {
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (dir.text(name, MAX_BYTES) !== text) dir.write(name, text)
}
