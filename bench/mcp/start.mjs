#!/usr/bin/env node
// How long `recall mcp` takes to its first answers, in turns with a Node that does nothing:
//   node bench/mcp/start.mjs --home DIR --data DIR [--rounds 15] [--bin FILE]
// The home must have been indexed with XDG_DATA_HOME=<data>/data. Times are walls; CPU is that of the server until the
// answer (Linux).
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    home: { type: 'string' },
    data: { type: 'string' },
    bin: { type: 'string', default: path.join(import.meta.dirname, '../../bin/recall.js') },
    query: { type: 'string', default: 'why does the server not start' },
  },
})
if (values.home === undefined || values.data === undefined) throw new Error('give --home and --data')
const env = {
  PATH: process.env.PATH,
  HOME: values.home,
  XDG_DATA_HOME: path.join(values.data, 'data'),
  XDG_CONFIG_HOME: path.join(values.data, 'config'),
}
const TICK_MS = 10

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'start', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'start', version: '1' } }

/** A server that is asked one line after another; each answer with its time and what the server has used. */
function server() {
  const started = performance.now()
  const child = spawn(process.execPath, [values.bin, 'mcp'], { env, cwd: env.HOME, stdio: ['pipe', 'pipe', 'ignore'] })
  let rest = ''
  let heard = () => undefined
  child.stdout.on('data', (chunk) => {
    rest += chunk
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const message = JSON.parse(rest.slice(0, end))
      rest = rest.slice(end + 1)
      if (message.id !== undefined) heard(message)
    }
  })
  let id = 0
  return {
    started,
    async ask(method, params) {
      const asked = performance.now()
      const answered = new Promise((done) => (heard = done))
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`)
      const { result, error } = await answered
      if (error !== undefined || result.isError) throw new Error(`${method}: ${JSON.stringify(error ?? result)}`)
      const now = performance.now()
      return { ms: now - asked, since: now - started, cpu: cpuOf(child.pid), result }
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024,
    async end() {
      const closed = new Promise((done) => child.once('close', done))
      child.stdin.end()
      await closed
    },
  }
}

function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return NaN
  }
}

async function nothing() {
  const started = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' })
  await new Promise((done) => child.once('close', done))
  return performance.now() - started
}

const search = (query) => ({ name: 'search_memory', arguments: { query } })
const WARM = ['retry after timeout', 'where is the cache kept', 'flaky test', 'rename the column', 'nginx']

const figures = new Map()
const note = (name, value) => figures.set(name, [...(figures.get(name) ?? []), value])
for (let round = 0; round < Number(values.rounds); round++) {
  note('node -e 0', await nothing())
  const modern = server()
  const discovered = await modern.ask('server/discover', { _meta: META })
  note('discover', discovered.since)
  note('discover, CPU', discovered.cpu)
  const first = await modern.ask('tools/call', { ...search(values.query), _meta: META })
  note('first search', first.since)
  note('first search, CPU', first.cpu)
  for (const query of WARM) note('warm search', (await modern.ask('tools/call', { ...search(query), _meta: META })).ms)
  note('memory, MB', modern.memory())
  await modern.end()
  const old = server()
  note('initialize', (await old.ask('initialize', HELLO)).since)
  await old.end()
}
console.log('median (least, most)')
for (const [name, all] of figures) {
  const sorted = all.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  console.log(
    `${name.padEnd(20)} ${middle.toFixed(0).padStart(5)} (${sorted[0].toFixed(0)}, ${sorted.at(-1).toFixed(0)})`,
  )
}
