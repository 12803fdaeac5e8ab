import type { KnownRow } from '../store.ts'
import type { Database } from './database.ts'
import { dropMeta, keepMeta } from './meta.ts'

const PREFIX = 'known-secrets:'
/** Which rows of `meta` these are. */
export const IS_KNOWN = `key GLOB '${PREFIX}*'`

/** What is known of the secrets of sessions: hashes that only the key beside the store can make use of. */
export function knownRows(db: Database): KnownRow[] {
  return db.all(`SELECT key, value FROM meta WHERE ${IS_KNOWN}`).map((row) => {
    const { owed, state } = JSON.parse(String(row['value'])) as { owed: boolean; state: unknown }
    return { uid: String(row['key']).slice(PREFIX.length), owed, state: JSON.stringify(state) }
  })
}

export function keepKnown(db: Database, { uid, owed, state }: KnownRow): void {
  keepMeta(db, PREFIX + uid, `{"owed":${owed},"state":${state}}`)
}

export function forgetKnown(db: Database, uid: string): void {
  dropMeta(db, PREFIX + uid)
}

/** Sessions with what they were forked from or started by. */
export function kinOf(db: Database): [uid: string, of: string][] {
  const rows = db.all(
    `SELECT s.uid, p.uid AS of FROM session s JOIN session p ON p.uid = s.parent_uid
     UNION SELECT s.uid, p.uid FROM lane l JOIN session s ON s.id = l.session JOIN session p ON p.uid = l.fork_of
       WHERE l.fork_of IS NOT NULL`,
  )
  return rows.map((row) => [String(row['uid']), String(row['of'])])
}
