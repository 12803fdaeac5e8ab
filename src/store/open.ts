import type { Store } from './store.ts'
import { SqliteStore } from './sqlite/store.ts'

/** Opens the store at `location` for its one writer; makes it if there is none, and brings an older one up to date. */
export async function openForWriting(location: string, now: () => number): Promise<Store> {
  const { MIGRATIONS } = await import('./sqlite/schema.ts')
  return SqliteStore.create(location, now, MIGRATIONS)
}

/** Opens the store at `location` for reading; NO_STORE if there is none, STORE_OLDER if it must be opened for writing first. */
export function openForReading(location: string, now: () => number): Store {
  return SqliteStore.read(location, now)
}
