import { statSync } from 'node:fs'
import path from 'node:path'
import { FLAG, type CheckOptions, type Finding } from '../store.ts'
import { packSize } from '../blobs/packs.ts'
import { checkChunks, checkPages } from './check-damage.ts'
import type { Database } from './database.ts'
import { firstPage, knownSums } from './page-sums.ts'
import { checkVectors } from './vectors.ts'

const REPAIR = 'run `recall doctor --repair`; the old store is kept as a backup'
const REINDEX = 'run `recall index --full`'

/** Everything that can be wrong inside the store, each with what to do. A check that damage keeps from its end says so. */
export function checkStore(db: Database, blobDir: string, { deep = false, onProgress }: CheckOptions): Finding[] {
  const checks: (() => Finding[])[] = [
    () => checkPages(db.path, db, onProgress),
    () => checkIntegrity(db, deep),
    () => checkSearchIndex(db),
    () => checkPacks(db, blobDir),
    () => (deep ? checkChunks(db, blobDir, onProgress) : []),
    () => checkVectors(db),
    () => checkModes(db, blobDir),
  ]
  const findings = checks.flatMap((check) => {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error
      return [finding('integrity', 'error', `the database is damaged: ${error.message}`, REPAIR)]
    }
  })
  return [...new Map(findings.map((one) => [one.message, one])).values()]
}

function finding(id: string, level: Finding['level'], message: string, remedy: string): Finding {
  return { id, level, message, remedy }
}

/** Whether rows and indexes agree. Pages that are what was written can be trusted so far; without checksums all are read. */
function checkIntegrity(db: Database, deep: boolean): Finding[] {
  const isSummed = knownSums(db.path) !== null && firstPage(db.path) === 'well'
  const lines = deep ? db.all('PRAGMA integrity_check(20)') : isSummed ? [] : db.all('PRAGMA quick_check(5)')
  const findings = lines
    .map((row) => String(row['integrity_check'] ?? row['quick_check']))
    .filter((line) => line !== 'ok')
    .map((line) => finding('integrity', 'error', `the database is damaged: ${line}`, REPAIR))
  const astray = count(db, 'SELECT count(*) AS n FROM event WHERE lane NOT IN (SELECT id FROM lane)')
  if (astray > 0) findings.push(finding('orphan-events', 'error', `${astray} events belong to no session`, REINDEX))
  const waiting = count(db, `SELECT count(*) AS n FROM event WHERE flags & ${FLAG.aside}`)
  if (waiting > 0) {
    const message = `${waiting} events wait for an interrupted re-read to finish`
    findings.push(finding('unfinished', 'warn', message, 'run `recall index`'))
  }
  return findings
}

/** Every exchange has its text in the index, and the index has no other. */
function checkSearchIndex(db: Database): Finding[] {
  const indexed = count(
    db,
    'SELECT (SELECT count(*) FROM exchange) + (SELECT count(*) FROM session WHERE indexed_title IS NOT NULL) AS n',
  )
  const documents = count(db, 'SELECT count(*) AS n FROM exchange_fts_docsize')
  const extra = count(
    db,
    `SELECT count(*) AS n FROM exchange_fts_docsize WHERE id NOT IN (SELECT id FROM exchange)
       AND id NOT IN (SELECT id * 1048576 FROM session WHERE indexed_title IS NOT NULL)`,
  )
  const uncovered = count(
    db,
    `SELECT count(*) AS n FROM (SELECT DISTINCT e.lane, e.exchange FROM event e JOIN lane l ON l.id = e.lane
       WHERE e.flags & ${FLAG.copy | FLAG.aside | FLAG.inferred} = 0
       EXCEPT SELECT lane, ord FROM exchange)`,
  )
  const missing = uncovered + Math.max(0, indexed - (documents - extra))
  const message = `full text is out of step: ${indexed} exchanges and titles, ${documents} indexed, ${extra} extra, ${missing} missing`
  return missing === 0 && extra === 0 ? [] : [finding('fts-parity', 'error', message, REPAIR)]
}

function checkPacks(db: Database, blobDir: string): Finding[] {
  const findings: Finding[] = []
  for (const row of db.all('SELECT pack, max(offset + length) AS bytes FROM chunk GROUP BY pack')) {
    const size = packSize(blobDir, Number(row['pack']))
    if (size !== null && size >= Number(row['bytes'])) continue
    const message = `pack ${row['pack']} ${size === null ? 'is missing' : 'is cut short'}: some tool outputs cannot be shown`
    findings.push(finding('packs', 'error', message, REPAIR))
  }
  const loose = count(
    db,
    'SELECT count(*) AS n FROM event WHERE chunk IS NOT NULL AND chunk NOT IN (SELECT id FROM chunk)',
  )
  if (loose > 0) findings.push(finding('packs', 'error', `${loose} events point at a missing chunk`, REINDEX))
  return findings
}

function checkModes(db: Database, blobDir: string): Finding[] {
  if (process.platform === 'win32') return []
  const open = [db.path, path.dirname(db.path), blobDir].filter((place) => {
    const stat = statSync(place, { throwIfNoEntry: false })
    return stat !== undefined && (stat.mode & 0o077) !== 0
  })
  return open.map((place) =>
    finding('permissions', 'warn', `${place} can be read by others`, `chmod go-rwx ${JSON.stringify(place)}`),
  )
}

function count(db: Database, sql: string): number {
  return Number(db.get(sql)?.['n'] ?? 0)
}
