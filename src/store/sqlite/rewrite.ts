import { packChunk, readChunk, type PackWriter } from '../blobs/packs.ts'
import type { TextRewriter } from '../memory.ts'
import type { Database, Row } from './database.ts'
import { dropDeadChunks } from './compact.ts'
import { dropDigestLane, indexDigest } from './digest-text.ts'
import { indexTitle } from './documents.ts'
import { indexExchanges } from './exchanges.ts'

/** Lanes whose transcript will not be read again: only what is stored of them can be changed. */
const OUT_OF_REACH = `(l.file IS NULL OR l.name LIKE '%~lost' OR EXISTS (SELECT 1 FROM file f WHERE f.id = l.file AND f.status IN ('gone', 'failed')))`

/** Changes, in place, every stored text that no transcript can give anew. Returns how many lanes changed. */
export function rewriteTexts(db: Database, packs: PackWriter, blobDir: string, rewriter: TextRewriter): number {
  let changed = 0
  for (const lane of db.all(`SELECT l.id, l.session, l.facts, l.side FROM lane l WHERE ${OUT_OF_REACH}`)) {
    const id = Number(lane['id'])
    const words = rewriteEvents(db, id, rewriter)
    const bodies = rewriteBodies(db, packs, blobDir, lane, rewriter)
    rewriteJson(db, 'lane', ['facts', 'side'], lane, rewriter)
    if (!words && !bodies) continue
    changed++
    indexExchanges(db, id, 0)
    if (bodies) dropDeadChunks(db, Number(lane['session']))
  }
  for (const row of db.all('SELECT rowid AS id, json FROM digests')) rewriteJson(db, 'digests', ['json'], row, rewriter)
  rewriteSessions(db, rewriter)
  return changed
}

function rewriteEvents(db: Database, lane: number, { text, json }: TextRewriter): boolean {
  let changed = false
  for (const row of db.all('SELECT id, text, summary, input FROM event WHERE lane = ?', lane)) {
    const now = {
      text: row['text'] === null ? null : text(String(row['text'])),
      summary: row['summary'] === null ? null : text(String(row['summary'])),
      input: row['input'] === null ? null : JSON.stringify(json(JSON.parse(String(row['input'])))),
    }
    if (now.text === row['text'] && now.summary === row['summary'] && now.input === row['input']) continue
    db.run(
      'UPDATE event SET text = ?, summary = ?, input = ? WHERE id = ?',
      now.text,
      now.summary,
      now.input,
      Number(row['id']),
    )
    changed = true
  }
  return changed
}

function rewriteBodies(db: Database, packs: PackWriter, blobDir: string, lane: Row, { text }: TextRewriter): boolean {
  const rows = db.all(
    `SELECT e.id, e.body_offset AS start, e.body_length AS length, c.id AS chunk, c.pack, c.offset, c.length AS packed
     FROM event e JOIN chunk c ON c.id = e.chunk WHERE e.lane = ? ORDER BY c.id, e.body_offset`,
    Number(lane['id']),
  )
  let changed = false
  for (const row of rows) {
    const place = { pack: Number(row['pack']), offset: Number(row['offset']), length: Number(row['packed']) }
    const start = Number(row['start'])
    const body = readChunk(blobDir, place)?.toString('utf8', start, start + Number(row['length'])) ?? ''
    const now = text(body)
    if (now === body) continue
    const raw = Buffer.from(now)
    const moved = packs.append(packChunk(raw))
    const chunk = db.run(
      'INSERT INTO chunk (session, pack, offset, length, raw_length) VALUES (?, ?, ?, ?, ?)',
      Number(lane['session']),
      moved.pack,
      moved.offset,
      moved.length,
      raw.length,
    ).lastId
    db.run(
      'UPDATE event SET chunk = ?, body_offset = 0, body_length = ? WHERE id = ?',
      chunk,
      raw.length,
      Number(row['id']),
    )
    changed = true
  }
  return changed
}

function rewriteJson(db: Database, table: string, columns: readonly string[], row: Row, { json }: TextRewriter): void {
  for (const column of columns) {
    const before = String(row[column])
    const after = JSON.stringify(json(JSON.parse(before)))
    if (after !== before) db.run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, after, Number(row['id']))
  }
}

const SESSION_TEXTS = ['title', 'told_title', 'cwd', 'git_repo', 'git_branch'] as const

function rewriteSessions(db: Database, { text }: TextRewriter): void {
  for (const row of db.all(`SELECT id, evicted_at, indexed_title, ${SESSION_TEXTS.join(', ')} FROM session`)) {
    const id = Number(row['id'])
    for (const column of SESSION_TEXTS) {
      const before = row[column]
      const after = typeof before === 'string' ? text(before) : null
      if (after !== null && after !== before) db.run(`UPDATE session SET ${column} = ? WHERE id = ?`, after, id)
    }
    const title = row['indexed_title']
    if (typeof title === 'string' && text(title) !== title) indexTitle(db, id, text(title))
    if (row['evicted_at'] === null) continue
    dropDigestLane(db, id)
    indexDigest(db, id)
  }
  for (const [table, column] of [
    ['problem', 'message'],
    ['signal', 'summary'],
    ['told_title', 'title'],
  ] as const) {
    for (const row of db.all(`SELECT DISTINCT ${column} AS value FROM ${table}`)) {
      const before = String(row['value'])
      const after = text(before)
      if (after !== before) db.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, after, before)
    }
  }
}
