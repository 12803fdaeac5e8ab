import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { pointerOf } from '../../model/pointers.ts'
import { plural } from '../../model/text.ts'
import { isWell, readPacked } from '../blobs/packs.ts'
import type { CheckOptions, Finding } from '../store.ts'
import { chunkPlace } from './compact.ts'
import type { Database } from './database.ts'
import { logBytes, readLog } from './log-file.ts'
import { pageOwners, type PageOwner } from './page-owners.ts'
import { changedPages, firstPage, loadSums } from './page-sums.ts'

const REPAIR = '`recall doctor --repair` makes anew what can be, and names what is lost'
const MAX_NAMED = 20

/** Tables whose rows stand nowhere else; all others, and all indexes, can be made anew from them. */
const KEPT: ReadonlySet<string> = new Set([
  'change',
  'chunk',
  'course',
  'digests',
  'event',
  'file',
  'lane',
  'ledger',
  'made',
  'meta',
  'moved_repo',
  'notice',
  'own_title',
  'path',
  'problem',
  'session',
  'session_path',
  'signal',
  'sqlite_schema',
  'tag',
  'told_title',
  'tombstone',
  'touch',
  'untagged',
])

/** Pages of the database that are not what was written, each with what stands on it. `db` is null if it cannot be opened. */
export function checkPages(database: string, db: Database | null, onProgress: CheckOptions['onProgress']): Finding[] {
  const known = loadSums(database)
  const name = path.basename(database)
  if (known === 'damaged') {
    const message = `the checksums of ${name} (${name}-sums) are damaged themselves: the database cannot be judged by them`
    return [{ id: 'checksums', level: 'warn', message, remedy: '`recall index` makes them anew' }]
  }
  if (known === null || firstPage(database) === 'foreign') {
    if (logBytes(database) > 0) return []
    const message = `${name} has no checksums${known === null ? ' yet' : ' any more: another program has written to it'}`
    return [{ id: 'checksums', level: 'info', message, remedy: '`recall index` makes them' }]
  }
  const total = known.sums.length
  const pages = changedPages(database, known, readLog(database), { from: 1, to: total }, (done) =>
    onProgress?.(done, total, 'pages'),
  )
  const owners = db === null ? pages.map((page) => ({ page, table: null, sessions: [] })) : pageOwners(db, known, pages)
  const findings = owners.slice(0, MAX_NAMED).map((owner) => damaged(name, owner))
  const rest = owners.length - findings.length
  if (rest > 0)
    findings.push({ id: 'page', level: 'error', message: `${rest} more pages of ${name} are damaged`, remedy: REPAIR })
  return findings
}

function damaged(name: string, { page, table, sessions }: PageOwner): Finding {
  const message = `page ${page} of ${name} is damaged: ${held(table, sessions)}`
  return { id: 'page', level: 'error', message, remedy: REPAIR, sessions }
}

function held(table: string | null, sessions: readonly string[]): string {
  if (table === null) return 'nothing is known to be on it'
  if (!KEPT.has(table) && !table.startsWith('part_')) return `it holds \`${table}\`, which can be made anew`
  const named = sessions.slice(0, 3).join(', ')
  const rest = sessions.length > 3 ? ` and ${plural(sessions.length - 3, 'more session')}` : ''
  return sessions.length === 0 ? `it holds \`${table}\`` : `it holds \`${table}\` of ${named}${rest}`
}

/** Chunks that are not what was written, each with whose payloads are in it. */
export function checkChunks(db: Database, blobDir: string, onProgress: CheckOptions['onProgress']): Finding[] {
  const findings: Finding[] = []
  const chunks = db.all(
    `SELECT c.id, c.pack, c.offset, c.length, c.raw_length AS raw, c.crc, s.uid FROM chunk c LEFT JOIN session s ON s.id = c.session
     ORDER BY c.pack, c.offset`,
  )
  for (const [i, row] of chunks.entries()) {
    if (i % 64 === 0) onProgress?.(i, chunks.length, 'payloads')
    const place = chunkPlace(row)
    const packed = readPacked(blobDir, place)
    if (packed !== null && isWell(packed, place) && unpacks(packed, Number(row['raw']))) continue
    const events = db.all(
      'SELECT l.base + e.pos AS seq FROM event e JOIN lane l ON l.id = e.lane WHERE e.chunk = ? ORDER BY e.pos',
      Number(row['id']),
    )
    const which = events.slice(0, 5).map(({ seq }) => pointerOf(Number(seq)))
    const more = events.length > which.length ? ` and ${events.length - which.length} more` : ''
    const message = `pack ${place.pack} is damaged at bytes ${place.offset}–${place.offset + place.length}: payloads of ${row['uid'] ?? 'nobody'} ${which.join(', ')}${more}`
    const sessions = typeof row['uid'] === 'string' ? [row['uid']] : []
    findings.push({ id: 'chunk', level: 'error', message, remedy: REPAIR, sessions })
  }
  return findings
}

function unpacks(packed: Buffer, bytes: number): boolean {
  try {
    return brotliDecompressSync(packed).length === bytes
  } catch {
    return false
  }
}
