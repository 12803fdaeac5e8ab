import { within } from './directory.ts'
import { isGroupName, type GroupPlaces } from './places.ts'

/** Every group that has a directory of its own. */
export function groupNames({ root }: Pick<GroupPlaces, 'root'>): string[] {
  const names = [['data', 'ipc'], ['data', 'sessions'], ['groups']].flatMap(
    (parts) =>
      within(root, parts, (dir) =>
        dir
          .entries()
          .filter((entry) => entry.isDirectory() && isGroupName(entry.name))
          .map(({ name }) => name),
      ) ?? [],
  )
  return [...new Set(names)].sort()
}
