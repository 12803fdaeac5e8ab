import type { Database } from './database.ts'

/** What is kept about the store as a whole, by name. */
export function readMeta(db: Database, key: string): string | null {
  const value = db.get('SELECT value FROM meta WHERE key = ?', key)?.['value']
  return value === undefined ? null : String(value)
}

export function keepMeta(db: Database, key: string, value: string): void {
  db.run('INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2', key, value)
}

export function dropMeta(db: Database, key: string): void {
  db.run('DELETE FROM meta WHERE key = ?', key)
}
