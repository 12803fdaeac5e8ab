#!/usr/bin/env node
/**
 * How long a tool takes to answer on a scaled home; run by hand, on an idle machine:
 *
 *   node bench/retrieval/generate.mjs --scale 1M --out DIR
 *   node bench/retrieval/latency.mjs --home DIR [--tool recall|<module>]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { adapterFor } from './run.mjs'
import { quantile } from './score.mjs'

const { values } = parseArgs({ options: { tool: { type: 'string', default: 'recall' }, home: { type: 'string' } } })
if (values.home === undefined) {
  console.error('usage: node bench/retrieval/latency.mjs --home DIR [--tool recall|<module>]')
  process.exit(2)
}
const home = resolve(values.home)
/** @type {import("./scale.mjs").Probe[]} */
const probes = JSON.parse(readFileSync(join(home, 'latency.json'), 'utf8'))
const adapter = await adapterFor(values.tool)
const scratch = mkdtempSync(join(tmpdir(), 'recall-latency-'))
try {
  await adapter.prepare({ home, scratch, sessions: [] })
  /** @type {Map<string, number[]>} */
  const times = new Map()
  for (const { kind, text } of probes) {
    const from = performance.now()
    await adapter.search(text)
    times.set(kind, [...(times.get(kind) ?? []), performance.now() - from])
  }
  for (const [kind, taken] of times) {
    const sorted = taken.sort((a, b) => a - b)
    console.log(
      `${kind.padEnd(10)} p50 ${quantile(sorted, 0.5)} ms   p95 ${quantile(sorted, 0.95)} ms   n ${sorted.length}`,
    )
  }
} finally {
  await adapter.close?.()
  rmSync(scratch, { recursive: true, force: true })
}
