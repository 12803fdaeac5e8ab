#!/usr/bin/env node
/**
 * Sends far more sessions through a store than its budget holds: a batch is written, swept and deleted, then the next,
 * with dates that move on. Says what each sweep took, and whether the promises held.
 *
 *   node bench/retention.mjs [--bytes 10e9] [--hard 1GiB-in-bytes] [--batch 250e6] [--session 200e3]
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { benchVocabulary } from './generate.mjs'
import { writeSession } from './homes/claude-session.mjs'
import { createOutput } from './homes/output.mjs'
import { createProject } from './homes/project.mjs'
import { createProse } from './homes/prose.mjs'
import { createRandom } from './homes/random.mjs'
import { createSink } from './homes/sink.mjs'
import { cleanEnvironment, measure, median } from './measure.mjs'

/**
 * @typedef {{ bytes: number, hardBytes: number, softBytes: number, batchBytes: number, sessionBytes: number }} Course
 * @typedef {{ sessions: number, files: number, bytes: number, sweepMs: number, cpuMs: number | null, peakBytes: number | null, ingested: number,
 *   analyzed: number, evicted: number, dataLoss: boolean, usageBytes: number, highestBytes: number, diskBytes: number }} Batch
 */

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2025, 0, 6)
const SAMPLE_MS = 50
const MAX_PEAK_BYTES = 300e6
const MAX_GROWTH = 1.5
const GNU_TIME = '/usr/bin/time'
const bin = fileURLToPath(new URL('../bin/recall.js', import.meta.url))

/** @type {Course} */
const BY_HAND = { bytes: 10e9, hardBytes: 2 ** 30, softBytes: 0.75 * 2 ** 30, batchBytes: 250e6, sessionBytes: 200e3 }

/**
 * Runs the whole course in a directory of its own, which is gone afterwards.
 *
 * @param {Course} course
 * @param {(batch: Batch) => void} [onBatch]
 * @returns {Promise<{ batches: Batch[], doctor: string | null }>}
 */
export async function runRetention(course, onBatch = () => undefined) {
  const work = mkdtempSync(join(tmpdir(), 'recall-retention-'))
  const home = join(work, 'home')
  const env = cleanEnvironment({ home, scratch: work })
  mkdirSync(join(work, 'config', 'recall'), { recursive: true })
  writeFileSync(
    join(work, 'config', 'recall', 'config.toml'),
    `[session_memory.retention]\nraw_soft_cap_bytes = ${course.softBytes}\nraw_hard_cap_bytes = ${course.hardBytes}\n`,
  )
  const write = createWriter(home)
  /** @type {Batch[]} */
  const batches = []
  try {
    for (let left = course.bytes; left > 0; left -= course.batchBytes) {
      const written = write(batches.length, { ...course, batchBytes: Math.min(left, course.batchBytes) })
      const batch = { ...written, ...(await sweep(env, join(work, 'data', 'recall'))) }
      batches.push(batch)
      onBatch(batch)
      rmSync(join(home, '.claude'), { recursive: true })
    }
    const doctor = await measure({ command: process.execPath, args: [bin, 'doctor'], env, memory: false })
    return { batches, doctor: doctor.ok ? null : doctor.reason }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @param {string} home */
function createWriter(home) {
  const vocabulary = benchVocabulary()
  const projects = Array.from({ length: 8 }, (_, index) => createProject(vocabulary, { seed: 'retention', index }))
  const scene = { prose: createProse(vocabulary), output: createOutput(vocabulary) }

  /** @param {number} number @param {{ batchBytes: number, sessionBytes: number }} size */
  return function writeBatch(number, { batchBytes, sessionBytes }) {
    const sink = createSink(home)
    const random = createRandom(`retention/${number}`)
    let sessions = 0
    for (; sink.totals().bytes < batchBytes; sessions++) {
      const project = random.pick(projects)
      const directory = `.claude/projects/${project.cwd.replace(/[^a-zA-Z0-9]/g, '-')}`
      const budgetBytes = random.skewed(sessionBytes * 0.6, 0.9)
      const startMs = FIRST_DAY + number * DAY_MS + Math.floor(random.float() * 0.5 * DAY_MS)
      const session = {
        sessionId: random.uuid(),
        cwd: project.cwd,
        gitBranch: random.pick(project.branches),
        version: '2.1.150',
        modern: true,
        slug: random.pick(project.identifiers).toLowerCase(),
        entrypoint: 'cli',
        model: 'claude-opus-4-6',
      }
      writeSession({ random, project, ...scene }, { sink, directory, session, startMs, budgetBytes })
    }
    const { files, bytes } = sink.totals()
    return { sessions, files, bytes }
  }
}

/**
 * One sweep, with usage looked at all the while it runs.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} dataDir
 */
async function sweep(env, dataDir) {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const file = join(dataDir, 'recall.db')
  let highestBytes = 0
  const timer = setInterval(() => (highestBytes = Math.max(highestBytes, sampleUsage(DatabaseSync, file))), SAMPLE_MS)
  const command = [process.execPath, bin, 'sweep', '--json']
  const cpuFile = join(dataDir, '../../cpu')
  const timed = existsSync(GNU_TIME) ? [GNU_TIME, '-q', '-f', '%U %S', '-o', cpuFile, ...command] : command
  const run = await measure({ command: timed[0] ?? '', args: timed.slice(1), env, timeoutMs: 1_800_000 })
  clearInterval(timer)
  if (!run.ok) throw new Error(`the sweep failed: ${run.reason}`)
  const { ingested, analyzed, evicted, data_loss: loss } = JSON.parse(run.stdout)
  const budget = await measure({ command: process.execPath, args: [bin, 'budget', '--json'], env, memory: false })
  if (!budget.ok) throw new Error(`budget failed: ${budget.reason}`)
  const usageBytes = JSON.parse(budget.stdout).tier1.bytes
  return {
    sweepMs: run.wallMs,
    cpuMs: existsSync(cpuFile) ? readSeconds(cpuFile) * 1000 : null,
    peakBytes: run.peakBytes,
    ingested,
    analyzed,
    evicted: evicted.length,
    dataLoss: loss !== null,
    usageBytes,
    highestBytes: Math.max(highestBytes, usageBytes),
    diskBytes: sizeOf(dataDir),
  }
}

/**
 * What the caps are compared with, read beside the running sweep; 0 while nothing was written.
 *
 * @param {typeof import("@photostructure/sqlite").DatabaseSync} DatabaseSync
 * @param {string} file
 */
function sampleUsage(DatabaseSync, file) {
  if (!statSync(`${file}-wal`, { throwIfNoEntry: false })?.size) return 0
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'chunk'").get() === undefined) return 0
    const row = db
      .prepare(
        `SELECT (SELECT coalesce(sum(row_bytes), 0) FROM session WHERE evicted_at IS NULL AND event_count > 0)
           + (SELECT coalesce(sum(length), 0) FROM chunk) AS bytes`,
      )
      .get()
    return Number(row?.['bytes'])
  } finally {
    db.close()
  }
}

/** The sum of the seconds in a file. */
function readSeconds(/** @type {string} */ file) {
  const numbers = readFileSync(file, 'utf8').trim().split(' ').map(Number)
  return numbers.reduce((sum, seconds) => sum + seconds, 0)
}

/** @param {string} dir */
function sizeOf(dir) {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  return files.reduce((sum, name) => sum + (statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}

/**
 * What was promised and did not hold; work is counted, so that the answer does not depend on the machine.
 *
 * @param {{ batches: Batch[], doctor: string | null }} outcome
 * @param {Course} course
 * @returns {string[]}
 */
export function brokenPromises({ batches, doctor }, course) {
  /** @type {string[]} */
  const broken = []
  for (const [number, batch] of batches.entries()) {
    const say = (/** @type {string} */ text) => broken.push(`batch ${number}: ${text}`)
    if (batch.highestBytes > course.hardBytes) say(`${batch.highestBytes} bytes held, above the hard cap`)
    if (batch.usageBytes > course.softBytes) say(`${batch.usageBytes} bytes held after the sweep, above the soft cap`)
    if (batch.peakBytes !== null && batch.peakBytes > MAX_PEAK_BYTES) say(`${batch.peakBytes} bytes of memory`)
    if (batch.dataLoss) say('data was lost')
    if (batch.analyzed < batch.sessions || batch.analyzed > batch.sessions * 1.1)
      say(`${batch.analyzed} analyses of ${batch.sessions} sessions`)
    if (batch.ingested > batch.files * 1.1) say(`${batch.ingested} readings of ${batch.files} transcripts`)
  }
  if (batches.every((batch) => batch.evicted === 0)) broken.push('nothing was evicted')
  if (doctor !== null) broken.push(`doctor: ${doctor}`)
  return broken
}

/** Work per session of the last third of the sweeps that evict, as a multiple of the first third's: time of the processor if known. */
export function growth(/** @type {Batch[]} */ batches) {
  const cost = batches
    .filter((batch) => batch.evicted > 0)
    .map((batch) => (batch.cpuMs ?? batch.sweepMs) / batch.sessions)
  const third = Math.max(1, Math.floor(cost.length / 3))
  return median(cost.slice(-third)) / median(cost.slice(0, third))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const number = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({
    options: { bytes: number, hard: number, soft: number, batch: number, session: number },
  })
  const hardBytes = Number(values.hard ?? BY_HAND.hardBytes)
  const course = {
    bytes: Number(values.bytes ?? BY_HAND.bytes),
    hardBytes,
    softBytes: Number(values.soft ?? hardBytes * 0.75),
    batchBytes: Number(values.batch ?? BY_HAND.batchBytes),
    sessionBytes: Number(values.session ?? BY_HAND.sessionBytes),
  }
  const mega = (/** @type {number | null} */ bytes) => `${((bytes ?? 0) / 1e6).toFixed(1)} MB`
  let total = 0
  const outcome = await runRetention(course, (batch) => {
    total += batch.bytes
    console.log(
      `${mega(total)} in: ${batch.sessions} sessions, ${batch.evicted} evicted, held ${mega(batch.usageBytes)} (at most ${mega(batch.highestBytes)}), ` +
        `disk ${mega(batch.diskBytes)}, ${(batch.sweepMs / 1000).toFixed(1)} s, ${((batch.cpuMs ?? batch.sweepMs) / batch.sessions).toFixed(2)} ms of CPU a session, memory ${mega(batch.peakBytes)}`,
    )
  })
  const times = growth(outcome.batches)
  const broken = brokenPromises(outcome, course)
  if (times > MAX_GROWTH) broken.push(`the last sessions cost ${times.toFixed(2)} × the first`)
  console.log(`the last third of the sweeps cost ${times.toFixed(2)} × the first, per session`)
  console.log(broken.length === 0 ? 'every promise held' : broken.join('\n'))
  process.exitCode = broken.length === 0 ? 0 : 1
}
