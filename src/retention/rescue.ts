import { stampFile } from '../ingest/stamp.ts'
import type { Scan } from '../ingest/scan.ts'
import type { FileRecord } from '../store/store.ts'

const DAY_MS = 86_400_000

/** A transcript that its agent will delete, and whether recall has all of it. */
export interface Endangered {
  readonly source: string
  readonly path: string
  readonly deletedAt: number
  readonly held: boolean
  /** Why not, if it is not held. */
  readonly reason: string | null
}

/** Transcripts that go before `until`, soonest first. */
export function findEndangered(found: Scan, known: ReadonlyMap<string, FileRecord>, until: number): Endangered[] {
  const endangered: Endangered[] = []
  for (const { source, path, root } of found.units) {
    const days = source.keepsDays?.(root)
    const stamp = days === undefined ? null : stampFile(path, '', [])
    if (days === undefined || stamp === null) continue
    const deletedAt = stamp.mtimeMs + days * DAY_MS
    if (deletedAt > until) continue
    const reason = missing(known.get(path), stamp.stamp)
    endangered.push({ source: source.name, path, deletedAt, held: reason === null, reason })
  }
  return endangered.sort((a, b) => a.deletedAt - b.deletedAt || (a.path < b.path ? -1 : 1))
}

function missing(record: FileRecord | undefined, stamp: string): string | null {
  if (!record || record.stamp === '') return 'not indexed yet'
  if (record.status === 'failed') return 'could not be read'
  const bytes = (text: string) => text.split('|', 1)[0]?.split('.').slice(0, 5).join('.')
  if (bytes(record.stamp) !== bytes(stamp)) return 'has changed since the last index'
  return null
}
