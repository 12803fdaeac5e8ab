/** The parts of a benchmark run that every home goes through. Each returns rows; none prints. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compete, countCheck, freshScratch, ours, peersFor } from './contest.mjs'
import { SIZES, benchVocabulary } from './generate.mjs'
import { NEEDLE } from './homes/claude.mjs'
import { cleanEnvironment } from './measure.mjs'
import { directoryBytes, foundSessions, indexedSessions, recallOn } from './ours.mjs'
import { wording } from './wording.mjs'

/**
 * @typedef {import("./measure.mjs").Program} Program
 * @typedef {import("./contest.mjs").Row} Row
 * @typedef {import("./contest.mjs").Stage} Stage
 */

const COLD_ROUNDS = 3
const NO_OP_ROUNDS = 5
const QUICK_ROUNDS = 20
const SEARCH_RANKS = [200, 3000]
const ANSWER_LIMIT = 20

/** Start-up: `recall --version` beside an empty Node. @param {Stage} stage @returns {Promise<Row[]>} */
export async function startPart(stage) {
  const env = cleanEnvironment(stage)
  /** @type {Program} */
  const node = { command: process.execPath, args: ['-e', '0'], env, memory: false }
  const contestants = [
    { tool: 'node -e 0', program: () => node },
    ours('recall --version', () => recallOn(stage).version()),
  ]
  return compete(stage, { job: 'start', rounds: QUICK_ROUNDS, contestants })
}

/**
 * A cold index of the home, beside the peers that read the same records; then an index with nothing
 * to do. Leaves the last store in `storeScratch`.
 *
 * @param {Stage} stage
 * @returns {Promise<{ rows: Row[], storeScratch: string, storeShare: number | undefined }>}
 */
export async function indexPart(stage) {
  const { size, home } = stage
  const expected = SIZES[size].sessions
  let storeScratch = ''
  const cold = ours('recall index', () => {
    storeScratch = freshScratch(stage)
    return recallOn({ home, scratch: storeScratch }).index()
  })
  const contestants = [
    { ...cold, check: (/** @type {string} */ stdout) => countCheck(indexedSessions(stdout), expected) },
    ...peersFor('usage', stage, ''),
  ]
  const rows = await compete(stage, { job: 'read everything', rounds: COLD_ROUNDS, contestants })
  if (!rows[0].runs.every((run) => run.ok)) return { rows, storeScratch, storeShare: undefined }

  const again = {
    ...ours('recall index', () => recallOn({ home, scratch: storeScratch }).index()),
    check: (/** @type {string} */ stdout) => countCheck(indexedSessions(stdout), 0),
  }
  rows.push(...(await compete(stage, { job: 'nothing new', rounds: NO_OP_ROUNDS, contestants: [again] })))
  const storeBytes = recallOn({ home, scratch: storeScratch }).storeBytes()
  return { rows, storeScratch, storeShare: storeBytes / directoryBytes(home) }
}

/**
 * A store of the home, made once and not measured. Returns the scratch directory it is in.
 *
 * @param {Stage} stage
 */
export async function storePart(stage) {
  const scratch = freshScratch(stage)
  const recall = ours('recall index', recallOn({ home: stage.home, scratch }).index)
  await compete(stage, { job: 'store', rounds: 1, contestants: [recall] })
  return scratch
}

/**
 * Listing and searching as whole processes, beside the peers that search.
 *
 * @param {Stage} stage
 * @param {string} storeScratch
 * @returns {Promise<Row[]>}
 */
export async function queryPart(stage, storeScratch) {
  const { home } = stage
  const recall = recallOn({ home, scratch: storeScratch })
  const rows = await compete(stage, {
    job: 'list',
    rounds: QUICK_ROUNDS,
    contestants: [ours('recall list', recall.list)],
  })

  const vocabulary = benchVocabulary()
  for (const word of [...SEARCH_RANKS.map(vocabulary.plainWordNear), NEEDLE.word]) {
    const holding = sessionsHolding(home, word)
    const note = (/** @type {number} */ found) =>
      holding > ANSWER_LIMIT ? undefined : `${found} of ${holding} sessions found`
    const search = ours('recall search', () => recall.search(word))
    const job = `search "${word}"`
    const check = (/** @type {string} */ stdout) => note(foundSessions(stdout))
    rows.push(...(await compete(stage, { job, rounds: QUICK_ROUNDS, contestants: [{ ...search, check }] })))
    const peers = peersFor('search', stage, word, note)
    rows.push(...(await compete(stage, { job, rounds: COLD_ROUNDS, contestants: peers })))
  }
  return rows
}

/** The report that the peers give of a day's tokens and money, as `report.mjs` looks for it. */
export const COST_JOB = 'tokens and cost by day'

/**
 * Tokens and money by day, start-up and all, beside the peers that read the files for it.
 *
 * @param {Stage} stage
 * @param {string} storeScratch with the store of this home
 * @returns {Promise<Row[]>}
 */
export async function costPart(stage, storeScratch) {
  const recall = recallOn({ home: stage.home, scratch: storeScratch })
  const hasDays = (/** @type {string} */ stdout) =>
    JSON.parse(stdout).rows?.length > 0 ? undefined : 'WRONG: it knows no day'
  const contestants = [
    { ...ours('recall cost', recall.costByDay), check: hasDays },
    { ...ours('recall stats tokens', recall.allTokensByDay), check: hasDays },
    ...peersFor('usage', stage, ''),
  ]
  return compete(stage, { job: COST_JOB, rounds: NO_OP_ROUNDS, contestants })
}

/**
 * The store of a home with real sessions against the bytes of its files.
 *
 * @param {Stage} stage
 * @returns {Promise<{ rows: Row[], storeShare: number | undefined }>}
 */
export async function recordedPart(stage) {
  const recall = recallOn({ home: stage.home, scratch: freshScratch(stage) })
  const contestants = [ours('recall index', recall.index)]
  const rows = await compete(stage, { job: 'read everything', rounds: 1, contestants })
  const indexed = rows[0].runs[0]?.ok === true
  return { rows, storeShare: indexed ? recall.storeBytes() / directoryBytes(stage.home) : undefined }
}

/**
 * How many sessions have the word in a prompt, an answer, thinking or a command.
 *
 * @param {string} home
 * @param {string} word
 */
function sessionsHolding(home, word) {
  const root = join(home, '.claude', 'projects')
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu')
  const sessions = new Set()
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.jsonl')) continue
    const text = readFileSync(join(root, path), 'utf8')
    if (!whole.test(text)) continue
    for (const line of text.split('\n')) {
      if (!whole.test(line)) continue
      const record = JSON.parse(line)
      for (const [, said] of wording(record)) if (whole.test(said)) sessions.add(record.sessionId)
    }
  }
  return sessions.size
}
