import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { sessionUid, shortSessionId } from '../model/ids.ts'
import type { OperationContext } from '../operations/operation.ts'

/** Between an agent and a server it starts may stand a shell or a launcher. */
const GENERATIONS = 3

/**
 * The sessions of whoever has started this process, as ids that `find` takes: what the agent says in a variable, or
 * else the transcript that it has open.
 */
export function callersOf({ env, sources, recall }: OperationContext, parent: number): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { name, sessionVariable } of sources) {
    const id = sessionVariable === undefined ? undefined : env[sessionVariable]
    if (id) ids.add(sessionUid(name, id))
  }
  if (ids.size > 0) return ids
  const roots = recall.roots()
  for (const file of openFiles(parent, GENERATIONS))
    for (const { source, dir } of roots) {
      const inside = path.relative(dir, file)
      // Of a file that holds many, nobody can tell which session has it open.
      if (!source.holdsMany && !inside.startsWith('..') && source.owns(inside))
        ids.add(shortSessionId(source.longName, file))
    }
  return ids
}

/** Files that a process and those above it have open; where the system does not tell, none. */
function openFiles(pid: number, generations: number): string[] {
  if (pid <= 1 || generations === 0) return []
  try {
    const dir = `/proc/${pid}/fd`
    const files = readdirSync(dir).flatMap((fd) => linkOf(path.join(dir, fd)) ?? [])
    // After the name, which may hold anything but ends with the last bracket: state, then the parent.
    const [, above] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return [...files, ...openFiles(Number(above), generations - 1)]
  } catch {
    return []
  }
}

function linkOf(place: string): string | null {
  try {
    return readlinkSync(place)
  } catch {
    return null
  }
}
