import { sumChunks } from './compact.ts'
import type { Database } from './database.ts'
import { rollUpStale } from './rollup.ts'

/** What whoever writes does last: whatever was written, by them or by one that was interrupted, is summed. */
export function keepLastSums(db: Database, blobDir: string): void {
  sumChunks(db, blobDir)
  db.transaction(() => rollUpStale(db))
}
