#!/usr/bin/env node
// `npm run lab`: installs real agents, lets them play all scenarios while `recall watch` looks on, and prints every
// difference between what recall tells and what is true, and between what was watched and what is read afterwards.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensureInstalled } from '../scripts/prepare.mjs'
import { nameRoots } from './roots.mjs'

const LAB = import.meta.dirname
const RECALL = path.join(LAB, '../bin/recall.js')
/** How long a watcher may take for the last change. */
const SETTLE_MS = 4000

const { values } = parseArgs({
  options: {
    agent: { type: 'string', default: 'claude,codex,grok' },
    scenario: { type: 'string' },
    scenarios: { type: 'string' },
    version: { type: 'string' },
    cache: { type: 'string', default: process.env.LAB_CACHE ?? path.join(homedir(), '.cache', 'recall-lab') },
    keep: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(`npm run lab -- [--agent claude,codex,grok,opencode,copilot,pi] [--scenario simple,fork] [--scenarios FILE] [--version V] [--cache DIR] [--keep]

Real agents from the npm registry play scenarios against a scripted model on this machine; recall is compared with what
is true. Needs 1 GB in --cache and about five minutes. --scenarios names a module of your own, --version another version
of one agent; --keep leaves the home of the agents for a look.`)
  process.exit(0)
}

ensureInstalled()
await ensureBuilt()
const { differingRows } = await import('./rows.mjs')
mkdirSync(values.cache, { recursive: true })
const home = mkdtempSync(path.join(values.cache, 'home-'))
const watched = path.join(home, 'lab', 'watched')
nameRoots(home, path.join(watched, 'config'))
const watcher = spawn(process.execPath, [RECALL, 'watch'], { env: envFor(watched), stdio: 'ignore' })
let differences = 0
try {
  for (const agent of values.agent.split(',')) {
    const which = values.scenario === undefined ? ['--all'] : ['--scenario', values.scenario]
    const more = ['scenarios', 'version'].flatMap((name) =>
      values[name] === undefined ? [] : [`--${name}`, values[name]],
    )
    run(process.execPath, [
      path.join(LAB, 'run.mjs'),
      ...which,
      '--agent',
      agent,
      '--home',
      home,
      '--cache',
      values.cache,
      ...more,
    ])
  }
  await new Promise((done) => setTimeout(done, SETTLE_MS))
  await stop(watcher)
  const data = path.join(home, 'lab', 'indexed')
  const checked = spawnSync(
    process.execPath,
    [path.join(LAB, 'check.mjs'), '--home', home, '--data', data, '--recall', RECALL],
    {
      encoding: 'utf8',
    },
  )
  process.stdout.write(checked.stdout)
  process.stderr.write(checked.stderr)
  differences += checked.status === 0 ? 0 : 1
  const rows = differingRows(store(watched), store(data), deletedIn(home))
  for (const row of rows) console.log(`watched · ${row}`)
  console.log(rows.length === 0 ? 'watched and read afterwards: the same rows' : `watched: ${rows.length} rows differ`)
  differences += rows.length
  if (values.scenario === undefined && values.scenarios === undefined) {
    const { checkMemory } = await import('./memory.mjs')
    const { canConnect, checkConnected } = await import('./connected.mjs')
    const { checkManifests } = await import('./manifests.mjs')
    for (const agent of values.agent.split(',').filter(canConnect)) {
      const asked = { agent, cache: values.cache, version: values.version }
      const wrong = [...(await checkMemory(asked)), ...(await checkConnected(asked)), ...checkManifests(asked)]
      console.log(
        wrong.length === 0 ? `${agent} memory: all tools answer, all that connect adds works` : wrong.join('\n'),
      )
      differences += wrong.length
    }
  }
} finally {
  await stop(watcher)
  if (values.keep) console.log(`kept ${home}`)
  else rmSync(home, { recursive: true, force: true })
}
process.exitCode = differences === 0 ? 0 : 1

function envFor(data) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    XDG_DATA_HOME: path.join(data, 'data'),
    XDG_CONFIG_HOME: path.join(data, 'config'),
  }
}

/** Sessions that were deleted while somebody watched: only that one knows them. */
function deletedIn(home) {
  const truths = readFileSync(path.join(home, 'lab', 'truth.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return truths.flatMap(({ agent, steps }) => steps.filter((s) => s.deleted).map((s) => `${agent}:${s.session}`))
}

function store(data) {
  return path.join(data, 'data', 'recall', 'recall.db')
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  // Thrown, so that the watcher is stopped and the home goes.
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}`)
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((done) => child.once('close', done))
  child.kill('SIGINT')
  await closed
}
