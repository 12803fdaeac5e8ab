import type { Database } from './database.ts'

/** What a session is known as, by the number of its row. */
export function uidOf(db: Database, id: number): string {
  return String(db.get('SELECT uid FROM session WHERE id = ?', id)?.['uid'])
}

/** The number of its row; null if there is none. */
export function idOf(db: Database, uid: string): number | null {
  const id = db.get('SELECT id FROM session WHERE uid = ?', uid)?.['id']
  return id === undefined ? null : Number(id)
}
