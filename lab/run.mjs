#!/usr/bin/env node
// Plays scenarios with real agents in a home of their own, and writes down what is true about them.
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { addHooks, agents, environment, program } from './agents.mjs'
import { startModel } from './model.mjs'
import { hasTmux, Screen } from './screen.mjs'
import { scenarios as ownScenarios } from './scenarios.mjs'

const LAB = dirname(fileURLToPath(import.meta.url))
const STEP_LIMIT_MS = 90_000
const SETTLE_MS = 1500
/** Each agent's screen, once it can be typed into. */
const READY = /manual mode on|Ask Codex to do anything|Grok 4\.5 \(/

/** Play one scenario and give back the truth about it; it is also added to HOME/lab/truth.jsonl. */
export async function play({
  agent,
  name,
  scenario = ownScenarios[name],
  home,
  cwd,
  cache,
  version,
  mcp = [process.execPath, join(LAB, 'mcp-echo.mjs')],
  wrap = [],
  env: extra = {},
  hooks,
}) {
  const state = readState(home)
  cwd = resolve(cwd ?? join(home, 'work', `${agent}-${name}`))
  makeProject(cwd)
  const kit = agents[agent]
  const script = scenario(kit.tools, { cwd, agent })
  const model = await startModel({
    scenario: script,
    port: state.port,
    seed: state.served,
    log: join(home, 'lab/requests', `${agent}-${name}.jsonl`),
  })
  const bin = program(agent, { cache, version })
  if (!state.ready.includes(agent)) kit.setup(home, model.url)
  if (hooks !== undefined && kit.hooks)
    addHooks(
      agent,
      home,
      [
        process.execPath,
        join(LAB, 'hook-log.mjs'),
        agent,
        join(home, 'lab/hooks.jsonl'),
        hooks && JSON.stringify(hooks),
      ]
        .filter(Boolean)
        .join(' '),
    )
  const env = { ...environment(agent, { home, url: model.url, cache: resolve(cache), bin }), ...extra }
  const steps = []
  try {
    for (const step of script.steps) {
      const resume = step.resume ? steps.findLast((s) => s.session)?.session : undefined
      const id = kit.namesItself || (resume && !step.fork) ? undefined : randomUUID()
      if (step.mcp) kit.addMcp?.(home, mcp)
      const flags = [...(hooks !== undefined && kit.hooks?.flag ? [kit.hooks.flag] : []), ...(step.flags ?? [])]
      const args = kit.args({
        ...step,
        id,
        resume,
        flags,
        mcp: step.mcp ? mcp : undefined,
        version: version ?? kit.version,
      })
      const before = model.exchanges.length
      const run = step.live
        ? await liveStep([...wrap, bin, ...kit.live({ id, cwd, home, flags })], { cwd, env, step, resume })
        : step.serve
          ? await serveStep([...wrap, bin, ...kit.serve.args], { cwd, env, step, model, ready: kit.serve.ready })
          : await runStep([...wrap, bin, ...args], {
              cwd,
              env,
              step,
              model,
              group: kit.launcher,
              input: step.input ?? kit.stdin?.(step),
            })
      for (const exchange of model.exchanges.slice(before)) exchange.step = steps.length
      steps.push({
        prompt: step.prompt,
        resumed: resume,
        forked: step.fork === true,
        spoken: step.spoken,
        ran: step.ran,
        deleted: step.deleted,
        interrupted: Boolean(step.interrupt ?? step.interruptAfter ?? step.interrupted),
        session: kit.session(run.out) ?? id ?? resume ?? kit.latest?.(home),
        ...run,
      })
    }
  } finally {
    await model.stop()
    writeState(home, {
      port: state.port ?? Number(new URL(model.url).port),
      served: model.count(),
      ready: [...new Set([...state.ready, agent])],
    })
  }
  const exchanges = model.exchanges.map(brief)
  const truth = {
    agent,
    version: version ?? kit.version,
    scenario: name,
    cwd,
    at: new Date().toISOString(),
    steps,
    left: model.left(),
    failures: script.failures,
    exchanges,
  }
  appendFileSync(join(home, 'lab/truth.jsonl'), `${JSON.stringify(truth)}\n`)
  return truth
}

/** The truth is about what was said and counted; the whole request is in the log. */
function brief({ kind, path, step, thread, model, outcome, ids, turn, usage, results }) {
  return { kind, path, step, thread, model, outcome, ids, turn, usage, results }
}

function runStep([command, ...args], { cwd, env, step, model, group = false, input }) {
  return new Promise((done) => {
    const started = Date.now()
    const stdio = [input ? 'pipe' : 'ignore', 'pipe', 'pipe']
    const child = spawn(command, args, { cwd, env, stdio, detached: group })
    child.stdin?.end(input)
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    // A launcher keeps signals to itself; Ctrl-C in a terminal reaches the whole group, too.
    const signal = (name) => (group ? signalGroup(child.pid, name) : child.kill(name))
    const interrupt = () => signal('SIGINT')
    // In the middle of an answer, not at a guess: the model says when it is there.
    if (step.interrupt) model.onceStreaming(interrupt)
    const timers = [setTimeout(() => signal('SIGKILL'), STEP_LIMIT_MS)]
    if (step.interruptAfter) model.onceAnswered(() => timers.push(setTimeout(interrupt, step.interruptAfter)))
    child.on('close', (code, signalled) => {
      timers.forEach(clearTimeout)
      done({ code, signal: signalled, ms: Date.now() - started, out, err: err.slice(-2000) })
    })
  })
}

/** What only a person at a terminal can do: `step.live(screen)` types it. */
async function liveStep(words, { cwd, env, step, resume }) {
  const started = Date.now()
  const screen = new Screen(step.command?.(resume) ?? words, { cwd, env })
  try {
    await screen.until(step.ready ?? READY)
    await step.live(screen)
    // Logs are written a moment after the screen.
    await sleep(SETTLE_MS)
  } finally {
    await screen.close()
  }
  return { code: 0, signal: null, ms: Date.now() - started, out: '', err: '' }
}

/** What has no command is asked of the agent's own server: `step.serve(call)` gives back the id of the session. */
async function serveStep([command, ...args], { cwd, env, step, model, ready }) {
  const started = Date.now()
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const timer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), STEP_LIMIT_MS)
  const closed = new Promise((done) => child.on('close', (code, signal) => done({ code, signal })))
  let err = ''
  child.stderr.on('data', (chunk) => (err += chunk))
  const url = await new Promise((done, fail) => {
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
      const found = out.match(ready)?.[1]
      if (found) done(found)
    })
    closed.then(() => fail(new Error(`the server ended: ${err}`)))
  })
  const call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) err += `${method} ${path}: ${response.status} ${text.slice(0, 500)}\n`
    return text && JSON.parse(text)
  }
  let session
  try {
    session = await step.serve(call, model)
  } finally {
    signalGroup(child.pid, 'SIGTERM')
    clearTimeout(timer)
  }
  const { code, signal } = await closed
  return { code, signal, ms: Date.now() - started, out: JSON.stringify({ sessionID: session }), err: err.slice(-2000) }
}

function signalGroup(pid, name) {
  try {
    process.kill(-pid, name)
  } catch {
    // It is over already.
  }
}

/** A small repository with one failing test. */
function makeProject(cwd) {
  if (existsSync(join(cwd, '.git'))) return
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'README.md'), '# Adding\n\nA project that adds.\n')
  writeFileSync(join(cwd, 'sum.js'), 'export const sum = (a, b) => a - b;\n')
  writeFileSync(join(cwd, 'package.json'), '{ "name": "adding", "type": "module" }\n')
  writeFileSync(
    join(cwd, 'sum.test.js'),
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from './sum.js';\n\ntest('adds', () => assert.equal(sum(2, 3), 5));\n",
  )
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=Lab', '-c', 'user.email=lab@example.invalid', ...args], {
      cwd,
      env,
      stdio: 'ignore',
    })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'Start')
}

// A home keeps its port, because agents have it in their settings, and goes on counting responses:
// two responses of one home never share an id.
const statePath = (home) => join(home, 'lab/state.json')
const readState = (home) =>
  existsSync(statePath(home))
    ? JSON.parse(readFileSync(statePath(home), 'utf8'))
    : { port: undefined, served: 0, ready: [] }
function writeState(home, state) {
  mkdirSync(join(home, 'lab'), { recursive: true })
  writeFileSync(statePath(home), `${JSON.stringify(state)}\n`)
}

async function main() {
  const { values } = parseArgs({
    options: {
      agent: { type: 'string' },
      scenario: { type: 'string' },
      all: { type: 'boolean' },
      home: { type: 'string' },
      cwd: { type: 'string' },
      cache: { type: 'string', default: process.env.LAB_CACHE ?? join(tmpdir(), 'agent-lab') },
      version: { type: 'string' },
      scenarios: { type: 'string' },
      mcp: { type: 'string' },
      wrap: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      hooks: { type: 'boolean' },
      say: { type: 'string' },
    },
  })
  if (!values.home || !(values.all || (values.agent && values.scenario))) {
    console.error(
      'usage: node run.mjs --agent NAME --scenario NAME --home DIR [--cwd DIR] [--version V] [--mcp "COMMAND ARGS"] [--wrap "COMMAND ARGS"] [--env KEY=VALUE] [--hooks] [--say WORDS]\n       node run.mjs --all [--agent NAME] --home DIR',
    )
    process.exitCode = 2
    return
  }
  const home = resolve(values.home)
  const scenarios = values.scenarios ? (await import(pathToFileURL(resolve(values.scenarios)))).scenarios : ownScenarios
  for (const agent of values.agent ? [values.agent] : Object.keys(agents)) {
    const wanted = values.scenario
      ? values.scenario.split(',')
      : Object.keys(scenarios).filter((n) => scenarios[n].only?.includes(agent) ?? !agents[agent].cannot?.includes(n))
    const unknown = wanted.filter((name) => !Object.hasOwn(scenarios, name))
    if (unknown.length > 0) {
      console.error(`no scenario is called ${unknown.join(', ')}; there are ${Object.keys(scenarios).join(', ')}`)
      process.exitCode = 2
      return
    }
    const names = wanted.filter((name) => hasTmux || !scenarios[name].live)
    if (names.length < wanted.length) console.log(`no tmux: ${agent} plays nothing that needs a terminal`)
    for (const name of names) {
      const truth = await play({
        agent,
        name,
        scenario: scenarios[name],
        home,
        cwd: values.cwd,
        cache: values.cache,
        version: values.version,
        mcp: values.mcp?.split(' '),
        wrap: values.wrap?.split(' '),
        env: Object.fromEntries(values.env.map((pair) => pair.split(/=(.*)/s))),
        hooks: values.say ?? (values.hooks ? '' : undefined),
      })
      const codes = truth.steps.map((s) => s.signal ?? s.code).join(',')
      const ms = truth.steps.reduce((sum, s) => sum + s.ms, 0)
      const turns = truth.exchanges.filter((e) => e.kind === 'turn')
      console.log(
        `${agent} ${name}: exit ${codes}, ${turns.length} turns (${turns.filter((e) => e.turn.unscripted).length} unscripted, ${truth.left} unused), ${ms} ms, session ${truth.steps.map((s) => s.session?.slice(0, 8)).join(' ')}`,
      )
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
