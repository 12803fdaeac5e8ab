import { digestLines, digestText } from '../../model/digest-text.ts'
import type { Database } from './database.ts'
import { DIGEST_DOCUMENT, documentId } from './document-ids.ts'
import { ORIGINALITY, ownLane } from './session-lanes.ts'
import { insertDocument } from './documents.ts'
import { linkDocument } from './vectors-links.ts'
import { DIGEST_LANE } from './lane-names.ts'

/** Makes the digest of a session searchable in place of its events. */
export function indexDigest(db: Database, session: number): void {
  const row = db.get(
    'SELECT d.json, s.title FROM session s JOIN digests d ON d.session_uid = s.uid WHERE s.id = ?',
    session,
  )
  if (!row) return
  const json = String(row['json'])
  const title = row['title'] === null ? null : String(row['title'])
  const { prompt, answer, command, other } = digestText(json, title)
  const lane = ownLane(db, session, DIGEST_LANE, ORIGINALITY.inferred)
  const id = documentId(session, DIGEST_DOCUMENT)
  db.run(
    'INSERT INTO exchange (id, lane, ord, first_pos, last_pos, size) VALUES (?, ?, 0, 0, -1, ?)',
    id,
    lane,
    prompt.length + answer.length + command.length + other.length,
  )
  insertDocument(db, id, { prompt, answer, command, error: other })
  linkDocument(db, id, 'digest', digestLines(json, title))
}

/** The session's own words are back: its digest no longer stands in for them. */
export function dropDigestLane(db: Database, session: number): void {
  const lane = db.get('SELECT id FROM lane WHERE session = ? AND name = ?', session, DIGEST_LANE)?.['id']
  if (typeof lane !== 'number') return
  db.run('DELETE FROM exchange_fts WHERE rowid IN (SELECT id FROM exchange WHERE lane = ?)', lane)
  db.run('DELETE FROM exchange WHERE lane = ?', lane)
  db.run('DELETE FROM lane WHERE id = ?', lane)
}
