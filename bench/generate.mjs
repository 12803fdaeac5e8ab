#!/usr/bin/env node
/**
 * Lays down a synthetic home directory of coding-agent sessions, the same bytes on every run:
 *
 *   node bench/generate.mjs --size S|B|M|R|G --out DIR
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeClaudeHome } from './homes/claude.mjs'
import { writeCodexHome } from './homes/codex.mjs'
import { writeGrokHome, writeHugeGrokSession } from './homes/grok.mjs'
import { createOutput } from './homes/output.mjs'
import { createProject } from './homes/project.mjs'
import { createProse } from './homes/prose.mjs'
import { createSink } from './homes/sink.mjs'
import { createVocabulary } from './homes/words.mjs'

const SEED = 'recall-bench'
const STAMP = '.recall-bench.json'
const PROJECTS = 24

/**
 * How many times as long as usual things are, and the share of tool calls that look at a picture.
 *
 * @typedef {{ words: number, outputs: number, files: number, pictures: number }} Shape
 */

/** @type {Shape} */
const USUAL_SHAPE = { words: 1, outputs: 1, files: 1, pictures: 0 }
/** As recorded sessions are: one byte in ten is words, and tools print and copy whole files. */
const RECORDED_SHAPE = { words: 0.5, outputs: 4, files: 7, pictures: 0.001 }

/**
 * One writer per agent; each adds its own directory to the home.
 *
 * @type {Record<string, (home: HomePlan) => void>}
 */
const WRITERS = {
  claude: writeClaudeHome,
  codex: writeCodexHome,
  grok: writeGrokHome,
  hugeGrok: (home) => void writeHugeGrokSession({ ...home, project: home.projects[0] }),
}

/**
 * What each home holds: how much, which share of it each writer lays down, and how it differs from the usual shape.
 *
 * @type {Record<string, { sessions: number, bytes: number, shares: Readonly<Record<string, number>>, shape?: Shape }>}
 */
export const SIZES = {
  S: { sessions: 500, bytes: 32e6, shares: { claude: 1 } },
  B: { sessions: 5000, bytes: 314e6, shares: { claude: 1 } },
  M: { sessions: 5000, bytes: 314e6, shares: { claude: 0.55, codex: 0.3, grok: 0.15 } },
  R: { sessions: 640, bytes: 400e6, shares: { claude: 0.82, codex: 0.18 }, shape: RECORDED_SHAPE },
  L: { sessions: 10_000, bytes: 2600e6, shares: { claude: 0.55, codex: 0.3, grok: 0.15 } },
  G: { sessions: 1, bytes: 200e6, shares: { hugeGrok: 1 } },
}

/**
 * @typedef {Parameters<typeof writeClaudeHome>[0]} HomePlan
 * @typedef {{ size: string, revision: string, complete: boolean, files?: number, bytes?: number, sha256?: string }} Stamp
 */

/** Where homes are generated and kept. */
export const benchDirectory = () => process.env['RECALL_BENCH_DIR'] ?? join(tmpdir(), 'recall-bench')

/** The vocabulary that every home is written in. */
export const benchVocabulary = () => createVocabulary(SEED)

/**
 * Makes sure that `out` holds the home of that size. Does nothing if it already does; refuses a
 * directory with anything else in it.
 *
 * @param {{ size: string, out: string }} wanted
 * @returns {Stamp & { fresh: boolean }}
 */
export function generateHome({ size, out }) {
  const totals = SIZES[size]
  if (totals === undefined) throw new RangeError(`unknown size ${size}; known: ${Object.keys(SIZES).join(', ')}`)
  const stamp = { size, revision: generatorRevision(), complete: false }
  const found = readStamp(out)
  if (found?.complete && found.size === size && found.revision === stamp.revision) return { ...found, fresh: false }

  if (found !== undefined) rmSync(out, { recursive: true })
  else if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is not empty and not a generated home`)
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, STAMP), JSON.stringify(stamp))

  const vocabulary = benchVocabulary()
  const { words, outputs, files, pictures } = totals.shape ?? USUAL_SHAPE
  const projects = Array.from({ length: PROJECTS }, (_, index) =>
    createProject(vocabulary, { seed: SEED, index, length: files }),
  )
  const prose = createProse(vocabulary, { length: words })
  const scene = { prose, output: createOutput(vocabulary, { length: outputs }), pictures }
  const sink = createSink(out)
  for (const [agent, share] of Object.entries(totals.shares)) {
    const part = { sessions: Math.round(totals.sessions * share), bytes: totals.bytes * share }
    WRITERS[agent]({ sink, seed: `${SEED}/${size}`, projects, ...part, scene })
  }
  const done = { ...stamp, complete: true, ...sink.totals() }
  writeFileSync(join(out, STAMP), JSON.stringify(done))
  return { ...done, fresh: true }
}

/** Changes whenever the code that writes homes changes. */
function generatorRevision() {
  const hash = createHash('sha256')
  const folder = fileURLToPath(new URL('./homes/', import.meta.url))
  const sources = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
  for (const path of [fileURLToPath(import.meta.url), ...sources]) hash.update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

/**
 * @param {string} out
 * @returns {Stamp | undefined}
 */
function readStamp(out) {
  const path = join(out, STAMP)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { size: { type: 'string' }, out: { type: 'string' } } })
  if (values.size === undefined || values.out === undefined) {
    console.error(`usage: node bench/generate.mjs --size ${Object.keys(SIZES).join('|')} --out DIR`)
    process.exitCode = 2
  } else {
    const started = performance.now()
    const { fresh, files, bytes, sha256 } = generateHome({ size: values.size, out: values.out })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `${fresh ? `generated in ${seconds} s` : 'already there'}: ${files} files, ${bytes} bytes, sha256 ${sha256}`,
    )
  }
}
