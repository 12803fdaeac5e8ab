/** A home of all agents beside one of Claude Code alone: what a cold index of each costs per megabyte. */
import { readdirSync } from 'node:fs'
import { compete, countCheck, freshScratch, ours } from './contest.mjs'
import { directoryBytes, indexedSessions, recallOn } from './ours.mjs'

/**
 * @typedef {import("./contest.mjs").Row} Row
 * @typedef {import("./contest.mjs").Stage} Stage
 * @typedef {import("./contest.mjs").Contestant} Contestant
 */

export const MIXED_JOB = 'cold index, in turn'

const ROUNDS = 3

/** Where each agent keeps the main transcript of a session; a subagent of Codex is a session of its own. */
const TRANSCRIPTS = [
  /^\.claude\/projects\/[^/]+\/[^/]+\.jsonl$/,
  /^\.codex\/sessions\/.+\/rollout-[^/]+\.jsonl$/,
  /^\.grok\/sessions\/[^/]+\/[^/]+\/updates\.jsonl$/,
]

/**
 * @param {Stage[]} stages the homes, each prepared
 * @returns {Promise<Row[]>}
 */
export async function mixedPart(stages) {
  return compete(stages[0], { job: MIXED_JOB, rounds: ROUNDS, contestants: stages.map(coldIndex) })
}

/** @param {Stage} stage @returns {Contestant} */
function coldIndex(stage) {
  const { size, home } = stage
  const expected = countSessions(home)
  return {
    ...ours('recall index', () => recallOn({ home, scratch: freshScratch(stage) }).index()),
    size,
    bytes: directoryBytes(home),
    check: (stdout) => countCheck(indexedSessions(stdout), expected),
  }
}

/** @param {string} home */
function countSessions(home) {
  const paths = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  return paths.filter((path) => TRANSCRIPTS.some((transcript) => transcript.test(path))).length
}
