#!/usr/bin/env node
/**
 * Are the prompts of real logs found when they are pasted back? Takes any home with logs, writes nothing into it:
 *
 *   node bench/retrieval/own-logs.mjs --home DIR [--count 150] [--seed open|held] [--misses]
 *
 * Prompts that were typed several times are left out. Beside recall stands plain bm25 over all messages of the same store.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { createRandom } from '../homes/random.mjs'
import { recall } from './adapters/recall.mjs'
import { shuffled } from './talk.mjs'

const [COPY, HUMAN] = [4, 8]
const SHORTEST = 12

const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    count: { type: 'string', default: '150' },
    seed: { type: 'string', default: 'open' },
    misses: { type: 'boolean', default: false },
  },
})
if (values.home === undefined || !existsSync(values.home)) {
  console.log('no home with logs: nothing to do')
  process.exit(values.home === undefined ? 2 : 0)
}
const scratch = mkdtempSync(join(tmpdir(), 'recall-own-logs-'))
const ours = recall()
try {
  await ours.prepare({ home: resolve(values.home), scratch, sessions: [] })
  const db = new DatabaseSync(join(scratch, 'recall/recall.db'), { readOnly: true })
  const prompts = promptsOf(db)
  const bare = messagesOf(db)
  const asked = shuffled(createRandom(`own-logs/${values.seed}`), prompts).slice(0, Number(values.count))
  const ranks = { 'bm25 per message': /** @type {number[]} */ ([]), recall: /** @type {number[]} */ ([]) }
  for (const { text, uid } of asked) {
    ranks['bm25 per message'].push(placeOf(bare(text), uid))
    const found = await ours.search(text)
    ranks.recall.push(placeOf([...new Set(found.map(({ session }) => session))], uid))
    const [theirs, own] = [ranks['bm25 per message'].at(-1), ranks.recall.at(-1)]
    if (values.misses && (own !== 1 || theirs !== 1))
      console.log(`${theirs}\t${own}\t${text.slice(0, 100).replace(/\s+/g, ' ')}`)
  }
  console.log(`${asked.length} prompts of ${prompts.length} that were typed once\n`)
  for (const [name, all] of Object.entries(ranks)) {
    const share = (/** @type {number} */ most) =>
      (all.filter((rank) => rank > 0 && rank <= most).length / all.length).toFixed(3)
    console.log(`${name.padEnd(18)} hit@1 ${share(1)}  hit@5 ${share(5)}`)
  }
  db.close()
} finally {
  await ours.close?.()
  rmSync(scratch, { recursive: true, force: true })
}

/** @param {readonly string[]} found @param {string} uid */
function placeOf(found, uid) {
  return found.indexOf(uid) + 1
}

/** @param {DatabaseSync} db @returns {{ text: string, uid: string }[]} */
function promptsOf(db) {
  const rows = /** @type {any[]} */ (
    db
      .prepare(
        `SELECT e.text, s.uid FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
         WHERE e.kind = 'user_msg' AND e.flags & ${HUMAN} AND e.flags & ${COPY} = 0 AND length(e.text) >= ${SHORTEST}
         ORDER BY s.uid, e.pos`,
      )
      .all()
  )
  const key = (/** @type {string} */ text) => text.toLowerCase().replace(/\s+/g, ' ').trim()
  const times = new Map()
  for (const { text } of rows) times.set(key(text), (times.get(key(text)) ?? 0) + 1)
  return rows.filter(({ text }) => times.get(key(text)) === 1)
}

/** @param {DatabaseSync} db @returns {(text: string) => string[]} */
function messagesOf(db) {
  const memory = new DatabaseSync(':memory:')
  memory.exec("CREATE VIRTUAL TABLE message USING fts5(uid UNINDEXED, body, tokenize='porter unicode61')")
  const insert = memory.prepare('INSERT INTO message (uid, body) VALUES (?, ?)')
  const all = db.prepare(
    `SELECT e.text, s.uid FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
     WHERE e.text IS NOT NULL AND e.flags & ${COPY} = 0`,
  )
  memory.exec('BEGIN')
  for (const { text, uid } of /** @type {any[]} */ (all.all())) insert.run(uid, text)
  memory.exec('COMMIT')
  const find = memory.prepare('SELECT uid FROM message WHERE message MATCH ? ORDER BY rank LIMIT 200')
  return (text) => {
    const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])]
    if (words.length === 0) return []
    const found = /** @type {any[]} */ (find.all(words.map((word) => `"${word}"`).join(' OR ')))
    return [...new Set(found.map(({ uid }) => uid))]
  }
}
