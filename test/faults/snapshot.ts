import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { readPayloads } from './payloads.ts'
import { readNames, readTables } from './tables.ts'
import type { Place } from './workshop.ts'

/** The state of a data directory: subjects, and for each a sorted list of lines. Equal snapshots, equal states. */
export type Snapshot = ReadonlyMap<string, readonly string[]>

export interface Sought {
  /** Words to look for in every file, raw and unpacked. */
  readonly markers: readonly string[]
  /** Words to ask the full text for; those it holds itself if there are none. */
  readonly words?: readonly string[]
}

const BLOCK = 2 ** 20
/** The time of a run: a moment of 2033, as text or as milliseconds or seconds since 1970. */
const RUN_TIME = /2033-\d\d-\d\d(T[\d:.]+Z)?|\b(19[89]\d{10}|20[01]\d{10}|19[89]\d{7}|20[01]\d{7})\b/g

export function takeSnapshot(place: Place, { markers, words }: Sought): Snapshot {
  const dir = path.join(place.data, 'recall')
  const caseDir = path.dirname(place.data)
  // What a power cut leaves was written by the run that was recorded, under the name of its directory.
  const recorded = new RegExp(`${path.dirname(caseDir)}/rec-[\\w-]+`, 'g')
  const mask = (text: string) =>
    text.replaceAll(caseDir, '<case>').replaceAll(recorded, '<case>').replaceAll(RUN_TIME, '<now>')
  const sections = new Map<string, string[]>()
  const texts: Told[] = filesIn(place.data)
    .filter(isNoSpare)
    .map((file) => ({
      where: groupOf(place.data, file),
      bytes: readFileSync(file),
    }))
  for (const file of [path.join(dir, 'recall.db'), ...backups(dir)]) {
    if (!existsSync(file)) continue
    const where = file.includes('/backups/') ? 'backups' : 'packs'
    try {
      readStore(file, { sections, mask, words, where, texts })
    } catch (error) {
      add(sections, 'damage', `${where === 'backups' ? 'a backup' : 'the store'} cannot be read: ${String(error)}`)
    }
  }
  sections.set(
    'files',
    [...new Set(filesIn(place.data).map((file) => nameOf(place.data, file)))].filter(isCompared).filter(isNoSpare),
  )
  for (const topic of ['notes', 'decisions'])
    sections.set(`hub ${topic}`, [...new Set(linesOf(dir, `hub/${topic}.jsonl`, mask))].sort())
  sections.set('hub digests', lastDigests(linesOf(dir, 'hub/digests.jsonl', mask)))
  sections.set('other files', otherFiles(place.data, mask))
  sections.set('grants', grants(dir, mask))
  for (const [table, lines] of pointers(dir, mask)) sections.set(`groups ${table}`, lines)
  sections.set('queue', [...new Set(queue(dir, mask))])
  sections.set(
    'settings',
    filesIn(place.cwd).map((file) => mask(`${path.relative(place.cwd, file)}\n${readFileSync(file, 'utf8')}`)),
  )
  sections.set('markers', markersIn(texts, markers))
  return sections
}

/** Room that is kept for a full disk: nothing but zeros. */
function isNoSpare(file: string): boolean {
  return path.basename(file) !== 'spare'
}

interface Told {
  readonly where: string
  readonly bytes: Uint8Array
}

interface Reading {
  readonly sections: Map<string, string[]>
  readonly mask: (text: string) => string
  readonly words: readonly string[] | undefined
  readonly where: string
  readonly texts: Told[]
}

function readStore(file: string, { sections, mask, words, where, texts }: Reading): void {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const names = readNames(db)
    const payloads = readPayloads(db, path.join(path.dirname(file), 'blobs'), (id) => names.event.get(id) ?? '')
    texts.push(...payloads.texts.map((bytes) => ({ where, bytes })))
    if (where === 'backups') return
    for (const [table, lines] of readTables(db, names, mask)) sections.set(`table ${table}`, lines)
    sections.set('bodies', [...payloads.bodies])
    for (const lost of payloads.lost) add(sections, 'lost bytes', lost)
    sections.set('full text', fullText(db, names.session, words ?? vocabulary(db)))
    const damage = (db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]).map(
      (row) => row.integrity_check,
    )
    for (const line of damage) if (line !== 'ok') add(sections, 'damage', line)
  } finally {
    db.close()
  }
}

/** Words that full text holds, of whatever document. */
export function vocabulary(db: DatabaseSyncInstance): string[] {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.term USING fts5vocab(main, exchange_fts, 'row')")
  return (db.prepare('SELECT term FROM temp.term ORDER BY term').all() as { term: string }[]).map(({ term }) => term)
}

export function vocabularyOf(place: Place): string[] {
  const db = new DatabaseSync(path.join(place.data, 'recall', 'recall.db'), { readOnly: true })
  try {
    return vocabulary(db)
  } finally {
    db.close()
  }
}

/** For each word, the documents it is found in. */
function fullText(db: DatabaseSyncInstance, sessions: ReadonlyMap<number, string>, words: readonly string[]): string[] {
  const exchanges = db
    .prepare('SELECT x.id, l.name, x.first_pos FROM exchange x JOIN lane l ON l.id = x.lane')
    .all() as { id: number; name: string; first_pos: number }[]
  const known = new Map(exchanges.map(({ id, name, first_pos }) => [id, `${name}#${first_pos}`]))
  const find = db.prepare('SELECT rowid AS id FROM exchange_fts WHERE exchange_fts MATCH ?')
  return words.map((word) => {
    const hits = (find.all(`"${word.replaceAll('"', '""')}"`) as { id: number }[]).map(({ id }) => {
      const place = id % BLOCK === 0 ? 'title' : (known.get(id) ?? 'no exchange')
      return `${sessions.get(Math.floor(id / BLOCK)) ?? 'no session'} ${place}`
    })
    return `${word}: ${hits.sort().join(', ')}`
  })
}

/** What `wordOf` makes; a word may begin with the end of another. */
const WORD = /(?=(k[\da-f]{14}k))k/g

/** Which words stand in which kind of file. A file is looked through once, not once for each word. */
function markersIn(texts: readonly Told[], markers: readonly string[]): string[] {
  const sought = new Set(markers)
  const found = new Set<string>()
  for (const { where, bytes } of texts) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    for (const [, word = ''] of text.matchAll(WORD)) if (sought.has(word)) found.add(`${word} in ${where}`)
  }
  return [...found].sort()
}

function backups(dir: string): string[] {
  const place = path.join(dir, 'backups')
  return existsSync(place) ? readdirSync(place).map((name) => path.join(place, name, 'recall.db')) : []
}

export function filesIn(dir: string): string[] {
  if (!existsSync(dir)) return []
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => path.join(dir, name)).filter((file) => statSync(file).isFile())
}

function groupOf(data: string, file: string): string {
  const [, first = ''] = path.relative(data, file).split(path.sep)
  return first.startsWith('recall.db') ? 'the database' : first === 'blobs' ? 'packs' : first
}

/** A key is another in every run: only that it is whole and its owner's alone can be compared. */
function contentOf(file: string): string {
  if (!file.endsWith('known-secrets.key')) return readFileSync(file, 'utf8')
  const { size, mode } = statSync(file)
  return `${size} bytes, mode ${(mode & 0o777).toString(8)}`
}

/** Whatever else there is: journals, and what is still to be done. */
function otherFiles(data: string, mask: (text: string) => string): string[] {
  const isOther = (file: string) =>
    !/^recall\/(spare|recall\.(db|lock)|groups\.db|blobs\/|hub\/|queue\/|backups\/|permissions\.jsonl)/.test(
      path.relative(data, file),
    )
  return (
    filesIn(data)
      .filter(isOther)
      // When a file was last written to is another time in every copy.
      .map((file) =>
        mask(`${nameOf(data, file)} ${contentOf(file)}`).replace(/"lastActivity": "[^"]*"/g, '"lastActivity": …'),
      )
  )
}

/** Without what is numbered by time or chance. */
function nameOf(data: string, file: string): string {
  return path
    .relative(data, file)
    .replace(/\d{8}T\d{6}Z[^/]*/, '*')
    .replace(/permissions\/\d+-/, 'permissions/*-')
    .replace(/\d{14}-\d+-\w{8}/, '*')
    .replace(/\d{6}\.pack$/, '*.pack')
}

/** The log and its index come and go with readers. */
/** Checksums of a store that is set aside are not made anew where a full disk had no room for them. */
function isCompared(name: string): boolean {
  return !/\.db-(wal|shm|journal)$|\.db\.lock(-journal)?$|^recall\/backups\/.*-sums$/.test(name)
}

function linesOf(dir: string, name: string, mask: (text: string) => string): string[] {
  const file = path.join(dir, name)
  return existsSync(file) ? mask(readFileSync(file, 'utf8')).split('\n').filter(Boolean) : []
}

/** Of each session the last that was told: a digest may be told again. Lines that are none are kept as they are. */
function lastDigests(lines: readonly string[]): string[] {
  return [...new Map(lines.map((line) => [String(tryParse(line)?.['session_uid'] ?? line), line])).values()].sort()
}

function queue(dir: string, mask: (text: string) => string): string[] {
  return filesIn(path.join(dir, 'queue')).map((file) => mask(`${nameOf(dir, file)} ${readFileSync(file, 'utf8')}`))
}

/** What groups.db says. */
function pointers(dir: string, mask: (text: string) => string): [string, string[]][] {
  const file = path.join(dir, 'groups.db')
  if (!existsSync(file)) return []
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return ['sessions', 'session_history'].map((table) => [
      table,
      db
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => mask(JSON.stringify(row)))
        .sort(),
    ])
  } finally {
    db.close()
  }
}

/** Grants that stand, without their numbers: one that failed is taken back in the journal. */
function grants(dir: string, mask: (text: string) => string): string[] {
  const standing = new Map<unknown, string>()
  for (const line of linesOf(dir, 'permissions.jsonl', (text) => text)) {
    const entry = tryParse(line)
    if (entry === null) continue
    const { id, undo, backup: _, at: __, ...rest } = entry
    if (undo === undefined) standing.set(id, mask(JSON.stringify(rest)))
  }
  for (const line of linesOf(dir, 'permissions.jsonl', (text) => text)) standing.delete(tryParse(line)?.['undo'])
  return [...new Set(standing.values())].sort()
}

function tryParse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function add(sections: Map<string, string[]>, name: string, line: string): void {
  sections.set(name, [...(sections.get(name) ?? []), line])
}
