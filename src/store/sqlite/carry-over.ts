import { existsSync } from 'node:fs'
import path from 'node:path'
import { readPacked, type PackWriter } from '../blobs/packs.ts'
import { Database, type Row, type Value } from './database.ts'
import { SCHEMA_VERSION } from './schema.ts'

/**
 * Copies from an older store the lanes that no transcript gave to the new one: sessions whose files are
 * gone, records a transcript has lost. Reads the old store and its packs only.
 */
export function carryOver(db: Database, oldPath: string, packs: PackWriter): { sessions: number[]; lanes: number[] } {
  if (!existsSync(oldPath)) return { sessions: [], lanes: [] }
  const old = Database.read(oldPath)
  try {
    if (Number(old.get('PRAGMA user_version')?.['user_version']) !== SCHEMA_VERSION) return { sessions: [], lanes: [] }
    return new Carrier(db, old, packs).run()
  } finally {
    old.close()
  }
}

class Carrier {
  readonly #db: Database
  readonly #old: Database
  readonly #packs: PackWriter
  readonly #sessions = new Set<number>()
  readonly #chunks = new Map<number, number>()

  constructor(db: Database, old: Database, packs: PackWriter) {
    this.#db = db
    this.#old = old
    this.#packs = packs
  }

  run(): { sessions: number[]; lanes: number[] } {
    const lanes: number[] = []
    const rows = this.#old.all(
      'SELECT l.*, s.uid FROM lane l JOIN session s ON s.id = l.session WHERE EXISTS (SELECT 1 FROM event e WHERE e.lane = l.id)',
    )
    for (const row of rows) {
      const session = this.#session(String(row['uid']))
      if (this.#db.get('SELECT 1 FROM lane WHERE session = ? AND name = ?', session, row['name'] ?? '')) continue
      const lane = this.#insert('lane', { ...row, session, file: null }, ['id', 'uid'])
      this.#copyEvents(Number(row['id']), lane, session)
      this.#copyLedger(Number(row['id']), lane, session)
      this.#sessions.add(session)
      lanes.push(lane)
    }
    return { sessions: [...this.#sessions], lanes }
  }

  #session(uid: string): number {
    const known = this.#db.get('SELECT id FROM session WHERE uid = ?', uid)
    if (known) return Number(known['id'])
    const row = this.#old.get('SELECT * FROM session WHERE uid = ?', uid) ?? {}
    const id = this.#insert('session', row, ['id'])
    for (const place of this.#old.all('SELECT * FROM session_path WHERE session = ?', Number(row['id']))) {
      this.#db.run(
        'INSERT OR IGNORE INTO session_path (short_id, session, path) VALUES (?, ?, ?)',
        place['short_id'] ?? '',
        id,
        place['path'] ?? '',
      )
    }
    return id
  }

  #copyEvents(oldLane: number, lane: number, session: number): void {
    for (const row of this.#old.each('SELECT * FROM event WHERE lane = ?', oldLane)) {
      const chunk = row['chunk'] == null ? null : this.#chunk(Number(row['chunk']), session)
      this.#insert('event', { ...row, lane, chunk }, ['id'])
    }
  }

  #copyLedger(oldLane: number, lane: number, session: number): void {
    for (const row of this.#old.all('SELECT * FROM ledger WHERE lane = ?', oldLane)) {
      if (this.#db.get('SELECT 1 FROM ledger WHERE key = ?', row['key'] ?? '')) continue
      this.#insert('ledger', { ...row, lane, session, file: 0 }, [])
    }
  }

  #chunk(oldId: number, session: number): number | null {
    const known = this.#chunks.get(oldId)
    if (known !== undefined) return known
    const row = this.#old.get('SELECT * FROM chunk WHERE id = ?', oldId)
    if (!row) return null
    const place = { pack: Number(row['pack']), offset: Number(row['offset']), length: Number(row['length']) }
    const data = readPacked(path.join(path.dirname(this.#old.path), 'blobs'), place)
    if (data === null) return null
    const moved = this.#packs.append(data)
    const id = this.#insert('chunk', { ...row, session, pack: moved.pack, offset: moved.offset }, ['id'])
    this.#chunks.set(oldId, id)
    return id
  }

  #insert(table: string, row: Row, without: readonly string[]): number {
    const columns = Object.keys(row).filter((name) => !without.includes(name))
    const marks = columns.map(() => '?').join(', ')
    const values: Value[] = columns.map((name) => row[name] ?? null)
    return this.#db.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`, ...values).lastId
  }
}
