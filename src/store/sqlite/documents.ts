import { indexable, nameParts } from '../../model/search-text.ts'
import type { Database } from './database.ts'

/** Fields of the full-text index, in the order of its columns, with how much a match in each weighs. */
export const FIELDS = {
  title: 1,
  prompt: 1,
  answer: 1,
  thinking: 1,
  command: 1,
  file: 1,
  error: 1,
  parts: 0.5,
} as const
export type Field = keyof typeof FIELDS

export const WEIGHTS = Object.values(FIELDS)
  .map((weight) => weight.toFixed(1))
  .join(', ')

/** Documents of a session have numbers of their own block: so a document tells its session. */
const BLOCK = 2 ** 20
export const TITLE_DOCUMENT = 0
export const DIGEST_DOCUMENT = 1
const FIRST_EXCHANGE = 16

export function documentId(session: number, number: number): number {
  return session * BLOCK + number
}

export function sessionOfDocument(id: number): number {
  return Math.floor(id / BLOCK)
}

export function numberOfDocument(id: number): number {
  return id % BLOCK
}

/** The next free number for an exchange of the session. */
export function nextDocument(db: Database, session: number): number {
  const last = db.get(
    'SELECT max(id) AS id FROM exchange WHERE id >= ? AND id < ?',
    documentId(session, FIRST_EXCHANGE),
    documentId(session + 1, 0),
  )?.['id']
  return typeof last === 'number' ? last + 1 : documentId(session, FIRST_EXCHANGE)
}

const INSERT = `INSERT INTO exchange_fts (rowid, ${Object.keys(FIELDS).join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Makes a text findable under this number. What stood under it must be gone. */
export function insertDocument(db: Database, id: number, fields: Readonly<Partial<Record<Field, string>>>): void {
  const { title = '', prompt = '', answer = '', thinking = '', command = '', file = '', error = '' } = fields
  const told = [title, prompt, answer, thinking, command, file, error]
  const parts = nameParts(told)
  db.hot(INSERT).run(id, ...told.map(indexable), parts)
}

export function removeDocument(db: Database, id: number): void {
  db.hot('DELETE FROM exchange_fts WHERE rowid = ?').run(id)
}

/** A title that was given is a document of its own; one made of the first prompt is found through the prompt. */
export function indexTitle(db: Database, session: number, title: string | null): void {
  const id = documentId(session, TITLE_DOCUMENT)
  removeDocument(db, id)
  if (title !== null) insertDocument(db, id, { title })
  db.run('UPDATE session SET indexed_title = ? WHERE id = ?', title, session)
}
