import type { ActivityQueries } from './activity.ts'
import type { EvidenceQueries } from './evidence.ts'
import type { Ingest } from './ingest.ts'
import type { InsightQueries } from './insight.ts'
import type { PermissionQueries } from './permissions.ts'
import type { Keeping } from './keeping.ts'
import type { Portable } from './portable.ts'
import type { Finding, Reading } from './reading.ts'
import type { TextIndex } from './text-index.ts'
import type { Vectors } from './vectors.ts'

export * from './ingest.ts'
export * from './reading.ts'

/**
 * Where memory is kept, by what is asked of it: reading agents' files in, answering, keeping within bounds. Methods that
 * write belong to the one process that holds the lock, but for those of `vectors`.
 */
export interface Store extends Ingest, Reading {
  readonly text: TextIndex
  readonly insight: InsightQueries
  readonly permissions: PermissionQueries
  readonly evidence: EvidenceQueries
  readonly activity: ActivityQueries
  readonly keeping: Keeping
  readonly vectors: Vectors
  readonly portable: Portable
  close(): Promise<void>
}

/** Told of damage that an answer may suffer from, in words for a person. */
export type OnDamage = (message: string) => void

/** What can be known and done about the files of a store that cannot be opened, or of which nobody knows whether it can. */
export interface StoreFiles {
  /** What is damaged, in a few words; null if nothing is known to be. */
  damageOf(location: string): Promise<string | null>
  check(location: string): Promise<Finding[]>
  /** What of a database of somebody else's is not made as ours are, in a few words; null if all of it is. */
  strangeIn(location: string): Promise<string | null>
  /** Writes back the parts of which there are copies; returns how many. */
  heal(location: string): Promise<number>
}
