import { stampFile } from '../ingest/stamp.ts'
import type { Scan } from '../ingest/scan.ts'
import type { SessionRecord } from '../model/session.ts'
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
  /** Evicted or forgotten: an index alone does not bring it back. */
  readonly letGo: boolean
}

export interface Held {
  readonly files: ReadonlyMap<string, FileRecord>
  readonly sessions: readonly SessionRecord[]
}

/** Transcripts that go before `until`, soonest first. */
export function findEndangered(found: Scan, { files, sessions }: Held, until: number): Endangered[] {
  const endangered: Endangered[] = []
  for (const { source, path, root } of found.units) {
    const days = source.keepsDays?.(root)
    const stamp = days === undefined ? null : stampFile(path, '', [])
    if (days === undefined || stamp === null || 'unfit' in stamp) continue
    const deletedAt = stamp.mtimeMs + days * DAY_MS
    if (deletedAt > until) continue
    const record = files.get(path)
    const letGo = record?.status === 'evicted' || record?.status === 'forgotten'
    const reason = record?.status === 'evicted' ? onlyDigest(path, sessions) : missing(record, stamp.stamp)
    endangered.push({ source: source.name, path, deletedAt, held: reason === null, reason, letGo })
  }
  return endangered.sort((a, b) => a.deletedAt - b.deletedAt || (a.path < b.path ? -1 : 1))
}

function missing(record: FileRecord | undefined, stamp: string): string | null {
  if (record?.status === 'forgotten') return 'forgotten on purpose'
  if (!record || record.stamp === '') return 'not indexed yet'
  if (record.status === 'failed') return 'could not be read'
  if (record.status === 'partial') return 'not read to its end yet'
  const bytes = (text: string) => text.split('|', 1)[0]?.split('.').slice(0, 5).join('.')
  if (bytes(record.stamp) !== bytes(stamp)) return 'has changed since the last index'
  return null
}

/** A subagent's transcript lies in a directory that is named like the main one. */
function onlyDigest(path: string, sessions: readonly SessionRecord[]): string {
  const owner = sessions.find(
    ({ sourcePath }) => sourcePath === path || path.startsWith(`${sourcePath.replace(/\.\w+$/, '')}/`),
  )
  return `only its digest is kept; \`recall index --restore ${owner?.shortId ?? '<id>'}\` brings it back`
}
