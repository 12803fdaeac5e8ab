/** recall's own commands, as a user would run them. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment } from './measure.mjs'

/** @typedef {import("./measure.mjs").Program} Program */

const BIN = process.env['RECALL_BENCH_BIN'] ?? fileURLToPath(new URL('../bin/recall.js', import.meta.url))

export const recallExists = () => existsSync(BIN)

/**
 * recall on a home, with a store of its own below `scratch`.
 *
 * @param {{ home: string, scratch: string, bin?: string }} places `bin`: another build of it
 */
export function recallOn({ home, scratch, bin = BIN }) {
  const env = cleanEnvironment({ home, scratch })
  /**
   * @param {string[]} args
   * @param {{ memory?: boolean }} [how]
   * @returns {Program}
   */
  const program = (args, { memory = false } = {}) => ({ command: process.execPath, args: [bin, ...args], env, memory })
  return {
    version: () => program(['--version']),
    index: () => program(['index', '--json'], { memory: true }),
    list: () => program(['list', '--json', '--limit', '20']),
    search: (/** @type {string} */ word) => program(['search', word, '--json', '--limit', '20']),
    costByDay: () => program(['cost', '--by', 'day', '--json']),
    allTokensByDay: () => program(['stats', 'tokens', '--by', 'day', '--json']),
    tokensByDay: (/** @type {string} */ source) =>
      program(['stats', 'tokens', '--by', 'day', '--source', source, '--json']),
    storeBytes: () => directoryBytes(join(scratch, 'data', 'recall')),
  }
}

/** Sessions that an `index --json` document says it has added. */
export function indexedSessions(/** @type {string} */ stdout) {
  return Number(JSON.parse(stdout).sessions?.new)
}

/** Sessions named in a `search --json` document. */
export function foundSessions(/** @type {string} */ stdout) {
  /** @type {{ session?: { session_uid?: string } }[]} */
  const hits = JSON.parse(stdout).hits ?? []
  return new Set(hits.map((hit) => hit.session?.session_uid)).size
}

/** @param {string} path */
export function directoryBytes(path) {
  let bytes = 0
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size
  }
  return bytes
}
