#!/usr/bin/env node
/**
 * Measures recall and its peers on the same generated homes, in one run:
 *
 *   node bench/run.mjs [--size S|B] [--only PART]
 *
 * A whole run also writes bench/RESULTS.md.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { agreementPart } from './agreement.mjs'
import { beforePart } from './before.mjs'
import { benchDirectory, generateHome } from './generate.mjs'
import { grokPart } from './grok.mjs'
import { mixedPart } from './mixed.mjs'
import { newestPart } from './newest.mjs'
import { recallExists } from './ours.mjs'
import { costPart, indexPart, queryPart, recordedPart, startPart, storePart } from './parts.mjs'
import { installPeers } from './peers.mjs'
import { RECORDED, renderReport } from './report.mjs'

/**
 * @typedef {import("./report.mjs").Outcome} Outcome
 * @typedef {import("./contest.mjs").Stage} Stage
 */

const PARTS = ['start', 'index', 'query', 'cost', 'recorded', 'mixed', 'newest', 'agreement', 'grok', 'before']
/** The homes that are measured whole; the others have a part of their own. */
const HOMES = ['S', 'B']
const RESULTS = fileURLToPath(new URL('./RESULTS.md', import.meta.url))
const RECORDED_HOME = fileURLToPath(new URL('../../shared/corpus/home', import.meta.url))

const report = (/** @type {string} */ what) => process.stderr.write(`${what}\n`)

/** @param {{ size?: string, only?: string }} options */
async function main({ size, only }) {
  const cache = benchDirectory()
  const wanted = (/** @type {string} */ part) => only === undefined || only === part
  const sizes = size === undefined ? HOMES : [size]
  const problem = installPeers()
  if (problem !== undefined) report(`peers: ${problem}`)

  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'scratch-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  /** @type {Outcome} */
  const outcome = { rows: [], storeShares: {}, agreements: [], size: sizes[sizes.length - 1] }
  const stage = (/** @type {string} */ name, home = join(cache, name)) => ({ size: name, home, scratch, report })
  const generated = (/** @type {string} */ name) => prepare(stage(name))

  if (wanted('start')) outcome.rows.push(...(await startPart(stage('–', scratch))))
  for (const each of sizes) {
    if (!['index', 'query', 'cost'].some(wanted)) continue
    await measureHome(generated(each), { outcome, wanted })
  }
  const recordedHome = process.env['RECALL_BENCH_RECORDED'] ?? RECORDED_HOME
  const recorded = existsSync(recordedHome) ? [stage(RECORDED, recordedHome)] : []
  for (const each of wanted('recorded') ? recorded : []) {
    const { rows, storeShare } = await recordedPart(each)
    outcome.rows.push(...rows)
    outcome.storeShares[RECORDED] = storeShare
  }
  const small = size !== undefined && only === undefined
  if (wanted('mixed') && !small) outcome.rows.push(...(await mixedPart(['B', 'M'].map(generated))))
  if (wanted('newest') && !small) outcome.rows.push(...(await newestPart(generated('S'))))
  if (wanted('grok') && !small) outcome.rows.push(...(await grokPart(generated('G'))))
  const before = process.env['RECALL_BENCH_BEFORE']
  if (wanted('before') && !small && before !== undefined) {
    outcome.rows.push(...(await beforePart(['R', 'B'].map(generated), before)))
  }
  if (wanted('agreement')) {
    const homes = size === undefined ? [...HOMES, 'M'] : [size]
    for (const each of [...recorded, ...homes.map(generated)]) outcome.agreements.push(...(await agreementPart(each)))
  }

  const text = renderReport(outcome)
  console.log(text)
  if (size !== undefined || only !== undefined) return
  if (recallExists())
    writeFileSync(
      RESULTS,
      `# Results\n\nWritten by \`npm run bench\`; what is measured and how: README.md.\n\n${text}\n`,
    )
  else report('bin/recall.js does not exist: RESULTS.md is left as it is')
}

/** Lays the home down if it is not there. @param {Stage} stage */
function prepare(stage) {
  report(`${stage.size} · generating`)
  generateHome({ size: stage.size, out: stage.home })
  warmPageCache(stage.home)
  return stage
}

/**
 * @param {Stage} stage
 * @param {{ outcome: Outcome, wanted: (part: string) => boolean }} into
 */
async function measureHome(stage, { outcome, wanted }) {
  let storeScratch
  if (wanted('index')) {
    const indexed = await indexPart(stage)
    outcome.rows.push(...indexed.rows)
    outcome.storeShares[stage.size] = indexed.storeShare
    storeScratch = indexed.storeScratch
  }
  if (!wanted('query') && !wanted('cost')) return
  const store = storeScratch ?? (await storePart(stage))
  if (wanted('query')) outcome.rows.push(...(await queryPart(stage, store)))
  if (wanted('cost')) outcome.rows.push(...(await costPart(stage, store)))
}

/** Reads every file once, so that the first program measured does not pay for the disk. */
function warmPageCache(/** @type {string} */ home) {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) readFileSync(join(entry.parentPath ?? entry.path, entry.name))
  }
}

const { values } = parseArgs({ options: { size: { type: 'string' }, only: { type: 'string' } } })
if (values.size !== undefined && !HOMES.includes(values.size)) {
  console.error(`--size takes ${HOMES.join(' or ')}`)
  process.exitCode = 2
} else if (values.only !== undefined && !PARTS.includes(values.only)) {
  console.error(`--only takes ${PARTS.join(', ')}`)
  process.exitCode = 2
} else {
  await main(values)
}
