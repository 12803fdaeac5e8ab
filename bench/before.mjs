/** A cold index by this build beside one by an earlier build, in turn, on the same homes. */
import { compete, countCheck, freshScratch, ours } from './contest.mjs'
import { directoryBytes, indexedSessions, recallOn } from './ours.mjs'

/**
 * @typedef {import("./contest.mjs").Row} Row
 * @typedef {import("./contest.mjs").Stage} Stage
 * @typedef {import("./contest.mjs").Contestant} Contestant
 */

export const BEFORE_JOB = 'cold index, now and before'
export const NOW = 'recall index'
export const BEFORE = 'recall index, before'

const ROUNDS = 3

/**
 * @param {Stage[]} stages the homes, each prepared
 * @param {string} before the program of the earlier build
 * @returns {Promise<Row[]>}
 */
export async function beforePart(stages, before) {
  const rows = []
  for (const stage of stages) {
    const contestants = [coldIndex(stage, NOW), coldIndex(stage, BEFORE, before)]
    rows.push(...(await compete(stage, { job: BEFORE_JOB, rounds: ROUNDS, contestants })))
  }
  return rows
}

/** @param {Stage} stage @param {string} tool @param {string} [bin] @returns {Contestant} */
function coldIndex(stage, tool, bin) {
  const { size, home } = stage
  const places = () => ({ home, scratch: freshScratch(stage), ...(bin === undefined ? {} : { bin }) })
  return {
    ...ours(tool, () => recallOn(places()).index()),
    size,
    bytes: directoryBytes(home),
    check: (stdout) => countCheck(Math.min(1, indexedSessions(stdout)), 1),
  }
}
