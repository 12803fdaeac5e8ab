#!/usr/bin/env node
/**
 * Lays down the home of the retrieval benchmark with its questions:
 *
 *   node bench/retrieval/generate.mjs --out DIR [--set coding|chats|long] [--seed open|held|NAME] [--scale 1M]
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createSink } from '../homes/sink.mjs'
import { writeChatsHome } from './chats.mjs'
import { tellCoding } from './coding.mjs'
import { writeLongHome } from './long.mjs'
import { transcriptPath, writeTranscript, writeTrees } from './home.mjs'
import { planSessions } from './plan.mjs'
import { judgedQuestions } from './questions.mjs'
import { writeScaledHome } from './scale.mjs'
import { readStock } from './stock.mjs'
import { tellTalk } from './talk.mjs'
import { plantedTasks } from './tasks.mjs'
import { createTrees } from './trees.mjs'

/**
 * Everything that is told, and what may be asked about it. Pure: the same for the same `home`, whose path stands in
 * the sessions as that of their working directories.
 *
 * @param {string} home
 */
export function tellAll(home) {
  const stock = readStock()
  const sessions = planSessions(stock, home)
  const trees = createTrees()
  const world = { stock, trees, history: new Map(), home, told: [] }
  for (const session of sessions) {
    if (session.pair.length > 0) tellTalk(stock, session)
    else tellCoding(world, session)
  }
  const told = { stock, sessions, trees, home }
  return { ...told, questions: judgedQuestions(stock, sessions), tasks: plantedTasks(told) }
}

/**
 * Writes the home, `questions.json`, `tasks.json` and `sessions.json` into an empty or missing directory.
 *
 * @param {string} out
 */
export function generateRetrievalHome(out) {
  const home = resolve(out)
  refuseFull(home)
  const { sessions, trees, questions, tasks } = tellAll(home)
  const sink = createSink(home)
  for (const session of sessions) writeTranscript(sink, session)
  writeTrees(home, trees, sessions)
  const list = sessions.map((session) => {
    const { id, project, cwd, exchanges, pair } = session
    const kind = pair.length > 0 ? 'talk' : 'code'
    return { id: `claude:${id}`, path: transcriptPath(session), project, cwd, kind, exchanges: exchanges.length }
  })
  for (const [name, rows] of Object.entries({ sessions: list, questions, tasks }))
    writeFileSync(join(home, `${name}.json`), `${JSON.stringify(rows, null, 1)}\n`)
  return { sessions: list, questions, tasks, ...sink.totals() }
}

/** @param {string} out */
function generateChats(out) {
  const home = resolve(out)
  refuseFull(home)
  return writeChatsHome(home)
}

/** @param {string} out @param {import("./long.mjs").Seed} [seed] */
function generateLong(out, seed) {
  const home = resolve(out)
  refuseFull(home)
  return writeLongHome(home, seed)
}

/** The sets of judged questions, each with a home of its own. */
export const GENERATORS = { coding: generateRetrievalHome, chats: generateChats, long: generateLong }

/** @param {string} home */
function refuseFull(home) {
  if (existsSync(home) && readdirSync(home).length > 0) throw new Error(`${home} is not empty`)
  mkdirSync(home, { recursive: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      scale: { type: 'string' },
      set: { type: 'string', default: 'coding' },
      seed: { type: 'string' },
    },
  })
  const generate = GENERATORS[/** @type {keyof typeof GENERATORS} */ (values.set)]
  if (values.out === undefined || !generate || (values.scale !== undefined && values.scale !== '1M')) {
    console.error(
      'usage: node bench/retrieval/generate.mjs --out DIR [--set coding|chats|long] [--seed open|held|NAME] [--scale 1M]',
    )
    process.exitCode = 2
  } else if (values.scale !== undefined) {
    refuseFull(resolve(values.out))
    console.log(JSON.stringify(writeScaledHome(resolve(values.out))))
  } else {
    const { sessions, questions, tasks, files, bytes } = generate(values.out, /** @type {any} */ (values.seed))
    console.log(
      `${sessions.length} sessions in ${files} files, ${bytes} bytes; ${questions.length} questions, ${tasks.length} tasks`,
    )
  }
}
