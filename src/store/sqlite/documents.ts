import { indexable, nameParts, type TextField } from '../../model/search-text.ts'
import { chosenFields } from './chosen-fields.ts'
import type { Database } from './database.ts'
import { documentId, FIELDS, FIRST_EXCHANGE, TITLE_DOCUMENT, type Field } from './document-ids.ts'
import { linkDocument } from './vectors-links.ts'

/** The next free number for an exchange of the session. */
export function nextDocument(db: Database, session: number): number {
  const last = db.get(
    'SELECT max(id) AS id FROM exchange WHERE id >= ? AND id < ?',
    documentId(session, FIRST_EXCHANGE),
    documentId(session + 1, 0),
  )?.['id']
  return typeof last === 'number' ? last + 1 : documentId(session, FIRST_EXCHANGE)
}

type TextColumn = Exclude<Field, 'parts'>

/** Which field of the setting a column belongs to; a title is always findable. */
const FIELD_OF: Readonly<Record<TextColumn, TextField | null>> = {
  title: null,
  prompt: 'content',
  answer: 'content',
  thinking: 'thinking',
  command: 'bash',
  file: 'bash',
  error: 'content',
}
const COLUMNS = Object.keys(FIELD_OF) as TextColumn[]

const INSERT = `INSERT INTO exchange_fts (rowid, ${Object.keys(FIELDS).join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Makes a text findable under this number. What stood under it must be gone. */
export function insertDocument(db: Database, id: number, fields: Readonly<Partial<Record<Field, string>>>): void {
  const chosen = chosenFields(db)
  const textOf = (field: TextColumn) =>
    FIELD_OF[field] === null || chosen.has(FIELD_OF[field]) ? (fields[field] ?? '') : ''
  const texts = COLUMNS.map(textOf)
  const parts = nameParts(texts)
  db.hot(INSERT).run(id, ...texts.map(indexable), parts)
}

export function removeDocument(db: Database, id: number): void {
  db.hot('DELETE FROM exchange_fts WHERE rowid = ?').run(id)
}

/** A title that was given is a document of its own; one made of the first prompt is found through the prompt. */
export function indexTitle(db: Database, session: number, title: string | null): void {
  const id = documentId(session, TITLE_DOCUMENT)
  const old = db.get('SELECT indexed_title FROM session WHERE id = ?', session)?.['indexed_title']
  if (old !== null) removeDocument(db, id)
  if (title !== null) insertDocument(db, id, { title })
  linkDocument(db, id, 'title', title)
  db.run('UPDATE session SET indexed_title = ? WHERE id = ?', title, session)
}
