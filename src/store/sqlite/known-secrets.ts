import type { KnownRow } from '../store.ts'
import type { Database } from './database.ts'

const PREFIX = 'known-secrets:'

/** What is known of the secrets of sessions: hashes that only the key beside the store can make use of. */
export function knownRows(db: Database): KnownRow[] {
  return db.all(`SELECT key, value FROM meta WHERE key GLOB '${PREFIX}*'`).map((row) => {
    const { owed, state } = JSON.parse(String(row['value'])) as { owed: boolean; state: unknown }
    return { uid: String(row['key']).slice(PREFIX.length), owed, state: JSON.stringify(state) }
  })
}

export function keepKnown(db: Database, { uid, owed, state }: KnownRow): void {
  db.run(
    'INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2',
    PREFIX + uid,
    `{"owed":${owed},"state":${state}}`,
  )
}

export function forgetKnown(db: Database, uid: string): void {
  db.run('DELETE FROM meta WHERE key = ?', PREFIX + uid)
}

/** Which rows of `meta` these are. */
export const IS_KNOWN = `key GLOB '${PREFIX}*'`

/** Sessions with what they were forked from or started by. */
export function kinOf(db: Database): [uid: string, of: string][] {
  const rows = db.all(
    `SELECT s.uid, p.uid AS of FROM session s JOIN session p ON p.uid = s.parent_uid
     UNION SELECT s.uid, p.uid FROM lane l JOIN session s ON s.id = l.session JOIN session p ON p.uid = l.fork_of
       WHERE l.fork_of IS NOT NULL`,
  )
  return rows.map((row) => [String(row['uid']), String(row['of'])])
}
