/**
 * Plain BM25 over messages, the thing to beat: every prompt, answer, thought, call and error (first 2 KB) is an FTS5 document
 * of its own; the words of the question joined by OR, bm25 as it comes, the session of the best message.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

/** @typedef {import("../run.mjs").Adapter} Adapter */

const MAX_ERROR = 2048
const MESSAGES = 200

/** @param {{ tokenizer?: string }} [how] @returns {Adapter} */
export function messages({ tokenizer = 'porter unicode61' } = {}) {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE VIRTUAL TABLE message USING fts5(uid UNINDEXED, body, tokenize='${tokenizer}')`)
  const find = db.prepare(`SELECT uid FROM message WHERE message MATCH ? ORDER BY rank LIMIT ${MESSAGES}`)
  return {
    name: 'bm25 per message',
    prepare({ home, sessions }) {
      const insert = db.prepare('INSERT INTO message (uid, body) VALUES (?, ?)')
      db.exec('BEGIN')
      for (const { id, path } of sessions)
        for (const text of messagesOf(readFileSync(join(home, path), 'utf8'))) insert.run(id, text)
      db.exec('COMMIT')
    },
    search(text) {
      const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
      if (words.length === 0) return []
      const match = [...new Set(words)].map((word) => `"${word}"`).join(' OR ')
      const found = find.all(match).map((row) => String(/** @type {any} */ (row).uid))
      return [...new Set(found)].map((session) => ({ session, lowConfidence: false }))
    },
    close: () => db.close(),
  }
}

/** @param {string} transcript */
function* messagesOf(transcript) {
  for (const line of transcript.split('\n')) {
    if (line === '') continue
    const record = JSON.parse(line)
    const content = record.message?.content
    if (typeof record.aiTitle === 'string') yield record.aiTitle
    if (typeof content === 'string') yield content
    for (const block of Array.isArray(content) ? content : []) {
      if (block.type === 'text') yield block.text
      else if (block.type === 'thinking') yield block.thinking
      else if (block.type === 'tool_use') yield strings(block.input).join('\n')
      else if (block.is_error) yield String(block.content).slice(0, MAX_ERROR)
    }
  }
}

/** @param {unknown} value @returns {string[]} */
function strings(value) {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : []
}
