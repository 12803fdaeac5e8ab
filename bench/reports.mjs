#!/usr/bin/env node
/**
 * How long every report takes on a home with about a million events, each as a whole process; run by hand, on an idle
 * machine:
 *
 *   npm run bench:reports [-- --rounds 9]
 *
 * The home and its store are kept below RECALL_BENCH_DIR for the next run. The clock of the reports stands on the day
 * after the last session.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { benchDirectory, generateHome } from './generate.mjs'
import { cleanEnvironment, measure, median } from './measure.mjs'
import { machine, table } from './report.mjs'

const LIMIT_MS = 300
const NOW = '2026-05-31T12:00:00Z'
const NODE = 'node -e 0'
/** A row for every command of every session: told, not judged. */
const TOLD_ONLY = new Set([NODE, 'stats bash --by session'])
const BY = ['', '--by day', '--by project', '--by model', '--by source', '--by session']
const REPORTS = [
  ...['', 'tools', 'bash', 'tokens', 'errors', 'models', 'time', 'files'].flatMap((report) =>
    BY.map((by) => words('stats', report, by)),
  ),
  ...BY.map((by) => words('cost', by)),
  'cost --statusline',
  'stats --since 30d',
  'stats bash --since 30d',
  'stats bash --suggest',
  'stats bash --suggest --since 30d',
  'permissions friction',
  'permissions audit',
  'permissions never-asked',
  'time',
  'time --week',
  'retro',
]
const bin = fileURLToPath(new URL('../bin/recall.js', import.meta.url))
const clock = fileURLToPath(new URL('clock.cjs', import.meta.url))
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })

const home = join(benchDirectory(), 'L')
const env = { ...cleanEnvironment({ home, scratch: join(benchDirectory(), 'L-store') }), RECALL_BENCH_NOW: NOW }
console.error(`home: ${home}`)
generateHome({ size: 'L', out: home })
for (const job of ['index', 'analyze']) console.error(`${job}: ${Math.round((await timed([bin, job])) / 1000)} s`)

/** @type {Map<string, number[]>} */
const taken = new Map([NODE, ...REPORTS].map((report) => [report, []]))
for (let round = 0; round < Number(values.rounds); round++)
  for (const [report, times] of taken)
    times.push(await timed(report === NODE ? ['-e', '0'] : ['--require', clock, bin, ...report.split(' ')]))

const rows = [...taken].map(([report, times]) => ({
  report,
  middle: median(times),
  range: `${Math.round(Math.min(...times))}–${Math.round(Math.max(...times))}`,
}))
const verdictOf = (/** @type {{ report: string, middle: number }} */ { report, middle }) =>
  TOLD_ONLY.has(report) ? '' : middle <= LIMIT_MS ? 'met' : 'NOT MET'
const text = `# Reports on a million events

\`npm run bench:reports\`: every report on a made-up home with ${await held()}, as a whole process, Node's start
included. Median and range of ${values.rounds} rounds, in turn; the limit is ${LIMIT_MS} ms. There is no verdict on a row for every command of
every session: that is more than can be read in the time.

${machine()}

${table(
  ['report', 'median', 'range, ms', 'verdict'],
  rows.map((row) => [`\`${row.report}\``, `${Math.round(row.middle)} ms`, row.range, verdictOf(row)]),
)}
`
writeFileSync(new URL('REPORTS.md', import.meta.url), text)
console.log(text)
process.exitCode = rows.some((row) => verdictOf(row) === 'NOT MET') ? 1 : 0

/** @param {...string} parts */
function words(...parts) {
  return parts.filter((part) => part !== '').join(' ')
}

/** @param {string[]} args */
async function timed(args) {
  return (await run(args)).wallMs
}

/** @param {string[]} args */
async function run(args) {
  const told = await measure({ command: process.execPath, args, env, memory: false, timeoutMs: 20 * 60_000 })
  if (!told.ok) throw new Error(`${args.join(' ')}: ${told.reason}`)
  return told
}

async function held() {
  const { totals } = JSON.parse((await run([bin, 'status', '--json'])).stdout)
  return `${totals.events.toLocaleString('en')} events in ${totals.sessions.toLocaleString('en')} sessions`
}
