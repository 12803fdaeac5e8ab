/** One huge Grok session: the memory that indexing it takes, and its reader beside parsing every line. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readdirSync } from 'node:fs'
import { Unavailable, compete, countCheck, freshScratch, ours } from './contest.mjs'
import { cleanEnvironment } from './measure.mjs'
import { indexedSessions, recallOn } from './ours.mjs'

/**
 * @typedef {import("./contest.mjs").Row} Row
 * @typedef {import("./contest.mjs").Stage} Stage
 * @typedef {import("./contest.mjs").Contestant} Contestant
 */

export const GROK_JOB = 'index one session'
export const READER_JOB = 'read one session'
export const READER = 'the reader'
export const PARSER = 'JSON.parse'

const INDEX_ROUNDS = 3
const READ_ROUNDS = 5

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Programs that read the same lines with the same code and count the calls; only what they do with a line differs.
 * Each times its own loop: starting Node is no part of reading.
 */
const SCRIPTS = {
  [READER]: `
    import { grokReader } from './src/sources/grok/reader.ts'
    const started = performance.now()
    let calls = 0
    for (const items of grokReader.read({ path: process.argv[2], root: process.argv[3] }, null))
      for (const item of items) if (item.item === 'event' && item.kind === 'tool_call') calls++
    console.log(JSON.stringify({ calls, ms: performance.now() - started }))`,
  [PARSER]: `
    import { LineReader } from './src/sources/kit/lines.ts'
    const started = performance.now()
    let calls = 0
    for (const { bytes } of new LineReader(process.argv[2], null))
      if (JSON.parse(bytes.toString('utf8')).params.update.sessionUpdate === 'tool_call') calls++
    console.log(JSON.stringify({ calls, ms: performance.now() - started }))`,
}

/**
 * @param {Stage} stage
 * @returns {Promise<Row[]>}
 */
export async function grokPart(stage) {
  const { home } = stage
  const index = {
    ...ours('recall index', () => recallOn({ home, scratch: freshScratch(stage) }).index()),
    check: (/** @type {string} */ stdout) => countCheck(indexedSessions(stdout), 1),
  }
  const rows = await compete(stage, { job: GROK_JOB, rounds: INDEX_ROUNDS, contestants: [index] })
  const parser = await reading(stage, PARSER)
  const reader = await reading(stage, READER)
  /** @type {number | undefined} */
  let told
  const contestants = [
    { ...parser, check: (/** @type {string} */ stdout) => void (told = JSON.parse(stdout).calls) },
    {
      ...reader,
      check(/** @type {string} */ stdout) {
        const { calls } = JSON.parse(stdout)
        return calls === told ? `${calls} calls` : `WRONG: ${calls} of ${told} calls`
      },
    },
  ]
  return [...rows, ...(await compete(stage, { job: READER_JOB, rounds: READ_ROUNDS, contestants }))]
}

/**
 * @param {Stage} stage
 * @param {keyof typeof SCRIPTS} tool
 * @returns {Promise<Contestant>}
 */
async function reading(stage, tool) {
  const scratch = freshScratch(stage)
  const script = join(scratch, 'read.cjs')
  const problem = await bundle(SCRIPTS[tool], script)
  const root = join(stage.home, '.grok')
  const args = [script, transcriptBelow(root), root]
  const env = { ...cleanEnvironment({ home: stage.home, scratch }), NODE_PATH: join(ROOT, 'node_modules') }
  return {
    tool,
    program() {
      if (problem !== undefined) throw new Unavailable(problem)
      return { command: process.execPath, args, env, clock: (stdout) => JSON.parse(stdout).ms }
    },
  }
}

/**
 * Makes one file of a script and of what it imports from this repository. Returns why it cannot, if so.
 *
 * @param {string} contents
 * @param {string} outfile
 */
async function bundle(contents, outfile) {
  const { build } = await import('esbuild').catch(() => ({ build: undefined }))
  if (build === undefined) return 'esbuild is not installed'
  const stdin = { contents, resolveDir: ROOT, loader: /** @type {const} */ ('ts') }
  const external = ['@photostructure/sqlite', '@duckdb/node-api']
  await build({ stdin, bundle: true, platform: 'node', format: 'cjs', external, outfile, logLevel: 'error' })
  return undefined
}

/** @param {string} root */
function transcriptBelow(root) {
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('updates.jsonl'))
  if (found === undefined) throw new Error(`no session below ${root}`)
  return join(root, found)
}
