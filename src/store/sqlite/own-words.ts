import { noteChange } from './changes.ts'
import { textOf, type Database } from './database.ts'
import { uidOf } from './session-ids.ts'
import { writeSessionRow } from './session-row.ts'

/** Tables of what a person says of sessions; none of it is in a transcript. */
export const OWN_WORD_TABLES = ['tag', 'untagged', 'own_title'] as const

/** Remembers also that a tag was taken off: another machine may still have it. */
export function setTag(
  db: Database,
  session: number,
  { tag, on }: { readonly tag: string; readonly on: boolean },
  now: number,
): void {
  const uid = uidOf(db, session)
  const { changes } = on
    ? db.run('INSERT OR IGNORE INTO tag (session_uid, tag, at) VALUES (?, ?, ?)', uid, tag, now)
    : db.run('DELETE FROM tag WHERE session_uid = ? AND tag = ?', uid, tag)
  if (changes === 0) return
  if (on) db.run('DELETE FROM untagged WHERE session_uid = ? AND tag = ?', uid, tag)
  else db.run('INSERT OR REPLACE INTO untagged (session_uid, tag, at) VALUES (?, ?, ?)', uid, tag, now)
  noteChange(db, session, 'tagged', now)
}

/** With null, a session is called what it would be without a title of a person's. */
export function setTitle(db: Database, session: number, title: string | null, now: number): void {
  const uid = uidOf(db, session)
  const before = textOf(db.get('SELECT title FROM session WHERE id = ?', session)?.['title'])
  const known = db.get('SELECT title, was FROM own_title WHERE session_uid = ?', uid)
  if (known === undefined ? title === null : known['title'] === title) return
  const was = typeof known?.['title'] === 'string' ? textOf(known['was']) : before
  db.run('INSERT OR REPLACE INTO own_title (session_uid, title, was, at) VALUES (?, ?, ?, ?)', uid, title, was, now)
  writeSessionRow(db, session, now)
  noteChange(db, session, 'tagged', now)
}
