import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Databases that `--recreate` has set aside. */
export function backupsOf(storePath: string): string[] {
  const dir = path.join(path.dirname(storePath), 'backups')
  if (!existsSync(dir)) return []
  const places = readdirSync(dir).map((name) => path.join(dir, name, path.basename(storePath)))
  return places.filter((place) => existsSync(place))
}
