import type { FileCheckpoint, FileRecord } from '../store.ts'
import type { Database, Row, Value } from './database.ts'

/** Every transcript that is not gone, by its path. */
export function readFiles(db: Database): Map<string, FileRecord> {
  const files = new Map<string, FileRecord>()
  const rows = db.lists(`SELECT source, path, stamp, size, status, offset FROM file WHERE status <> 'gone'`)
  for (const row of rows) {
    const file = toFile(row)
    files.set(file.path, file)
  }
  return files
}

/** Where the reading of a file stopped. */
export function readCheckpoint(db: Database, file: string): FileCheckpoint {
  return toCheckpoint(db.get('SELECT * FROM file WHERE path = ?', file) ?? {})
}

function toFile(row: readonly Value[]): FileRecord {
  return {
    source: String(row[0]),
    path: String(row[1]),
    stamp: String(row[2]),
    size: Number(row[3]),
    status: String(row[4]) as FileRecord['status'],
    offset: Number(row[5]),
  }
}

function toCheckpoint(row: Row): FileCheckpoint {
  return {
    offset: Number(row['offset']),
    line: Number(row['line']),
    state: String(row['state']),
    head: String(row['head']),
    tail: String(row['tail']),
    provisional: row['provisional'] === 1,
  }
}
