import type { Claim, Pointers } from './pointers.ts'
import type { OnDamage, Store, StoreFiles } from './store.ts'
import { createStore, readStore } from './sqlite/store.ts'

/** Opens the store at `location` for its one writer; makes it if there is none, and brings an older one up to date. */
export async function openForWriting(location: string, now: () => number): Promise<Store> {
  const { MIGRATIONS } = await import('./sqlite/migrations/index.ts')
  return createStore(location, now, MIGRATIONS)
}

/**
 * Opens the store at `location` for reading; NO_STORE if there is none, STORE_OLDER if it must be opened for writing
 * first. Damage that is met on the way is told, and the rest is read.
 */
export function openForReading(location: string, now: () => number, onDamage: OnDamage = () => undefined): Store {
  return readStore(location, now, onDamage)
}

/** Everything about the files of a store that can be done without opening it. */
export const files: StoreFiles = {
  damageOf: async (location) => (await import('./sqlite/glance.ts')).damageOf(location),
  check: async (location) => (await import('./sqlite/check-damage.ts')).checkPages(location, null, undefined),
  strangeIn: async (location) => (await import('./sqlite/schema-check.ts')).strangeIn(location),
  heal: async (location) => (await import('./sqlite/salvage.ts')).healCopies(location),
}

/** What opens the pointers of groups, and what lets one process at a time act on them. */
export async function pointerStore(): Promise<{
  readonly openPointers: (file: string) => Pointers
  readonly claimFile: (file: string) => Claim | null
}> {
  const { claimFile, SqlitePointers } = await import('./sqlite/pointers.ts')
  return { openPointers: (file) => new SqlitePointers(file), claimFile }
}
