/** Transcripts as the newest Claude Code writes them, most of whose bytes repeat what was sent to the service, beside the same without. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compete, freshScratch, ours } from './contest.mjs'
import { directoryBytes, recallOn } from './ours.mjs'

/**
 * @typedef {import("./contest.mjs").Row} Row
 * @typedef {import("./contest.mjs").Stage} Stage
 */

export const NEWEST_JOB = 'cold index, per megabyte'
export const ORDINARY = 'O'
export const NEWEST = 'N'

const ROUNDS = 3
/** Share of the bytes of such a transcript. */
const SENT = 0.72
const BLOB = `${JSON.stringify({ type: 'api-request-blob', sessionId: 'x', hash: 'h', message: { role: 'user', content: 'word '.repeat(1700) } })}\n`

/**
 * @param {Stage} small a prepared home whose Claude sessions are taken
 * @returns {Promise<Row[]>}
 */
export async function newestPart(small) {
  const homes = [ORDINARY, NEWEST].map((name) => layHome(small, name))
  const contestants = homes.map(({ name, home }) => ({
    ...ours('recall index', () => recallOn({ home, scratch: freshScratch(small) }).index()),
    size: name,
    bytes: directoryBytes(home),
  }))
  return compete(small, { job: NEWEST_JOB, rounds: ROUNDS, contestants })
}

/** @param {Stage} small @param {string} name */
function layHome(small, name) {
  const home = `${small.home}-${name}`
  const from = join(small.home, '.claude', 'projects')
  if (existsSync(home)) return { name, home }
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.jsonl')) continue
    const text = readFileSync(join(from, file), 'utf8')
    const target = join(home, '.claude', 'projects', file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, name === NEWEST ? withRequests(text) : text)
  }
  return { name, home }
}

/** @param {string} text */
function withRequests(text) {
  let owed = 0
  let out = ''
  for (const line of text.split('\n').filter((one) => one !== '')) {
    out += `${line}\n`
    for (owed += (line.length * SENT) / (1 - SENT); owed > BLOB.length; owed -= BLOB.length) out += BLOB
  }
  return out
}
