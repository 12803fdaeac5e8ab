import { FLAG } from '../store.ts'
import type { Database, Row } from './database.ts'

const HIDDEN = FLAG.copy | FLAG.shelved
const MAX_DOCUMENT = 256 * 1024

interface Document {
  readonly exchange: number
  readonly first: number
  last: number
  length: number
  readonly fields: Record<Field, string[]>
}

type Field = 'prompt' | 'answer' | 'thinking' | 'command' | 'other'

/**
 * Builds the searchable text of a lane anew, from position `from` on: one document per exchange, or
 * several for a long one, cut by size alone, so that it never matters how the text arrived.
 */
export function indexExchanges(db: Database, lane: number, from: number): void {
  const start = dropFrom(db, lane, from)
  let current: Document | null = null
  const rows = db.each(
    `SELECT pos, exchange, kind, flags, text FROM event
     WHERE lane = ? AND pos >= ? AND flags & ${HIDDEN} = 0 ORDER BY pos`,
    lane,
    start,
  )
  for (const row of rows) {
    const pos = Number(row['pos'])
    const exchange = Number(row['exchange'])
    if (current === null || exchange !== current.exchange || current.length >= MAX_DOCUMENT) {
      if (current !== null) save(db, lane, current)
      const fields = { prompt: [], answer: [], thinking: [], command: [], other: [] }
      current = { exchange, first: pos, last: pos, length: 0, fields }
    }
    current.last = pos
    addText(current, row)
  }
  if (current !== null) save(db, lane, current)
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
    db.run('DELETE FROM exchange_fts WHERE rowid = ?', Number(row['id']))
    db.run('DELETE FROM exchange WHERE id = ?', Number(row['id']))
  }
  return start
}

function addText(document: Document, row: Row): void {
  const field = fieldOf(String(row['kind']), Number(row['flags']))
  if (field === null) return
  const text = row['text']
  if (typeof text !== 'string' || text === '') return
  document.fields[field].push(text)
  document.length += text.length
}

function fieldOf(kind: string, flags: number): Field | null {
  switch (kind) {
    case 'user_msg':
      return flags & FLAG.human ? 'prompt' : null
    case 'assistant_msg':
      return 'answer'
    case 'thinking':
      return 'thinking'
    case 'tool_call':
    case 'test_run':
    case 'edit':
    case 'retry':
      return 'command'
    case 'error':
      return 'other'
    default:
      return null
  }
}

function save(db: Database, lane: number, document: Document): void {
  const id = db.run(
    'INSERT INTO exchange (lane, ord, first_pos, last_pos) VALUES (?, ?, ?, ?)',
    lane,
    document.exchange,
    document.first,
    document.last,
  ).lastId
  const { prompt, answer, thinking, command, other } = document.fields
  db.run(
    'INSERT INTO exchange_fts (rowid, prompt, answer, thinking, command, other) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    prompt.join('\n'),
    answer.join('\n'),
    thinking.join('\n'),
    command.join('\n'),
    other.join('\n'),
  )
}
