import type { EventRow } from '../store.ts'
import type { Database } from './database.ts'

/** Keeps what events prove besides themselves: files they touched, commits and pull requests they made. */
export class EvidenceWriter {
  readonly #db: Database
  readonly #paths = new Map<string, number>()

  constructor(db: Database) {
    this.#db = db
  }

  add(event: number, { files, made }: Pick<EventRow, 'files' | 'made'>): void {
    for (const { path, edit } of files) {
      const touch = this.#db.hot(
        'INSERT INTO touch (path, event, edit) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET edit = max(edit, ?3)',
      )
      touch.run(this.#path(path), event, edit ? 1 : 0)
    }
    for (const { kind, value } of made) {
      this.#db.hot('INSERT OR IGNORE INTO made (event, kind, value) VALUES (?, ?, ?)').run(event, kind, value)
    }
  }

  #path(name: string): number {
    const known = this.#paths.get(name)
    if (known !== undefined) return known
    const row =
      this.#db.get('SELECT id FROM path WHERE name = ?', name) ??
      this.#db.get('INSERT INTO path (name) VALUES (?) RETURNING id', name)
    const id = Number(row?.['id'])
    this.#paths.set(name, id)
    return id
  }
}
