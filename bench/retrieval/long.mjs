/**
 * Long sessions of people who work with an agent, as logs of real work are: exchanges of 5 to 200 KB with dozens of calls,
 * pages of thinking, pasted logs, boilerplate around short requests, the same subject in several sessions. `open` is the half
 * that search may be tuned on; `held` has other sessions, other names and other questions; any other seed has sessions and names
 * of its own and asks about the templates of both.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchVocabulary } from '../generate.mjs'
import { createOutput } from '../homes/output.mjs'
import { createProject } from '../homes/project.mjs'
import { createProse } from '../homes/prose.mjs'
import { createRandom } from '../homes/random.mjs'
import { createSink } from '../homes/sink.mjs'
import { transcriptPath, writeTalk } from './home.mjs'
import { longQuestions } from './long-questions.mjs'
import { tellLong } from './long-session.mjs'
import { projectSlots } from './slots.mjs'
import { readLongStock } from './long-stock.mjs'
import { shuffled } from './talk.mjs'

/**
 * `half`: which of the templates a prompt or a fact came from, so that each half of the benchmark asks about its own.
 *
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {import("../homes/project.mjs").Project} Code
 * @typedef {import("./slots.mjs").Slots} Slots
 * @typedef {import("./stock.mjs").Case} Case
 * @typedef {string} Seed
 * @typedef {{ text: string, half: number, plain: boolean }} Typed
 * @typedef {{ text: string, half: number }} Fact
 * @typedef {{ id: string, random: Random, project: string, about: import("./stock.mjs").Project, code: Code, cwd: string,
 *   branch: string, startMs: number, size: number, cases: Case[], tongues: import("./long-stock.mjs").Tongue[],
 *   exchanges: import("./steps.mjs").Exchange[], typed: Typed[], asked: Fact[], foreign: Fact[], errors: string[],
 *   commands: string[], files: Set<string> }} LongSession
 * @typedef {{ stock: import("./long-stock.mjs").LongStock, prose: import("../homes/prose.mjs").Prose,
 *   output: import("../homes/output.mjs").Output, words: readonly string[], told: string[] }} World
 */

const PROJECTS = 14
const SESSIONS = 96
const FOREIGN = 200
/** Exchanges of an ordinary session, and of the one that grew to 20 MB. */
const EXCHANGES = 11
const HUGE = 130
const END_MS = Date.UTC(2026, 4, 31, 18)
const DAYS = 120

/** Which templates are asked about: of any seed but these, both halves. @type {Record<string, readonly number[]>} */
const HALVES = { open: [0], held: [1] }
const BOTH = [0, 1]

/** Writes the sessions, `sessions.json` and `questions.json` into an empty directory. @param {string} home @param {Seed} seed */
export function writeLongHome(home, seed = 'open') {
  const { sessions, world } = planLong(home, seed)
  const sink = createSink(home)
  for (const session of sessions) {
    tellLong(world, session)
    writeTalk(
      sink,
      session,
      session.random.chance(0.6) ? () => session.typed[0]?.text.slice(0, 60) ?? 'Work' : undefined,
    )
    for (const exchange of session.exchanges) exchange.steps = []
  }
  const questions = longQuestions(createRandom(`long/${seed}/questions`), world, sessions, HALVES[seed] ?? BOTH)
  const list = sessions.map((session) => {
    const { id, project, cwd, exchanges } = session
    return {
      id: `claude:${id}`,
      path: transcriptPath(session),
      project,
      cwd,
      kind: 'code',
      exchanges: exchanges.length,
    }
  })
  for (const [name, rows] of Object.entries({ sessions: list, questions, tasks: [] }))
    writeFileSync(join(home, `${name}.json`), `${JSON.stringify(rows, null, 1)}\n`)
  return { sessions: list, questions, tasks: [], ...sink.totals() }
}

/** @param {string} home @param {Seed} seed */
function planLong(home, seed) {
  const vocabulary = benchVocabulary()
  const stock = readLongStock()
  const random = createRandom(`long/${seed}/plan`)
  const about = shuffled(random, stock.projects).slice(0, PROJECTS)
  const codes = about.map((_, index) => createProject(vocabulary, { seed: `long/${seed}`, index }))
  const sessions = Array.from({ length: SESSIONS }, (_, i) => draft(home, seed, i, about, codes))
  for (const one of stock.cases) for (let n = random.int(1, 3); n > 0; n--) random.pick(sessions).cases.push(one)
  for (let i = 0; i < FOREIGN; i++) random.pick(sessions).tongues.push(stock.tongues[i % stock.tongues.length])
  const words = [...new Set(vocabulary.programming)]
  /** @type {World} */
  const world = { stock, prose: createProse(vocabulary), output: createOutput(vocabulary), words, told: [] }
  return { sessions: sessions.sort((a, b) => a.startMs - b.startMs), world }
}

/**
 * @param {string} home
 * @param {Seed} seed
 * @param {number} index
 * @param {import("./stock.mjs").Project[]} about
 * @param {Code[]} codes
 * @returns {LongSession}
 */
function draft(home, seed, index, about, codes) {
  const random = createRandom(`long/${seed}/${index}`)
  const at = Math.min(random.below(PROJECTS), random.below(PROJECTS))
  const project = about[at]
  const branch = random.pick([
    'main',
    `${random.pick(project.people).toLowerCase()}/${random.pick(codes[at].branches)}`,
  ])
  const startMs = Math.floor(END_MS - random.float() * DAYS * 86_400_000)
  const size = index === 0 ? HUGE : random.skewedInt(EXCHANGES, 0.7, 60)
  const cwd = `${home}/code/${project.svc}`
  const place = { project: project.svc, about: project, code: partOf(random, codes[at]), cwd, branch, startMs, size }
  const empty = { cases: [], tongues: [], exchanges: [], typed: [], asked: [], foreign: [], errors: [], commands: [] }
  return { id: random.uuid(), random, ...place, ...empty, files: new Set() }
}

/** What of a code base a session is about: some files and names, the first of them in many sessions. @param {Random} random @param {Code} code */
function partOf(random, code) {
  const some = (/** @type {number} */ all) => Math.min(random.below(all), random.below(all))
  const pickOf = (/** @type {readonly any[]} */ items, /** @type {number} */ count) => [
    ...new Set(Array.from({ length: count }, () => items[some(items.length)])),
  ]
  return { ...code, files: pickOf(code.files, 9), identifiers: pickOf(code.identifiers, 24) }
}

/** Names of the session's own code, for the slots of prompts and narration. @param {World} world @param {LongSession} session @returns {Slots} */
export function longSlots({ words }, { random, about, code, branch }) {
  const [file, other] = [random.pick(code.files), random.pick(code.files)]
  const base = (/** @type {string} */ path) => path.slice(path.lastIndexOf('/') + 1)
  return {
    ...projectSlots(random, about),
    fn: random.pick(code.identifiers),
    fn2: random.pick(code.identifiers),
    base: base(file.path),
    base2: base(other.path),
    word: random.pick(words),
    word2: random.pick(words),
    branch: branch === 'main' ? random.pick(code.branches) : branch,
  }
}
