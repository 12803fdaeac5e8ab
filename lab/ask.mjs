// Whether agents ask before they run a command: the real ones, with the settings that their home has.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { agents, environment, program } from './agents.mjs'
import { startModel } from './model.mjs'
import { play } from './run.mjs'
import { shims } from './shims.mjs'

/** So many commands in one turn: an agent has a minute and a half for it. */
const BATCH = 60
const ways = { claude: askClaude, codex: askCodex, grok: askGrok }

/**
 * A row for each command: { agent, version, command, asked, refused, said }, of Codex one for inside and one for outside
 * its sandbox. The project is HOME/work/<agent>-asked.
 */
export function askAgent(agent, commands, { home, cache, version, names, outsideOnly }) {
  const path = `${shims(join(home, 'shims'), names)}:${process.env.PATH}`
  return ways[agent](commands, { home, cache, version, path, outsideOnly })
}

/** Without a person Claude Code denies what it would ask about, goes on, and lists the denials. */
async function askClaude(all, options) {
  const found = []
  for (let at = 0; at < all.length; at += BATCH) {
    const truth = await tryAll('claude', all.slice(at, at + BATCH), options)
    const denied = new Set(JSON.parse(truth.steps[0].out).permission_denials.map((d) => d.tool_use_id))
    found.push(
      ...callsOf(truth).map(({ id, command }) =>
        row('claude', command, denied.has(id), resultOf(truth, id), options.version),
      ),
    )
  }
  return found
}

/** Grok ends the turn at the first thing it would ask about; the rest is tried in a new session. */
async function askGrok(all, options) {
  const found = []
  for (let left = all; left.length > 0;) {
    const truth = await tryAll('grok', left.slice(0, BATCH), options, ['--permission-mode', 'default'])
    const calls = callsOf(truth)
    found.push(
      ...calls.map(({ id, command }) => row('grok', command, resultOf(truth, id) === undefined, resultOf(truth, id))),
    )
    left = left.slice(Math.max(calls.length, 1))
  }
  return found
}

/**
 * `codex exec` never asks, so this talks to the server behind Codex's own interfaces. In its default
 * mode commands run in a sandbox unasked; what is asked about is to run one outside of it.
 */
async function askCodex(all, options) {
  const inside = options.outsideOnly ? [] : await codexTurn(all, {}, options)
  const outside = await codexTurn(
    all,
    {
      sandbox_permissions: 'require_escalated',
      justification: 'The lab wants to know',
    },
    options,
  )
  return [...inside.map((r) => ({ ...r, sandbox: 'inside' })), ...outside.map((r) => ({ ...r, sandbox: 'outside' }))]
}

function tryAll(agent, list, { home, cache, version, path }, flags) {
  const scenario = (t) => ({
    steps: [{ prompt: 'Try these commands.', flags }],
    turns: [...list.map((command) => ({ calls: [t.sh(command)] })), { text: 'Tried.' }],
  })
  return play({
    agent,
    name: 'asked',
    home,
    cache,
    version,
    env: { PATH: path },
    scenario,
  })
}

async function codexTurn(list, extra, { home, cache, version, path }) {
  const cwd = join(home, 'work/codex-asked')
  // One ordinary run first: it makes the project and the settings.
  await play({
    agent: 'codex',
    name: 'asked',
    home,
    cwd,
    cache,
    version,
    scenario: () => ({ steps: [{ prompt: 'Hello' }], turns: [{ text: 'Hello.' }] }),
  })
  const port = JSON.parse(readFileSync(join(home, 'lab/state.json'), 'utf8')).port
  const turns = [
    ...list.map((cmd) => ({ calls: [{ tool: 'exec_command', input: { cmd, ...extra } }] })),
    { text: 'Tried.' },
  ]
  const model = await startModel({ scenario: { turns }, port, seed: 100_000 })
  const server = spawn(program('codex', { cache, version }), ['app-server'], {
    cwd,
    env: { ...environment('codex', { home, url: model.url }), PATH: path },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const asked = new Set()
  let finish
  const over = new Promise((done) => (finish = done))
  const { call, send } = talk(server, ({ id, method, params }) => {
    if (method === 'turn/completed') finish()
    if (!method.endsWith('requestApproval')) return
    asked.add(params.itemId)
    send({ id, result: { decision: 'decline' } })
  })
  try {
    await call('initialize', { clientInfo: { name: 'lab', version: '1' } })
    send({ method: 'initialized' })
    const { thread } = await call('thread/start', { cwd, approvalPolicy: 'on-request', sandbox: 'workspace-write' })
    await call('turn/start', { threadId: thread.id, input: [{ type: 'text', text: 'Try these commands.' }] })
    await over
  } finally {
    server.kill()
    await model.stop()
  }
  const seen = { exchanges: model.exchanges }
  return callsOf(seen).map(({ id, command }) => row('codex', command, asked.has(id), resultOf(seen, id), version))
}

/** The little of JSON-RPC that is needed here; `hear` gets what the other side asks or tells. */
function talk(child, hear) {
  const waiting = new Map()
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    if (message.method) return hear(message)
    const { done, fail } = waiting.get(message.id)
    if (message.error) fail(new Error(message.error.message))
    else done(message.result)
  })
  let id = 0
  const call = (method, params) =>
    new Promise((done, fail) => {
      id += 1
      waiting.set(id, { done, fail })
      send({ id, method, params })
    })
  return { call, send }
}

function callsOf({ exchanges }) {
  return exchanges
    .filter((e) => e.kind === 'turn')
    .flatMap((e) =>
      (e.turn.calls ?? []).map((c, i) => ({ id: e.ids.calls[i], command: c.input.command ?? c.input.cmd })),
    )
}

function resultOf({ exchanges }, id) {
  return exchanges.flatMap((e) => e.results ?? []).find((r) => r.id === id)?.text
}

function row(agent, command, asked, result, version = agents[agent].version) {
  // Refused is neither: not asked, but not run either.
  const refused = !asked && /^<tool_use_error>|rejected:/.test(result ?? '') ? { refused: result.slice(0, 120) } : {}
  return { agent, version, command, asked, ...refused, ...(asked && result ? { said: result.slice(0, 160) } : {}) }
}
