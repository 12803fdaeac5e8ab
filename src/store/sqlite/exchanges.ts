import type { Database } from './database.ts'
import { fieldOf, type Field } from './document-ids.ts'
import { insertDocument, nextDocument, removeDocument } from './documents.ts'
import { linkExchanges } from './vectors-links.ts'
import { HIDDEN } from './event-conditions.ts'

/** A long exchange is several documents: one that is about everything would answer every question. */
const MAX_DOCUMENT = 4096

interface Document {
  readonly exchange: number
  readonly first: number
  last: number
  length: number
  readonly fields: Partial<Record<Field, string[]>>
}

/**
 * Builds the searchable text of a lane anew, from position `from` on: one document per exchange, or
 * several for a long one, cut by size alone, so that it never matters how the text arrived.
 */
export function indexExchanges(db: Database, lane: number, from: number): void {
  const start = dropFrom(db, lane, from)
  const session = Number(db.get('SELECT session FROM lane WHERE id = ?', lane)?.['session'])
  const files = filesByPlace(db, lane, start)
  let current: Document | null = null
  let id = nextDocument(db, session)
  const save = (document: Document) => {
    db.hot('INSERT INTO exchange (id, lane, ord, first_pos, last_pos, size) VALUES (?, ?, ?, ?, ?, ?)').run(
      id,
      lane,
      document.exchange,
      document.first,
      document.last,
      document.length,
    )
    const fields = Object.entries(document.fields).map(([field, texts]) => [field, texts.join('\n')])
    insertDocument(db, id++, Object.fromEntries(fields) as Partial<Record<Field, string>>)
  }
  for (const { pos, exchange, field, text } of shownEvents(db, lane, start)) {
    if (current === null || exchange !== current.exchange || current.length >= MAX_DOCUMENT) {
      if (current !== null) save(current)
      current = { exchange, first: pos, last: pos, length: 0, fields: {} }
    }
    current.last = pos
    if (field !== null && text !== '') {
      add(current, field, text)
      current.length += text.length
    }
    for (const file of files.get(pos) ?? []) add(current, 'file', file)
  }
  if (current !== null) save(current)
  linkExchanges(db, lane, start)
}

/** Drops every document that reaches `from` or would go on there. Returns where to build from. */
function dropFrom(db: Database, lane: number, from: number): number {
  const exchange = db.get('SELECT exchange FROM event WHERE lane = ? AND pos >= ? ORDER BY pos LIMIT 1', lane, from)
  const last = db.get(
    'SELECT ord, first_pos FROM exchange WHERE lane = ? AND first_pos < ? ORDER BY first_pos DESC LIMIT 1',
    lane,
    from,
  )
  const goesOn = last !== undefined && last['ord'] === exchange?.['exchange']
  const start = goesOn ? Number(last['first_pos']) : from
  for (const row of db.all('SELECT id FROM exchange WHERE lane = ? AND first_pos >= ?', lane, start)) {
    removeDocument(db, Number(row['id']))
    db.run('DELETE FROM exchange WHERE id = ?', Number(row['id']))
  }
  return start
}

/** So many are in memory at once. */
const EVENTS_READ = 500

interface ShownEvent {
  readonly pos: number
  readonly exchange: number
  readonly field: Field | null
  readonly text: string
}

function* shownEvents(db: Database, lane: number, start: number): Generator<ShownEvent> {
  for (let from = start, read = EVENTS_READ; read === EVENTS_READ;) {
    const rows = db.lists(
      `SELECT pos, exchange, kind, flags, text FROM event
       WHERE lane = ? AND pos >= ? AND flags & ${HIDDEN} = 0 ORDER BY pos LIMIT ${EVENTS_READ}`,
      lane,
      from,
    )
    for (const [pos, exchange, kind, flags, text] of rows) {
      from = Number(pos) + 1
      const field = fieldOf(String(kind), Number(flags))
      yield { pos: Number(pos), exchange: Number(exchange), field, text: typeof text === 'string' ? text : '' }
    }
    read = rows.length
  }
}

function filesByPlace(db: Database, lane: number, from: number): Map<number, string[]> {
  const files = new Map<number, string[]>()
  const rows = db.lists(
    `SELECT e.pos, p.name FROM event e JOIN touch t ON t.event = e.id JOIN path p ON p.id = t.path
     WHERE e.lane = ? AND e.pos >= ? ORDER BY e.pos, p.name`,
    lane,
    from,
  )
  for (const [pos, name] of rows) {
    const names = files.get(Number(pos))
    if (names) names.push(String(name))
    else files.set(Number(pos), [String(name)])
  }
  return files
}

/** A path that is named again and again in one exchange counts once. */
function add(document: Document, field: Field, text: string): void {
  const texts = (document.fields[field] ??= [])
  if (field !== 'file' || !texts.includes(text)) texts.push(text)
}
