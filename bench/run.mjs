#!/usr/bin/env node
/**
 * Measures recall and its peers on the same generated homes, in one run:
 *
 *   node bench/run.mjs [--size S|B] [--only start|index|query|recorded]
 *
 * A whole run also writes bench/RESULTS.md.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SIZES, generateHome } from './generate.mjs'
import { recallExists } from './ours.mjs'
import { indexPart, queryPart, recordedPart, startPart, storePart } from './parts.mjs'
import { installPeers } from './peers.mjs'
import { RECORDED, renderReport } from './report.mjs'

/** @typedef {import("./report.mjs").Outcome} Outcome */

const PARTS = ['start', 'index', 'query', 'recorded']
const RESULTS = fileURLToPath(new URL('./RESULTS.md', import.meta.url))
const RECORDED_HOME = fileURLToPath(new URL('../../shared/corpus/home', import.meta.url))

const report = (/** @type {string} */ what) => process.stderr.write(`${what}\n`)

/** @param {{ size?: string, only?: string }} options */
async function main({ size, only }) {
  const cache = process.env['RECALL_BENCH_DIR'] ?? join(tmpdir(), 'recall-bench')
  const wanted = (/** @type {string} */ part) => only === undefined || only === part
  const sizes = size === undefined ? Object.keys(SIZES) : [size]
  const problem = installPeers()
  if (problem !== undefined) report(`peers: ${problem}`)

  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'scratch-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  /** @type {Outcome} */
  const outcome = { rows: [], storeShares: {}, size: sizes[sizes.length - 1] }

  if (wanted('start')) outcome.rows.push(...(await startPart({ size: '–', home: scratch, scratch, report })))
  for (const each of sizes) {
    if (!wanted('index') && !wanted('query')) continue
    await measureHome({ size: each, home: join(cache, each), scratch, report }, { outcome, wanted })
  }
  const recorded = process.env['RECALL_BENCH_RECORDED'] ?? RECORDED_HOME
  if (wanted('recorded') && existsSync(recorded)) {
    const { rows, storeShare } = await recordedPart({ size: RECORDED, home: recorded, scratch, report })
    outcome.rows.push(...rows)
    outcome.storeShares[RECORDED] = storeShare
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

/**
 * @param {import("./parts.mjs").Stage} stage
 * @param {{ outcome: Outcome, wanted: (part: string) => boolean }} into
 */
async function measureHome(stage, { outcome, wanted }) {
  report(`${stage.size} · generating`)
  generateHome({ size: stage.size, out: stage.home })
  warmPageCache(stage.home)
  let storeScratch
  if (wanted('index')) {
    const indexed = await indexPart(stage)
    outcome.rows.push(...indexed.rows)
    outcome.storeShares[stage.size] = indexed.storeShare
    storeScratch = indexed.storeScratch
  }
  if (wanted('query')) outcome.rows.push(...(await queryPart(stage, storeScratch ?? (await storePart(stage)))))
}

/** Reads every file once, so that the first program measured does not pay for the disk. */
function warmPageCache(/** @type {string} */ home) {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) readFileSync(join(entry.parentPath ?? entry.path, entry.name))
  }
}

const { values } = parseArgs({ options: { size: { type: 'string' }, only: { type: 'string' } } })
if (values.size !== undefined && SIZES[values.size] === undefined) {
  console.error(`--size takes ${Object.keys(SIZES).join(' or ')}`)
  process.exitCode = 2
} else if (values.only !== undefined && !PARTS.includes(values.only)) {
  console.error(`--only takes ${PARTS.join(', ')}`)
  process.exitCode = 2
} else {
  await main(values)
}
