import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { MIGRATIONS } from './migrations/index.ts'

/** What SQLite keeps for itself; none of it runs. */
const OF_SQLITE: ReadonlySet<string> = new Set([
  'CREATE TABLE sqlite_sequence(name,seq)',
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
])

/**
 * What of a database that somebody else may have made is not word for word what ours is made of: a table, index, view
 * or trigger of its own, which would run when rows are read or migrated. Null if there is none. Asks nothing but its
 * schema, and trusts no function that it names. A newer one than this program's is for others to refuse.
 */
export function strangeIn(location: string): string | null {
  let db: DatabaseSyncInstance | null = null
  try {
    db = new DatabaseSync(location, { readOnly: true })
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON')
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
    if (version > MIGRATIONS.length) return null
    const ours = new Set(madeBy(version).map(({ key }) => key))
    const strange = objectsOf(db).find(({ key, sql }) => !ours.has(key) && !OF_SQLITE.has(sql))
    return strange?.name ?? (ours.size === 0 ? 'no schema' : null)
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  } finally {
    db?.close()
  }
}

function madeBy(version: number) {
  const db = new DatabaseSync(':memory:')
  try {
    for (const migration of MIGRATIONS.slice(0, version)) db.exec(migration)
    return objectsOf(db)
  } finally {
    db.close()
  }
}

function objectsOf(db: DatabaseSyncInstance): { readonly name: string; readonly sql: string; readonly key: string }[] {
  const rows = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all()
  return rows.map((row) => {
    const [type, name, table, sql] = ['type', 'name', 'tbl_name', 'sql'].map((column) => String(row[column] ?? ''))
    return { name: `${type} ${name}`, sql: sql ?? '', key: JSON.stringify([type, name, table, sql]) }
  })
}
