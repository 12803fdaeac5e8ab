import { embeddable, textHash } from '../../model/embeddable.ts'
import { VECTOR_KINDS, type VectorKind } from '../vectors.ts'
import type { Database } from './database.ts'
import { fieldOf } from './document-ids.ts'
import { readMeta } from './meta.ts'
import { HIDDEN } from './event-conditions.ts'

/** Whether somebody has asked for vectors of this store. */
export function keepsVectors(db: Database): boolean {
  return readMeta(db, 'embedding_model') !== null
}

/** Links the texts of a lane's documents from position `from` on, if vectors are kept. */
export function linkExchanges(db: Database, lane: number, from: number): void {
  if (!keepsVectors(db)) return
  const rows = db.each(
    `SELECT x.id AS doc, e.id AS event, e.kind, e.flags, e.text FROM exchange x
     JOIN event e ON e.lane = x.lane AND e.pos BETWEEN x.first_pos AND x.last_pos
     WHERE x.lane = ? AND x.first_pos >= ? AND e.text IS NOT NULL AND e.flags & ${HIDDEN} = 0`,
    lane,
    from,
  )
  for (const row of rows) {
    const kind = fieldOf(String(row['kind']), Number(row['flags']))
    if (kind !== null && kind !== 'error') link(db, Number(row['doc']), kind, Number(row['event']), String(row['text']))
  }
}

/** Links a document that is one text, a title or a digest; null if it has none any more. */
export function linkDocument(db: Database, doc: number, kind: 'title' | 'digest', text: string | null): void {
  if (!keepsVectors(db)) return
  db.run('DELETE FROM embedding_link WHERE doc = ?', doc)
  if (text !== null) link(db, doc, kind, 0, text)
}

function link(db: Database, doc: number, kind: VectorKind, event: number, text: string): void {
  const read = embeddable(text)
  if (read === null) return
  db.hot('INSERT OR REPLACE INTO embedding_link (doc, kind, event, hash) VALUES (?, ?, ?, ?)').run(
    doc,
    VECTOR_KINDS.indexOf(kind),
    event,
    textHash(read),
  )
}

/** Inside the transaction that drops texts: vectors that no text has any more go with them. */
export function dropLooseVectors(db: Database): void {
  if (!keepsVectors(db)) return
  db.run('DELETE FROM embedding WHERE hash NOT IN (SELECT hash FROM embedding_link)')
}
