import type { Portable, ViewName, ViewValue } from '../portable.ts'
import type { OnDamage } from '../store.ts'
import type { Database } from './database.ts'
import { sessionRecords, wordLines } from './portable-reading.ts'
import { knownHere, mergeWords, settleImported, uidsHere } from './portable-writing.ts'

interface Beside {
  readonly blobDir: string
  readonly now: () => number
  readonly onDamage: OnDamage
}

export function portableOn(db: Database, { blobDir, now, onDamage }: Beside): Portable {
  const lost = new Set<number>()
  const onLost = (session: number, pack: number) => {
    if (lost.has(session)) return
    lost.add(session)
    onDamage(`payloads of a session are missing: pack ${pack} cannot be read`)
  }
  return {
    uids: async (own = false) => uidsHere(db, own),
    records: async (session) => sessionRecords(db, blobDir, session, onLost),
    async view(name) {
      const columns = COLUMNS[name]
      return { columns, rows: rowsOf(db, name, columns) }
    },
    words: async () => wordLines(db),
    known: async (uid) => knownHere(db, uid),
    settle: async (session, decisions, stamp) =>
      db.transaction(() => settleImported(db, session, decisions, stamp, now())),
    merge: async (words, at) => db.transaction(() => mergeWords(db, words, at)),
    async copyTo(file) {
      // What is written is another file; this one is open for reading only.
      db.exec('PRAGMA query_only = OFF')
      try {
        db.run('VACUUM INTO ?', file)
      } finally {
        db.exec('PRAGMA query_only = ON')
      }
    },
    async snapshot(work) {
      db.exec('BEGIN')
      try {
        return await work()
      } finally {
        db.exec('COMMIT')
      }
    },
  }
}

/** Those that readers of the three tables rely on, in their order. */
const COLUMNS: Readonly<Record<ViewName, readonly string[]>> = {
  sessions:
    'id source source_path source_session_id started_at ended_at duration_seconds model cwd git_repo git_branch message_count tool_count input_tokens output_tokens is_complete file_mtime file_size indexed_at'.split(
      ' ',
    ),
  messages: 'id session_id idx role content thinking timestamp has_thinking'.split(' '),
  tool_calls: 'id session_id message_id idx tool_name tool_input bash_command bash_base bash_sub is_compound'.split(
    ' ',
  ),
}

function* rowsOf(db: Database, view: ViewName, columns: readonly string[]): Generator<ViewValue[]> {
  for (const row of db.each(`SELECT ${columns.join(', ')} FROM ${view}`)) yield columns.map((name) => row[name] ?? null)
}
