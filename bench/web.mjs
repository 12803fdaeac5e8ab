// The page's server under load, on this machine alone: clients that search and read for a while, as people do, with a
// pause after each answer, while an index reads everything anew into the same store.
//   node bench/web.mjs --home DIR [--data DIR] [--clients 50] [--seconds 60] [--pause 1000]
// `--home`: sessions to index, e.g. of bench/generate.mjs; `--data`: a store they are added to, which is kept.
// Says how long answers took, whether any failed, how the server's memory grew, and how long the index took without it.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

const text = { type: 'string' }
const { values } = parseArgs({ options: { home: text, data: text, clients: text, seconds: text, pause: text } })
const { clients, seconds, pause } = Object.fromEntries(
  Object.entries({ clients: 50, seconds: 60, pause: 1000 }).map(([name, usual]) => [
    name,
    Number(values[name] ?? usual),
  ]),
)
if (values.home === undefined) throw new Error('--home DIR: sessions to index')
const bin = path.resolve(import.meta.dirname, '../bin/recall.js')
const made = values.data === undefined ? mkdtempSync(path.join(tmpdir(), 'recall-web-load-')) : null
const env = { PATH: process.env.PATH, HOME: values.home, XDG_DATA_HOME: values.data ?? made }

/** How long an index takes. */
function index(...args) {
  const began = Date.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, 'index', ...args], { env, stdio: 'ignore' })
    child.once('exit', (code) =>
      code === 0 ? resolve(Date.now() - began) : reject(new Error(`index ended with ${code}`)),
    )
  })
}

await index()
const alone = await index('--full')

const server = spawn(process.execPath, [bin, 'serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
const url = new URL(await new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data).trim()))))
const agent = new Agent({ keepAlive: true, maxSockets: clients + 5 })
let cookie = ''
const ask = (place) =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const asked = request(
      { host: url.hostname, port: url.port, path: place, agent, headers: { cookie, 'accept-encoding': 'gzip' } },
      (response) => {
        const parts = []
        response.on('data', (data) => parts.push(data))
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            ms: performance.now() - began,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        )
      },
    )
    asked.once('error', reject)
    asked.end()
  })
cookie = (await ask(url.pathname + url.search)).headers['set-cookie'][0].split(';')[0]
const document = async (place) => {
  const { body, headers } = await ask(place)
  return JSON.parse(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
}
const { sessions } = await document('/api/list?limit=100')
const words = sessions.flatMap(({ title }) => (title ?? '').split(/\W+/)).filter((word) => word.length > 3)
const pick = (list) => list[Math.floor(Math.random() * list.length)]
const places = [
  () => `/api/search?live=true&limit=30&query=${encodeURIComponent(`${pick(words)} ${pick(words)}`)}`,
  () => `/api/search?live=true&limit=30&query=${encodeURIComponent(pick(words))}`,
  () => `/api/read?id=${pick(sessions).session_uid}&limit=40&payloads=true&clip=8000`,
  () => `/api/outline?id=${pick(sessions).session_uid}`,
  () => '/api/list?limit=50',
]
const residentMB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
/** In the server's threads, so far. */
const cpuMs = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
const taken = []
const failures = new Map()
const end = Date.now() + seconds * 1000
const before = cpuMs()
const client = async () => {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * pause))
  while (Date.now() < end) {
    const { status, ms } = await ask(pick(places)()).catch(() => ({ status: 0, ms: 0 }))
    if (status !== 200) failures.set(status, (failures.get(status) ?? 0) + 1)
    taken.push(ms)
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
  }
}
const memory = []
const watch = setInterval(() => memory.push(Math.round(residentMB())), Math.max(1000, (seconds * 1000) / 12))
const running = Promise.all(Array.from({ length: clients }, client))
const beside = await index('--full')
await running
clearInterval(watch)
const spent = cpuMs() - before
taken.sort((a, b) => a - b)
const at = (share) => Math.round(taken[Math.floor(taken.length * share)] ?? 0)
console.log(
  `${clients} clients for ${seconds} s, a question every ${pause} ms each: ${taken.length} answers, ${[...failures].map(([status, n]) => `${n} with ${status || 'no answer'}`).join(', ') || 'none failed'}`,
)
console.log(`p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, longest ${Math.round(taken.at(-1) ?? 0)} ms`)
console.log(`${(spent / taken.length).toFixed(1)} ms of processor time an answer`)
console.log(`resident MB over time: ${memory.join(' ')}`)
console.log(`index without them ${alone} ms, beside them ${beside} ms: ${(beside / alone).toFixed(2)} times`)
server.kill('SIGINT')
await new Promise((resolve) => server.once('exit', resolve))
agent.destroy()
if (made !== null) rmSync(made, { recursive: true, force: true })
