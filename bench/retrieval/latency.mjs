#!/usr/bin/env node
/**
 * How long a tool takes to answer on a scaled home, and how much of the indexed text its full-text indexes take; run by
 * hand, on an idle machine:
 *
 *   node bench/retrieval/generate.mjs --scale 1M --out DIR
 *   node bench/retrieval/latency.mjs --home DIR [--tool recall|recall-dist|<module>] [--store DIR]
 *
 * `--store` keeps what was indexed for the next run. `recall-dist` starts the built program once a question.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { adapterFor } from './run.mjs'
import { quantile } from './score.mjs'

const option = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({ options: { tool: { ...option, default: 'recall' }, home: option, store: option } })
if (values.home === undefined) {
  console.error('usage: node bench/retrieval/latency.mjs --home DIR [--tool recall|recall-dist|<module>] [--store DIR]')
  process.exit(2)
}
const home = resolve(values.home)
/** @type {import("./scale.mjs").Probe[]} */
const probes = JSON.parse(readFileSync(join(home, 'latency.json'), 'utf8'))
const adapter = await adapterFor(values.tool)
const scratch = values.store ? resolve(values.store) : mkdtempSync(join(tmpdir(), 'recall-latency-'))
try {
  const indexed = existsSync(join(scratch, 'recall/recall.db'))
  await adapter.prepare({ home, scratch, sessions: [], indexed })
  /** @type {Map<string, { wall: number[], cpu: number[] }>} */
  const times = new Map()
  for (const { kind, text } of probes) {
    const taken = times.get(kind) ?? { wall: [], cpu: [] }
    times.set(kind, taken)
    const [from, used] = [performance.now(), process.cpuUsage()]
    await adapter.search(text, 10)
    taken.wall.push(performance.now() - from)
    const { user, system } = process.cpuUsage(used)
    taken.cpu.push((user + system) / 1000)
  }
  for (const [kind, { wall, cpu }] of times)
    console.log(`${kind.padEnd(10)} ${figures(wall)}   of this process's CPU ${figures(cpu)}   n ${wall.length}`)
  const space = adapter.space?.()
  if (space)
    console.log(`full-text indexes ${((100 * space.index) / space.text).toFixed(1)} % of ${space.text} bytes of text`)
} finally {
  await adapter.close?.()
  if (!values.store) rmSync(scratch, { recursive: true, force: true })
}

/** @param {number[]} taken */
function figures(taken) {
  const sorted = taken.sort((a, b) => a - b)
  return `p50 ${quantile(sorted, 0.5)} ms p95 ${quantile(sorted, 0.95)} ms`
}
