/** Programs run side by side, round by round, each answer checked. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { measure } from './measure.mjs'
import { recallExists } from './ours.mjs'
import { PEERS, locatePeer, peerEnvironment } from './peers.mjs'

/**
 * @typedef {import("./measure.mjs").Run} Run
 * @typedef {import("./measure.mjs").Program} Program
 * @typedef {{ size: string, job: string, tool: string, runs: Run[], note?: string, bytes?: number }} Row
 *   `bytes` of the files that were read, where pace is asked for.
 * @typedef {{ size: string, home: string, scratch: string, report: (what: string) => void }} Stage
 * @typedef {{ tool: string, size?: string, bytes?: number, note?: string, program: () => Program,
 *   check?: (stdout: string) => string | undefined }} Contestant
 *   `size` if it reads another home than the others; `check` says what is wrong with an answer, or what is worth
 *   knowing about it.
 */

const FEW_ROUNDS = 5
const NOT_BUILT = 'not built yet'

/**
 * Every contestant once per round, so that a slow moment of the machine meets all of them. One that
 * fails is not tried again.
 *
 * @param {Stage} stage
 * @param {{ job: string, rounds: number, contestants: Contestant[] }} plan
 * @returns {Promise<Row[]>}
 */
export async function compete({ size, report }, { job, rounds, contestants }) {
  /** @type {Row[]} */
  const rows = contestants.map((one) => ({
    size: one.size ?? size,
    job,
    tool: one.tool,
    runs: [],
    note: one.note,
    bytes: one.bytes,
  }))
  for (let round = 0; round < rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const row = rows[i]
      if (row.runs.some((run) => !run.ok)) continue
      if (round === 0 || rounds <= FEW_ROUNDS)
        report(`${row.size} · ${job} · ${contestant.tool} · ${round + 1}/${rounds}`)
      const run = await attempt(contestant)
      row.runs.push(run)
      const remark = run.ok ? remarkOn(contestant, run.stdout) : undefined
      if (remark !== undefined) row.note = contestant.note === undefined ? remark : `${contestant.note}; ${remark}`
    }
  }
  return rows
}

/**
 * @param {Contestant} contestant
 * @returns {Promise<Run>}
 */
async function attempt({ program }) {
  try {
    return await measure(program())
  } catch (error) {
    if (error instanceof Unavailable) return { ok: false, reason: error.message }
    throw error
  }
}

/**
 * @param {Contestant} contestant
 * @param {string} stdout
 */
function remarkOn({ check }, stdout) {
  try {
    return check?.(stdout)
  } catch (error) {
    if (error instanceof SyntaxError) return 'WRONG: its answer is not JSON'
    throw error
  }
}

/** Why a program cannot be measured here. */
export class Unavailable extends Error {}

/**
 * @param {string} tool
 * @param {() => Program} program
 * @returns {Contestant}
 */
export function ours(tool, program) {
  return {
    tool,
    program() {
      if (!recallExists()) throw new Unavailable(NOT_BUILT)
      return program()
    },
  }
}

/**
 * @param {"usage" | "search"} job
 * @param {Stage} stage
 * @param {string} word
 * @param {(found: number) => string | undefined} [describeFound]
 * @returns {Contestant[]}
 */
export function peersFor(job, stage, word, describeFound = () => undefined) {
  return PEERS.filter((peer) => peer.job === job).map((peer) => {
    const place = locatePeer(peer)
    const { found } = peer
    return {
      tool: 'version' in place ? `${peer.package.replace(/-\d+$/, '')} ${place.version}` : peer.name,
      note: peer.does,
      check: found === undefined ? undefined : (stdout) => describeFound(found(stdout)),
      program() {
        if ('reason' in place) throw new Unavailable(place.reason)
        const env = peerEnvironment({ home: stage.home, scratch: freshScratch(stage) })
        return { ...peer.program(place.entry, word), env }
      },
    }
  })
}

/** @param {Stage} stage */
export function freshScratch({ scratch }) {
  mkdirSync(scratch, { recursive: true })
  return mkdtempSync(join(scratch, 'run-'))
}

/**
 * @param {number} indexed
 * @param {number} expected
 */
export function countCheck(indexed, expected) {
  return indexed === expected ? undefined : `WRONG: ${indexed} of ${expected} sessions`
}
