import type { Store } from './store.ts'
import { SqliteStore } from './sqlite/store.ts'

/** Opens the store at `location` for its one writer; makes it if there is none. */
export function openForWriting(location: string, now: () => number): Store {
  return SqliteStore.create(location, now)
}

/** Opens the store at `location` for reading; NO_STORE if there is none. */
export function openForReading(location: string, now: () => number): Store {
  return SqliteStore.read(location, now)
}
