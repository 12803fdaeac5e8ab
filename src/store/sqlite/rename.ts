import { callId, messageId, orphanCallId } from '../../model/ids.ts'
import type { Database } from './database.ts'

/** A session whose main transcript moved has a new short id, and so have its messages and calls. */
export function renameMessages(db: Database, session: number, shortId: string): void {
  const rows = db.all(
    `SELECT e.id, e.message, e.call_idx, e.message_id, l.name, l.base FROM event e JOIN lane l ON l.id = e.lane
     WHERE l.session = ? AND (e.message_id IS NOT NULL OR e.call_id IS NOT NULL)`,
    session,
  )
  for (const row of rows) {
    const message =
      row['message'] === null ? null : Number(row['message']) + (row['name'] === '' ? 0 : Number(row['base']))
    const id = message === null ? null : messageId(shortId, message)
    const idx = row['call_idx'] === null ? null : Number(row['call_idx'])
    const call = idx === null ? null : id === null ? orphanCallId(shortId, idx) : callId(id, idx)
    db.run(
      'UPDATE event SET message_id = ?, call_id = ? WHERE id = ?',
      id && Buffer.from(id, 'hex'),
      call && Buffer.from(call, 'hex'),
      Number(row['id']),
    )
  }
}
