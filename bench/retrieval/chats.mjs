/**
 * Long chats between two friends, written by hand, with questions asked of them word for word: `chats/*.json`, one
 * conversation a file. Who speaks first in a session is its user, the other one its assistant.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../homes/random.mjs'
import { createSink } from '../homes/sink.mjs'
import { transcriptPath, writeTalk } from './home.mjs'

/**
 * @typedef {{ who: string, text: string }} Turn
 * @typedef {{ speakers: string[], sessions: { id: string, date: string, turns: Turn[] }[],
 *   questions: { text: string, sessions: string[] }[] }} Chat
 */

const FOLDER = fileURLToPath(new URL('chats/', import.meta.url))
const SEED = 'recall-chats-1'

/** All conversations by name, in the order of their names. @returns {[string, Chat][]} */
export function readChats() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))])
}

/**
 * Writes the sessions, `sessions.json` and `questions.json` into an empty directory.
 *
 * @param {string} home
 */
export function writeChatsHome(home) {
  const sink = createSink(home)
  const sessions = []
  const questions = []
  for (const [name, chat] of readChats()) {
    /** @type {Map<string, string>} */
    const uids = new Map()
    for (const told of chat.sessions) {
      const session = sessionOf(home, name, told)
      writeTalk(sink, session)
      const { id, project, cwd, exchanges } = session
      uids.set(told.id, `claude:${id}`)
      const path = transcriptPath(session)
      sessions.push({ id: `claude:${id}`, path, project, cwd, kind: 'talk', exchanges: exchanges.length })
    }
    for (const [i, { text, sessions: right }] of chat.questions.entries()) {
      const answers = right.map((id) => uids.get(id) ?? unknown(name, id))
      const kind = answers.length === 0 ? 'none' : 'question'
      questions.push({ id: `${name}-${i + 1}`, kind, text, answers, about: 'talk', set: name })
    }
  }
  for (const [name, rows] of Object.entries({ sessions, questions, tasks: [] }))
    writeFileSync(join(home, `${name}.json`), `${JSON.stringify(rows, null, 1)}\n`)
  return { sessions, questions, tasks: [], ...sink.totals() }
}

/** @param {string} home @param {string} chat @param {Chat["sessions"][number]} told */
function sessionOf(home, chat, { id, date, turns }) {
  const random = createRandom(`${SEED}/${chat}/${id}`)
  const startMs = Date.parse(date)
  if (Number.isNaN(startMs)) throw new Error(`${chat} ${id}: no date: ${date}`)
  const place = { project: chat, cwd: join(home, 'talk', chat), branch: 'main' }
  return { random, id: random.uuid(), startMs, exchanges: exchangesOf(turns), ...place }
}

/** @param {readonly Turn[]} turns */
function exchangesOf(turns) {
  /** @type {import("./steps.mjs").Exchange[]} */
  const exchanges = []
  let speaking = ''
  for (const { who, text } of turns) {
    const said = `${who}: ${text}`
    const last = exchanges[exchanges.length - 1]
    if (last === undefined || (who === turns[0]?.who && speaking !== who)) exchanges.push({ prompt: said, steps: [] })
    else if (who === speaking && last.steps.length === 0) last.prompt += `\n${said}`
    else last.steps.push({ say: said })
    speaking = who
  }
  return exchanges
}

/** @param {string} chat @param {string} id @returns {never} */
function unknown(chat, id) {
  throw new Error(`${chat}: no session ${id}`)
}
