import { CALL_KINDS } from '../../model/event.ts'
import { embeddable, textHash } from '../../model/embeddable.ts'
import { FLAG } from '../store.ts'
import { VECTOR_KINDS, type VectorKind } from '../vectors.ts'
import type { Database } from './database.ts'

/** Whether somebody has asked for vectors of this store. */
export function keepsVectors(db: Database): boolean {
  return db.get("SELECT 1 FROM meta WHERE key = 'embedding_model'") !== undefined
}

/** Links the texts of a lane's documents from position `from` on, if vectors are kept. */
export function linkExchanges(db: Database, lane: number, from: number): void {
  if (!keepsVectors(db)) return
  const rows = db.each(
    `SELECT x.id AS doc, e.id AS event, e.kind, e.flags, e.text FROM exchange x
     JOIN event e ON e.lane = x.lane AND e.pos BETWEEN x.first_pos AND x.last_pos
     WHERE x.lane = ? AND x.first_pos >= ? AND e.text IS NOT NULL AND e.flags & ${FLAG.copy | FLAG.shelved} = 0`,
    lane,
    from,
  )
  for (const row of rows) {
    const kind = kindOf(String(row['kind']), Number(row['flags']))
    if (kind !== null) link(db, Number(row['doc']), kind, Number(row['event']), String(row['text']))
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

function kindOf(kind: string, flags: number): VectorKind | null {
  if (kind === 'user_msg') return flags & FLAG.human ? 'prompt' : null
  if (kind === 'assistant_msg' || kind === 'decision') return 'answer'
  if (kind === 'thinking') return 'thinking'
  return CALL_KINDS.some((call) => call === kind) ? 'command' : null
}

/** Inside the transaction that drops texts: vectors that no text has any more go with them. */
export function dropLooseVectors(db: Database): void {
  if (!keepsVectors(db)) return
  db.run('DELETE FROM embedding WHERE hash NOT IN (SELECT hash FROM embedding_link)')
}
