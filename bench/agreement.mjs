/** Our tokens per day beside those that ccusage 20 counts in the same files. */
import { freshScratch } from './contest.mjs'
import { measure } from './measure.mjs'
import { recallExists, recallOn } from './ours.mjs'
import { ccusageDaily, peerEnvironment } from './peers.mjs'

/**
 * @typedef {import("./contest.mjs").Stage} Stage
 * @typedef {"input" | "output" | "cacheRead" | "cacheWrite"} Field
 * @typedef {Record<Field, number>} Day
 * @typedef {{ day: string, field: Field, ours: number, theirs: number }} Difference
 * @typedef {{ home: string, source: string, reason: string }
 *   | { home: string, source: string, days: number, largest: Record<Field, number>, above: Difference[] }} Agreement
 *   `largest` is the largest difference of any day, as a share of the larger figure.
 */

/** @type {readonly Field[]} */
export const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite']

/** Differences above this share are listed one by one. */
export const TOLERANCE = 0.001

/** @type {import("./measure.mjs").Failure} */
const NOT_BUILT = { ok: false, reason: 'not built yet' }

const SOURCES = /** @type {const} */ (['claude', 'codex'])

/**
 * @param {Stage} stage
 * @returns {Promise<Agreement[]>}
 */
export async function agreementPart(stage) {
  const { size: home, report } = stage
  report(`${home} · agreement`)
  const recall = recallOn({ home: stage.home, scratch: freshScratch(stage) })
  const indexed = recallExists() ? await measure(recall.index()) : NOT_BUILT
  /** @type {Agreement[]} */
  const agreements = []
  for (const source of SOURCES) {
    const ours = indexed.ok ? await measure(recall.tokensByDay(source)) : indexed
    const theirs = await askCcusage(stage, source)
    if (!ours.ok) agreements.push({ home, source, reason: ours.reason })
    else if (!theirs.ok) agreements.push({ home, source, reason: theirs.reason })
    else agreements.push({ home, source, ...compare(ourDays(ours.stdout), theirDays(theirs.stdout)) })
  }
  return agreements
}

/**
 * @param {Stage} stage
 * @param {"claude" | "codex"} source
 * @returns {Promise<import("./measure.mjs").Run>}
 */
async function askCcusage(stage, source) {
  const program = ccusageDaily(source)
  if ('reason' in program) return { ok: false, reason: program.reason }
  return measure({ ...program, env: peerEnvironment({ home: stage.home, scratch: freshScratch(stage) }) })
}

/**
 * A day that one of them does not know counts nothing there; a day of nothing but zeros is no day.
 *
 * @param {Map<string, Day>} ours
 * @param {Map<string, Day>} theirs
 */
export function compare(ours, theirs) {
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const largest = { ...nothing }
  /** @type {Difference[]} */
  const above = []
  let days = 0
  for (const day of [...new Set([...ours.keys(), ...theirs.keys()])].sort()) {
    const [a, b] = [ours.get(day) ?? nothing, theirs.get(day) ?? nothing]
    if (FIELDS.every((field) => a[field] === 0 && b[field] === 0)) continue
    days += 1
    for (const field of FIELDS) {
      const share = difference(a[field], b[field])
      largest[field] = Math.max(largest[field], share)
      if (share > TOLERANCE) above.push({ day, field, ours: a[field], theirs: b[field] })
    }
  }
  return { days, largest, above }
}

/**
 * @param {number} a
 * @param {number} b
 */
export const difference = (a, b) => (a === b ? 0 : Math.abs(a - b) / Math.max(a, b))

/** @param {string} stdout @returns {Map<string, Day>} */
function ourDays(stdout) {
  /** @type {{ key: string | null, input: number, output: number, cache_read: number, cache_write_5m: number,
   *   cache_write_1h: number }[]} */
  const rows = JSON.parse(stdout).rows
  return new Map(
    rows.map((row) => [
      row.key ?? 'no time',
      {
        input: row.input,
        output: row.output,
        cacheRead: row.cache_read,
        cacheWrite: row.cache_write_5m + row.cache_write_1h,
      },
    ]),
  )
}

/** @param {string} stdout @returns {Map<string, Day>} */
function theirDays(stdout) {
  /** @type {{ date: string, inputTokens: number, outputTokens: number, cacheReadTokens: number,
   *   cacheCreationTokens: number }[]} */
  const rows = JSON.parse(stdout).daily ?? []
  return new Map(
    rows.map((row) => [
      row.date,
      {
        input: row.inputTokens,
        output: row.outputTokens,
        cacheRead: row.cacheReadTokens,
        cacheWrite: row.cacheCreationTokens,
      },
    ]),
  )
}
