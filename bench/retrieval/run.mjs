#!/usr/bin/env node
/**
 * Asks a tool the judged questions:
 *
 *   node bench/retrieval/run.mjs [--tool recall|recall-dist|messages|baseline|baseline-all|<module>]
 *     [--set coding|chats|long] [--seed open|held|NAME] [--mode keyword|hybrid|vector] [--home DIR] [--tasks] [--json] [--misses]
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { baseline } from './adapters/baseline.mjs'
import { messages } from './adapters/messages.mjs'
import { recall } from './adapters/recall.mjs'
import { GENERATORS } from './generate.mjs'
import { rankOf, scoreQuestions, scoreTasks } from './score.mjs'

/**
 * What a tool has to offer. `prepare` reads the home (transcripts at `sessions[].path` below it) and may write below
 * `scratch`; it is not timed; `indexed` if an earlier run has left its index there. `search` gives the best session first.
 * `space` tells the bytes of its full-text indexes and of the text in them. `answer` is for the other commands: null if the
 * tool has no such command, empty lists if it has nothing to say; `lowConfidence` if it is no more than a guess.
 *
 * `confidence` is how sure the tool is of a hit, if it says so.
 *
 * @typedef {{ session: string, lowConfidence?: boolean, confidence?: string }} Found
 * @typedef {{ sessions: string[], commands: string[], lowConfidence?: boolean }} Answer
 * @typedef {{ id: string, path: string, project: string, cwd: string }} Listed
 * @typedef {{
 *   name: string,
 *   prepare(place: { home: string, scratch: string, sessions: Listed[], indexed?: boolean }): void | Promise<void>,
 *   search(text: string, limit?: number): Found[] | Promise<Found[]>,
 *   space?(): { index: number, text: number },
 *   answer?(task: import("./tasks.mjs").Task): Answer | null | Promise<Answer | null>,
 *   close?(): void | Promise<void>,
 * }} Adapter
 */

/** @type {Record<string, (how?: { mode?: string }) => Adapter>} */
const ADAPTERS = {
  recall,
  'recall-dist': (how) => recall({ built: true, ...how }),
  messages: () => messages(),
  baseline: () => baseline(),
  'baseline-all': () => baseline({ results: true }),
}

/** @param {string} tool a known name, or the path of a module whose default export makes an adapter @returns {Promise<Adapter>} */
export async function adapterFor(tool, mode = 'keyword') {
  const known = ADAPTERS[tool]
  if (known !== undefined) return known({ mode })
  const { default: make } = await import(pathToFileURL(resolve(tool)).href)
  return make()
}

/**
 * @param {Adapter} adapter
 * @param {{ home?: string, set?: keyof typeof GENERATORS, seed?: Seed, tasks?: boolean }} [how] without a home, a new one
 *   is made and removed; without a seed, all questions of a home are asked
 */
export async function runRetrieval(adapter, { home, set = 'coding', seed, tasks = false } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'recall-retrieval-'))
  try {
    const place = home === undefined ? join(scratch, 'home') : resolve(home)
    if (!existsSync(join(place, 'questions.json'))) GENERATORS[set](place, seed)
    await adapter.prepare({ home: place, scratch: join(scratch, 'store'), sessions: load(place, 'sessions') })
    const asked = []
    for (const question of questionsOf(place, set, seed)) {
      const { value, ms } = await timed(() => adapter.search(question.text))
      const sessions = value.map((/** @type {Found} */ found) => found.session)
      asked.push({
        question,
        sessions,
        lowConfidence: value[0]?.lowConfidence ?? false,
        confidence: value[0]?.confidence,
        ms,
      })
    }
    const tried = []
    for (const task of tasks && adapter.answer ? load(place, 'tasks') : []) {
      const { value, ms } = await timed(() => adapter.answer?.(task) ?? null)
      tried.push({ task, answer: value, ms })
    }
    return { tool: adapter.name, asked, tried, ...scoreQuestions(asked), tasks: scoreTasks(tried) }
  } finally {
    await adapter.close?.()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * Half of every set may be looked at while search is tuned; the other half is held back. The long sessions are others in
 * each half, of the others every second question, and of the chats those whose name ends in `a` or in `b`.
 *
 * @param {string} home
 * @param {string} set
 * @param {Seed} [seed]
 */
function questionsOf(home, set, seed) {
  const all = /** @type {(import("./questions.mjs").Question & { set?: string })[]} */ (load(home, 'questions'))
  if (seed === undefined || set === 'long') return all
  if (seed !== 'open' && seed !== 'held') throw new Error('only the long set has more than two seeds')
  const isHeld = (/** @type {typeof all[number]} */ { set: chat = '' }, /** @type {number} */ i) =>
    /[ab]$/.test(chat) && set === 'chats' ? chat.endsWith('b') : i % 2 === 1
  return all.filter((question, i) => isHeld(question, i) === (seed === 'held'))
}

/** @param {() => any} work */
async function timed(work) {
  const from = performance.now()
  const value = await work()
  return { value, ms: performance.now() - from }
}

/** @param {string} home @param {string} name */
const load = (home, name) => JSON.parse(readFileSync(join(home, `${name}.json`), 'utf8'))

/** @typedef {Awaited<ReturnType<typeof runRetrieval>>} Report */
/** @typedef {import("./long.mjs").Seed} Seed */

/** @param {Report} report */
function print(report) {
  const rows = { ...report.kinds, all: report.overall, 'but paraphrase': report.without_paraphrase }
  const all = { ...rows, '… on code': report.code, '… on talk': report.talk }
  console.log(`${report.tool}\n`)
  console.log('                     n   hit@1   hit@5  hit@10     MRR   empty')
  for (const [name, { questions, hit1, hit5, hit10, mrr, empty }] of Object.entries(all)) {
    const figures = [hit1, hit5, hit10, mrr].map((figure) => figure.toFixed(3).padStart(8)).join('')
    console.log(`${name.padEnd(16)} ${String(questions).padStart(5)}${figures}${String(empty).padStart(8)}`)
  }
  console.log(`\nfalse-surface rate ${report.false_surface} of ${report.unanswerable} questions without an answer`)
  console.log(`right answers at rank 1 that were flagged low-confidence: ${report.right_but_doubted}`)
  for (const [said, { hits, right }] of Object.entries(report.confidence))
    console.log(`first hits called ${said}: ${hits}, of these right ${right}`)
  console.log(`latency p50 ${report.p50_ms} ms, p95 ${report.p95_ms} ms`)
  for (const { command, known, planted, right, wrong_first, none, silent, p50_ms } of report.tasks) {
    const figures = `right in the top 3: ${right} of ${planted}, wrong at the top: ${wrong_first}, silent on ${none} without an answer: ${silent}`
    console.log(`${command.padEnd(8)} ${known ? `${figures}, p50 ${p50_ms} ms` : 'not offered'}`)
  }
}

/** @param {Report} report */
function printMisses({ asked }) {
  for (const one of asked) {
    const rank = rankOf(one)
    if (one.question.kind !== 'none' && rank !== 1) console.log(`${one.question.id}\t${rank}\t${one.question.text}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false })
  const { values } = parseArgs({
    options: {
      tool: { type: 'string', default: 'recall' },
      set: { type: 'string', default: 'coding' },
      seed: { type: 'string' },
      mode: { type: 'string', default: 'keyword' },
      home: { type: 'string' },
      tasks: flag,
      json: flag,
      misses: flag,
    },
  })
  const seed = /** @type {Seed | undefined} */ (values.seed)
  const where = { ...(values.home === undefined ? {} : { home: values.home }), ...(seed ? { seed } : {}) }
  const set = /** @type {keyof typeof GENERATORS} */ (values.set)
  const report = await runRetrieval(await adapterFor(values.tool, values.mode), { ...where, set, tasks: values.tasks })
  if (values.json) {
    const { asked, tried, ...figures } = report
    const answers = asked.map((one) => ({
      id: one.question.id,
      kind: one.question.kind,
      rank: rankOf(one),
      ms: one.ms,
    }))
    const done = tried.map(({ task, answer }) => ({ id: task.id, answer }))
    console.log(JSON.stringify({ schema_version: 1, ...figures, answers, done }))
  } else print(report)
  if (values.misses) printMisses(report)
}
