import { existsSync } from 'node:fs'
import path from 'node:path'
import { DECISIONS_LANE, INFERRED_LANE } from '../../model/event.ts'
import { plural } from '../../model/text.ts'
import { isWell, readPacked, type PackWriter } from '../blobs/packs.ts'
import { chunkPlace } from './compact.ts'
import { indexDigest } from './digest-text.ts'
import { Database, type Row, type Value } from './database.ts'
import { indexTitle } from './documents.ts'
import { evictAgain } from './evicted-part.ts'
import { IS_KNOWN } from './known-secrets.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { OWN_WORD_TABLES } from './own-words.ts'
import { carryRollups } from './rollup.ts'
import { idOf, uidOf } from './session-ids.ts'
import { salvage, salvaged } from './salvage.ts'
import { DIGEST_LANE } from './lane-names.ts'

export interface Carried {
  readonly sessions: readonly number[]
  readonly lanes: readonly number[]
  /** What of the old store could not be taken over, in words. */
  readonly lost: readonly string[]
}

const NOTHING: Carried = { sessions: [], lanes: [], lost: [] }

/**
 * Before the transcripts are read into a new store: what says which of them to leave alone, and what the user added.
 * Evicted sessions come over as they are. Of a damaged store, all that can be read of it.
 */
export function carryMarks(db: Database, oldPath: string, packs: PackWriter): Carried {
  if (!existsSync(oldPath)) return NOTHING
  const { path: from, lost } = salvage(oldPath)
  const carried = withOld(from, (old) => new Carrier(db, old, packs).marks())
  return { ...carried, lost: [...lost, ...carried.lost] }
}

/**
 * After it: the lanes that no transcript gave to the new store. Sessions whose files are gone, records a transcript
 * has lost, decisions. Reads the old store and its packs only.
 */
export function carryLanes(db: Database, oldPath: string, packs: PackWriter): Carried {
  if (!existsSync(oldPath)) return NOTHING
  return withOld(salvaged(oldPath), (old) => new Carrier(db, old, packs).lanes())
}

function withOld(oldPath: string, work: (old: Database) => Carried): Carried {
  Database.create(oldPath, MIGRATIONS).close()
  const old = Database.read(oldPath)
  try {
    return work(old)
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
  /** Chunks of a session that are not what was written. */
  readonly #lost = new Map<number, Set<number>>()

  constructor(db: Database, old: Database, packs: PackWriter) {
    this.#db = db
    this.#old = old
    this.#packs = packs
  }

  marks(): Carried {
    for (const table of [...OWN_WORD_TABLES, 'tombstone', 'notice', 'moved_repo', 'change']) this.#copyTable(table, '1')
    this.#copyTable('meta', `key = 'embedding_model' OR ${IS_KNOWN}`)
    this.#copyTable('file', "status IN ('evicted', 'forgotten')")
    const gone = 'SELECT uid, indexed_title, part FROM session WHERE evicted_at IS NOT NULL OR part IS NOT NULL'
    for (const row of this.#old.all(gone)) {
      const session = this.#session(String(row['uid']))
      this.#copyDistilled(String(row['uid']), session)
      this.#copyEvicted(String(row['uid']), session, row['part'] !== null)
      indexDigest(this.#db, session)
      if (typeof row['indexed_title'] === 'string') indexTitle(this.#db, session, row['indexed_title'])
    }
    return NOTHING
  }

  lanes(): Carried {
    const lanes: number[] = []
    const rows = this.#old.all(
      'SELECT l.*, s.uid FROM lane l JOIN session s ON s.id = l.session WHERE l.name <> ? AND EXISTS (SELECT 1 FROM event e WHERE e.lane = l.id)',
      INFERRED_LANE,
    )
    for (const row of rows) {
      const session = this.#session(String(row['uid']))
      if (this.#db.get('SELECT 1 FROM lane WHERE session = ? AND name = ?', session, row['name'] ?? '')) continue
      const lane = this.#insert('lane', { ...row, session, file: null }, ['id', 'uid'])
      this.#copyEvents(Number(row['id']), lane, session)
      this.#copyLedger(Number(row['id']), lane, session)
      this.#copyDistilled(String(row['uid']), session)
      this.#sessions.add(session)
      lanes.push(lane)
    }
    this.#copyDigests()
    return { sessions: [...this.#sessions], lanes, lost: this.#lostPayloads() }
  }

  /** Digests of sessions that were read again stand until they are analysed again. */
  #copyDigests(): void {
    for (const row of this.#old.all('SELECT session_uid AS uid FROM digests')) {
      const session = idOf(this.#db, String(row['uid']))
      if (session !== null) this.#copyDistilled(String(row['uid']), session)
    }
  }

  #session(uid: string): number {
    const known = idOf(this.#db, uid)
    if (known !== null) return known
    const row = this.#old.get('SELECT * FROM session WHERE uid = ?', uid) ?? {}
    const id = this.#insert('session', row, ['id', 'indexed_title'])
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

  #copyTable(table: string, where: string): void {
    for (const row of this.#old.all(`SELECT * FROM ${table} WHERE ${where}`)) this.#insert(table, row, [])
  }

  /** Digest and signals, where the new store has none yet. */
  #copyDistilled(uid: string, session: number): void {
    if (this.#db.get('SELECT 1 FROM digests WHERE session_uid = ?', uid)) return
    for (const row of this.#old.all('SELECT * FROM digests WHERE session_uid = ?', uid))
      this.#insert('digests', row, [])
    for (const row of this.#old.all(
      'SELECT g.* FROM signal g JOIN session s ON s.id = g.session WHERE s.uid = ?',
      uid,
    )) {
      this.#insert('signal', { ...row, session }, [])
    }
    for (const row of this.#old.all('SELECT c.* FROM course c JOIN session s ON s.id = c.session WHERE s.uid = ?', uid))
      this.#insert('course', { ...row, session }, [])
  }

  /** Lanes without events, so that the transcripts are known to be this session's, and the ledger. */
  #copyEvicted(uid: string, session: number, inPart: boolean): void {
    const rows = this.#old.all(
      `SELECT l.* FROM lane l JOIN session s ON s.id = l.session WHERE s.uid = ? AND l.name NOT IN ('${DIGEST_LANE}', '${DECISIONS_LANE}')`,
      uid,
    )
    for (const row of rows) {
      const lane = this.#insert('lane', { ...row, session }, ['id'])
      this.#copyLedger(Number(row['id']), lane, session)
    }
    carryRollups(this.#db, this.#old, {
      from: Number(idOf(this.#old, uid)),
      to: session,
      tables: inPart ? 'part_' : '',
    })
    if (inPart) evictAgain(this.#db, session)
  }

  #copyEvents(oldLane: number, lane: number, session: number): void {
    for (const row of this.#old.each('SELECT * FROM event WHERE lane = ?', oldLane)) {
      const chunk = row['chunk'] == null ? null : this.#chunk(Number(row['chunk']), session)
      this.#copyEvidence(Number(row['id']), this.#insert('event', { ...row, lane, chunk }, ['id']))
    }
  }

  #copyEvidence(oldEvent: number, event: number): void {
    const touches = this.#old.all(
      'SELECT p.name, t.edit FROM touch t JOIN path p ON p.id = t.path WHERE t.event = ?',
      oldEvent,
    )
    for (const { name = '', edit = 0 } of touches) {
      this.#db.run('INSERT OR IGNORE INTO path (name) VALUES (?)', name)
      this.#db.run('INSERT INTO touch (path, event, edit) SELECT id, ?, ? FROM path WHERE name = ?', event, edit, name)
    }
    for (const row of this.#old.all('SELECT * FROM made WHERE event = ?', oldEvent)) {
      this.#insert('made', { ...row, event }, [])
    }
  }

  #copyLedger(oldLane: number, lane: number, session: number): void {
    const ofLane = 'SELECT * FROM ledger WHERE lane = ?1 AND session = (SELECT session FROM lane WHERE id = ?1)'
    for (const row of this.#old.all(ofLane, oldLane)) {
      if (this.#db.get('SELECT 1 FROM ledger WHERE key = ?', row['key'] ?? '')) continue
      this.#insert('ledger', { ...row, lane, session, file: 0 }, [])
    }
  }

  #chunk(oldId: number, session: number): number | null {
    const known = this.#chunks.get(oldId)
    if (known !== undefined) return known
    const row = this.#old.get('SELECT * FROM chunk WHERE id = ?', oldId)
    if (!row) return null
    const place = chunkPlace(row)
    const data = readPacked(path.join(path.dirname(this.#old.path), 'blobs'), place)
    if (data === null || !isWell(data, place)) {
      this.#lost.set(session, (this.#lost.get(session) ?? new Set()).add(oldId))
      return null
    }
    const moved = this.#packs.append(data)
    const { pack, offset, crc } = moved
    const id = this.#insert('chunk', { ...row, session, pack, offset, crc }, ['id'])
    this.#chunks.set(oldId, id)
    return id
  }

  #lostPayloads(): string[] {
    return [...this.#lost].map(([session, chunks]) => {
      const uid = uidOf(this.#db, session)
      const ids = JSON.stringify([...chunks])
      const sql = 'SELECT count(*) AS n FROM event WHERE chunk IN (SELECT value FROM json_each(?))'
      return `${plural(Number(this.#old.get(sql, ids)?.['n']), 'payload')} of ${uid}`
    })
  }

  #insert(table: string, row: Row, without: readonly string[]): number {
    const columns = Object.keys(row).filter((name) => !without.includes(name))
    const marks = columns.map(() => '?').join(', ')
    const values: Value[] = columns.map((name) => row[name] ?? null)
    return this.#db.run(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`, ...values).lastId
  }
}
