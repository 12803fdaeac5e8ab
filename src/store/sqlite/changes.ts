import type { Change, ChangeFeed, ChangeKind } from '../store.ts'
import type { Database } from './database.ts'

/** Computed before an older row goes: the last number there is never becomes smaller. */
const NEXT = '(SELECT coalesce(max(seq), 0) + 1 FROM change)'
const INSERT = `INSERT INTO change (seq, session_uid, kind, at) VALUES (${NEXT}, ?1, ?2, ?3)
  ON CONFLICT (session_uid, kind) DO UPDATE SET seq = excluded.seq, at = excluded.at`

/**
 * Inside the transaction of the change itself. An evicted session has no words that could grow. A row is inserted alone:
 * before an insert of rows that are selected, SQLite has a full-text index write out what is pending, session by session.
 */
export function noteChange(db: Database, session: number, kind: Exclude<ChangeKind, 'forgotten'>, at: number): void {
  const row = db.get('SELECT uid, evicted_at FROM session WHERE id = ?', session)
  if (row === undefined || (kind === 'grown' && row['evicted_at'] !== null)) return
  db.run(INSERT, String(row['uid']), kind, at)
}

/** All that is left of the session. */
export function noteForgotten(db: Database, uid: string, at: number): void {
  db.run(INSERT, uid, 'forgotten', at)
  db.run("DELETE FROM change WHERE session_uid = ? AND kind <> 'forgotten'", uid)
}

export function readChanges(db: Database, seq: number, limit: number): ChangeFeed {
  const rows = db.all('SELECT seq, session_uid, kind, at FROM change WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit)
  const changes = rows.map((row): Change => ({
    seq: Number(row['seq']),
    uid: String(row['session_uid']),
    kind: String(row['kind']) as ChangeKind,
    at: Number(row['at']),
  }))
  const newest = () => Number(db.get('SELECT coalesce(max(seq), 0) AS seq FROM change')?.['seq'])
  return { changes, last: changes.at(-1)?.seq ?? newest() }
}
