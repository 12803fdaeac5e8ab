import { readChunk } from '../blobs/packs.ts'
import type { StoredText } from '../store.ts'
import { chunkPlace } from './compact.ts'
import type { Database } from './database.ts'

/** Columns that hold words of others, by table; `where` tells which row it is. */
const COLUMNS: readonly (readonly [table: string, where: string, columns: readonly string[]])[] = [
  [
    'event JOIN lane l ON l.id = event.lane JOIN session s ON s.id = l.session',
    "s.uid || '#' || (l.base + event.pos)",
    [
      'event.text',
      'event.summary',
      'event.input',
      'event.thread',
      'event.tool',
      'event.event_class',
      'event.bash_base',
      'event.bash_sub',
    ],
  ],
  [
    'session',
    'uid',
    [
      'title',
      'told_title',
      'indexed_title',
      'cwd',
      'git_repo',
      'repo_identity',
      'git_branch',
      'model',
      'task_ref',
      'part',
    ],
  ],
  ['lane', "'lane ' || id", ['facts', 'side']],
  ['file', 'path', ['state']],
  ['path', "'path ' || id", ['name']],
  ['digests', 'session_uid', ['json', 'part']],
  ['signal', "'signal ' || fingerprint", ['summary', 'tool']],
  ['problem', "'problem ' || id", ['type', 'message']],
  ['told_title', "'title'", ['title']],
  ['made', "'made ' || event", ['value']],
  ['ledger', 'key', ['model']],
  ['notice', "'notice ' || id", ['message']],
  ['tag', 'session_uid', ['tag']],
  ['untagged', 'session_uid', ['tag']],
  ['own_title', 'session_uid', ['title', 'was']],
  ['moved_repo', "'moved repository'", ['root', 'now_at']],
]

/** Every text that is stored, with where it stands: rows first, then what packs hold. */
export function* storedTexts(db: Database, blobDir: string): Generator<StoredText> {
  for (const [table, where, columns] of COLUMNS) {
    const named = columns.map((column, i) => `${column} AS c${i}`).join(', ')
    for (const row of db.each(`SELECT ${where} AS place, ${named} FROM ${table}`)) {
      for (const [i, column] of columns.entries()) {
        const text = row[`c${i}`]
        if (typeof text === 'string' && text !== '') yield { where: `${row['place']} ${column}`, text }
      }
    }
  }
  yield* storedBodies(db, blobDir)
}

/** Bodies one by one: in their chunk they stand without anything between them. */
function* storedBodies(db: Database, blobDir: string): Generator<StoredText> {
  const rows = db.each(
    `SELECT s.uid || '#' || (l.base + e.pos) AS place, e.chunk, e.body_offset AS start, e.body_length AS size, c.pack, c.offset, c.length
     FROM event e JOIN chunk c ON c.id = e.chunk JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
     ORDER BY e.chunk, e.body_offset`,
  )
  let at = -1
  let chunk: Buffer | null = null
  for (const row of rows) {
    if (Number(row['chunk']) !== at) {
      at = Number(row['chunk'])
      chunk = readChunk(blobDir, chunkPlace(row))
    }
    const start = Number(row['start'])
    const text = chunk?.toString('utf8', start, start + Number(row['size']))
    if (text) yield { where: `${row['place']} payload`, text }
  }
}
