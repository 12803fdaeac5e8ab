import { setImmediate } from 'node:timers/promises'
import { digestLines } from '../../model/digest-text.ts'
import { embeddable } from '../../model/embeddable.ts'
import type { Finding } from '../store.ts'
import {
  otherLength,
  VECTOR_KINDS,
  type Embedded,
  type NearOptions,
  type Unembedded,
  type VectorKind,
  type Vectors,
} from '../vectors.ts'
import { Database, type Row } from './database.ts'
import { keepMeta, readMeta } from './meta.ts'
import { DIGEST_DOCUMENT, documentId, sessionOfDocument, TITLE_DOCUMENT } from './document-ids.ts'
import { dropLooseVectors, keepsVectors, linkDocument, linkExchanges } from './vectors-links.ts'
import { bitsOf, bytesOf, floatsOf, nearestTexts, unitLength, vectorsIn } from './vectors-scan.ts'

const SESSIONS_AT_ONCE = 20
/** An index may hold the database for longer than its own readers would wait. */
const PATIENCE_MS = 60_000

/** Without `further`, a text has one vector for all of it, of an older program: good until its pieces have theirs. */
const WAITING = `NOT EXISTS (SELECT 1 FROM embedding v WHERE v.model = ?1 AND v.hash = k.hash AND v.further IS NOT NULL)`

/** Vectors in the same SQLite file. What writes has a connection of its own, opened when it is first needed. */
export class SqliteVectors implements Vectors {
  readonly #db: Database
  #writer: Database | null = null

  constructor(db: Database) {
    this.#db = db
  }

  async status() {
    const model = plannedModel(this.#db)
    if (model === null) return { model, dimensions: null, embedded: 0, left: 0 }
    const row = this.#db.get(
      `SELECT (SELECT count(*) FROM embedding WHERE model = ?1 AND further IS NOT NULL) AS embedded,
         (SELECT length(vector) / 4 FROM embedding WHERE model = ?1 LIMIT 1) AS dimensions,
         (SELECT count(DISTINCT k.hash) FROM embedding_link k WHERE ${WAITING}) AS waiting`,
      model,
    )
    const dimensions = row?.['dimensions'] === null ? null : Number(row?.['dimensions'])
    return { model, dimensions, embedded: Number(row?.['embedded']), left: Number(row?.['waiting']) }
  }

  async dimensions(model: string) {
    return plannedModel(this.#db) === null ? null : keptLength(this.#db, model)
  }

  async plan(model: string) {
    const db = this.#writing()
    db.transaction(() => keepMeta(db, 'embedding_model', model))
    while (db.transaction(() => linkNextSessions(db))) await setImmediate()
  }

  async missing(model: string, limit: number) {
    const found = new Map<string, Unembedded>()
    for (const [number, kind] of VECTOR_KINDS.entries()) {
      if (found.size >= limit) break
      const rows = this.#db.all(
        `SELECT k.hash, k.doc, k.event FROM embedding_link k WHERE k.kind = ?2 AND ${WAITING} GROUP BY k.hash LIMIT ?3`,
        model,
        number,
        limit - found.size,
      )
      for (const row of rows) {
        const hash = Buffer.from(row['hash'] as Uint8Array).toString('hex')
        const text = embeddable(textOf(this.#db, kind, row) ?? '')
        if (text !== null && !found.has(hash)) found.set(hash, { hash, kind, text })
      }
    }
    return [...found.values()]
  }

  async save(model: string, vectors: readonly Embedded[]) {
    const db = this.#writing()
    db.transaction(() => {
      const all = vectors.flatMap((text) => text.vectors)
      const kept = keptLength(db, model) ?? all[0]?.length ?? 0
      const other = all.find((vector) => vector.length !== kept)
      if (other !== undefined) throw otherLength(model, kept, other.length)
      for (const text of vectors) {
        const [first, ...further] = text.vectors.map(unitLength)
        if (first !== undefined) saveVectors(db, { model, hash: Buffer.from(text.hash, 'hex'), first, further })
      }
    })
  }

  async settle(model: string) {
    const db = this.#writing()
    db.transaction(() => {
      db.run('DELETE FROM embedding WHERE model <> ?', model)
      dropLooseVectors(db)
    })
  }

  async nearest(model: string, query: Float32Array, options: NearOptions) {
    return plannedModel(this.#db) === null ? [] : nearestTexts(this.#db, model, unitLength(query), options)
  }

  close() {
    this.#writer?.close()
    this.#writer = null
  }

  #writing(): Database {
    if (this.#writer !== null) return this.#writer
    this.#writer = Database.create(this.#db.path, [], 'beside')
    this.#writer.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
    return this.#writer
  }
}

/** Links that lead nowhere, texts without a link, vectors without a text, and halves of vectors. */
export function checkVectors(db: Database): Finding[] {
  if (plannedModel(db) === null) return []
  const count = (sql: string) => Number(db.get(`SELECT count(*) AS n FROM ${sql}`)?.['n'])
  const astray = count(
    `embedding_link WHERE doc NOT IN (SELECT id FROM exchange)
       AND doc NOT IN (SELECT id * ${documentId(1, TITLE_DOCUMENT)} FROM session WHERE indexed_title IS NOT NULL)`,
  )
  const eventless = count('embedding_link WHERE event > 0 AND event NOT IN (SELECT id FROM event)')
  const loose = count('embedding WHERE hash NOT IN (SELECT hash FROM embedding_link)')
  const halves =
    count('embedding WHERE id NOT IN (SELECT id FROM embedding_bits)') +
    count('embedding_bits WHERE id NOT IN (SELECT id FROM embedding)')
  if (astray + eventless + loose + halves === 0) return []
  const message = `vectors are out of step: ${astray + eventless} links to texts that are gone, ${loose} vectors without a text, ${halves} halves`
  return [
    { id: 'vector-parity', level: 'error', message, remedy: 'run `recall index --full`, then `recall index --embed`' },
  ]
}

/** Null as long as nobody has asked for vectors. */
function plannedModel(db: Database): string | null {
  return readMeta(db, 'embedding_model')
}

function keptLength(db: Database, model: string): number | null {
  const row = db.get('SELECT length(vector) / 4 AS n FROM embedding WHERE model = ? LIMIT 1', model)
  return row === undefined ? null : Number(row['n'])
}

/** Takes vectors over from another store, for texts that are here too. */
export function carryVectors(db: Database, oldPath: string): void {
  if (!keepsVectors(db)) return
  const old = Database.read(oldPath)
  try {
    for (const row of old.each('SELECT * FROM embedding')) {
      const first = floatsOf(row['vector'] as Uint8Array)
      const further = row['further'] instanceof Uint8Array ? vectorsIn(row['further'], first.length) : null
      saveVectors(db, { model: String(row['model']), hash: row['hash'] as Uint8Array, first, further })
    }
  } finally {
    old.close()
  }
}

interface TextVectors {
  readonly model: string
  readonly hash: Uint8Array
  /** Of the first piece of the text, which the SQL views show. */
  readonly first: Float32Array
  /** Of its other pieces; null if the first is that of all of it. */
  readonly further: readonly Float32Array[] | null
}

/** Only if its text is still there: it may have gone while the vectors were made. */
function saveVectors(db: Database, { model, hash, first, further }: TextVectors): void {
  const row = db.get(
    `INSERT INTO embedding (model, hash, vector, further) SELECT ?1, ?2, ?3, ?4
     WHERE EXISTS (SELECT 1 FROM embedding_link WHERE hash = ?2)
     ON CONFLICT (model, hash) DO UPDATE SET vector = excluded.vector, further = excluded.further
       WHERE further IS NULL AND excluded.further IS NOT NULL RETURNING id`,
    model,
    hash,
    bytesOf([first]),
    further === null ? null : bytesOf(further),
  )
  if (!row) return
  const bits = Buffer.concat([first, ...(further ?? [])].map(bitsOf))
  db.run('INSERT OR REPLACE INTO embedding_bits (id, model, bits) VALUES (?, ?, ?)', Number(row['id']), model, bits)
}

/** Links some sessions that were there before vectors were asked for. False if there are no more. */
function linkNextSessions(db: Database): boolean {
  const last = Number(readMeta(db, 'embedding_linked') ?? 0)
  const rows = db.all('SELECT id FROM session WHERE id > ? ORDER BY id LIMIT ?', last, SESSIONS_AT_ONCE)
  for (const row of rows) linkSession(db, Number(row['id']))
  const end = rows.at(-1)?.['id']
  if (end !== undefined) keepMeta(db, 'embedding_linked', String(end))
  return rows.length > 0
}

function linkSession(db: Database, session: number): void {
  for (const row of db.all('SELECT id FROM lane WHERE session = ?', session)) linkExchanges(db, Number(row['id']), 0)
  const title = documentText(db, 'title', session)
  if (title !== null) linkDocument(db, documentId(session, TITLE_DOCUMENT), 'title', title)
  const digest = documentId(session, DIGEST_DOCUMENT)
  if (db.get('SELECT 1 FROM exchange WHERE id = ?', digest))
    linkDocument(db, digest, 'digest', documentText(db, 'digest', session))
}

function textOf(db: Database, kind: VectorKind, row: Row): string | null {
  if (kind === 'title' || kind === 'digest') return documentText(db, kind, sessionOfDocument(Number(row['doc'])))
  const text = db.get('SELECT text FROM event WHERE id = ?', Number(row['event']))?.['text']
  return typeof text === 'string' ? text : null
}

function documentText(db: Database, kind: 'title' | 'digest', session: number): string | null {
  const row = db.get(
    `SELECT s.title, s.indexed_title, d.json FROM session s LEFT JOIN digests d ON d.session_uid = s.uid WHERE s.id = ?`,
    session,
  )
  if (kind === 'title') return typeof row?.['indexed_title'] === 'string' ? row['indexed_title'] : null
  if (typeof row?.['json'] !== 'string') return null
  return digestLines(row['json'], typeof row['title'] === 'string' ? row['title'] : null)
}
