/**
 * The bare thing to beat: one FTS5 document a session, porter stems, the words of the question joined by OR, bm25.
 * It indexes what recall indexes: prompts, answers, thinking, the arguments of calls, the first 2 KB of errors.
 * `baseline-all` takes whole tool results too.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

/** @typedef {import("../run.mjs").Adapter} Adapter */

const MAX_ERROR = 2048

/** @param {{ results?: boolean }} [how] @returns {Adapter} */
export function baseline({ results = false } = {}) {
  const db = new DatabaseSync(':memory:')
  db.exec("CREATE VIRTUAL TABLE doc USING fts5(uid UNINDEXED, body, tokenize='porter unicode61')")
  const find = db.prepare('SELECT uid FROM doc WHERE doc MATCH ? ORDER BY bm25(doc), uid LIMIT 10')
  return {
    name: results ? 'baseline-all' : 'baseline',
    prepare({ home, sessions }) {
      const insert = db.prepare('INSERT INTO doc (uid, body) VALUES (?, ?)')
      db.exec('BEGIN')
      for (const { id, path } of sessions) insert.run(id, documentOf(readFileSync(join(home, path), 'utf8'), results))
      db.exec('COMMIT')
    },
    search(text) {
      const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
      if (words.length === 0) return []
      const match = [...new Set(words)].map((word) => `"${word}"`).join(' OR ')
      return find.all(match).map((row) => ({ session: String(/** @type {any} */ (row).uid), lowConfidence: false }))
    },
    close: () => db.close(),
  }
}

/** @param {string} transcript @param {boolean} results */
function documentOf(transcript, results) {
  const parts = []
  for (const line of transcript.split('\n')) {
    if (line === '') continue
    const record = JSON.parse(line)
    const content = record.message?.content
    if (typeof record.aiTitle === 'string') parts.push(record.aiTitle)
    if (typeof content === 'string') parts.push(content)
    if (!Array.isArray(content)) continue
    for (const block of content) {
      if (block.type === 'text') parts.push(block.text)
      else if (block.type === 'thinking') parts.push(block.thinking)
      else if (block.type === 'tool_use') parts.push(...strings(block.input))
      else if (results) parts.push(block.content)
      else if (block.is_error) parts.push(block.content.slice(0, MAX_ERROR))
    }
  }
  return parts.join('\n')
}

/** @param {unknown} value @returns {string[]} */
function strings(value) {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : []
}
