// The page's server under load: clients that search and read for a while, on this machine alone, while an index runs.
//   node bench/web.mjs [--clients 50] [--seconds 60] [--pause 1000] [--sessions 400]
// Says how long answers took, whether any failed, how its memory grew, and what it did to the index.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request, Agent } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    pause: { type: 'string', default: '1000' },
    home: { type: 'string' },
    store: { type: 'string' },
    more: { type: 'string' },
  },
})
const [clients, seconds, pause] = [values.clients, values.seconds, values.pause].map(Number)
const bin = path.resolve(import.meta.dirname, '../bin/recall.js')
const dir = mkdtempSync(path.join(tmpdir(), 'recall-web-load-'))
const env = { PATH: process.env.PATH, HOME: values.home ?? dir, XDG_DATA_HOME: path.join(dir, 'data') }
if (!values.home)
  throw new Error(
    '--home <dir>: a home with sessions, e.g. made by bench/generate.mjs; --more <dir>: one to index meanwhile',
  )
const timed = (name, home, data) => {
  const began = Date.now()
  const cpu = process.cpuUsage()
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, 'index'], {
      env: { ...env, HOME: home, XDG_DATA_HOME: data },
      stdio: 'ignore',
    })
    child.once('exit', (code) => resolve({ name, code, ms: Date.now() - began, cpu }))
  })
}
if (values.store) cpSync(values.store, path.join(dir, 'data', 'recall'), { recursive: true })
console.log(
  'index',
  spawnSync(process.execPath, [bin, 'index'], { env, encoding: 'utf8' }).stdout.trim().split('\n')[0],
)
const more = values.more ?? null
const alone = more === null ? null : await timed('alone', more, path.join(dir, 'alone'))

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
const { gunzipSync } = await import('node:zlib')
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
const taken = []
let failed = 0
const end = Date.now() + seconds * 1000
const client = async () => {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * pause))
  while (Date.now() < end) {
    const { status, ms } = await ask(pick(places)()).catch(() => ({ status: 0, ms: 0 }))
    if (status !== 200) failed++
    taken.push(ms)
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
  }
}
const memory = []
const watch = setInterval(() => memory.push(Math.round(residentMB())), Math.max(1000, (seconds * 1000) / 12))
const running = Promise.all(Array.from({ length: clients }, client))
const beside = more === null ? null : timed('beside', more, path.join(dir, 'beside'))
const besideDone = await beside
await running
clearInterval(watch)
taken.sort((a, b) => a - b)
const at = (share) => Math.round(taken[Math.floor(taken.length * share)] ?? 0)
console.log(
  `${clients} clients for ${seconds} s, a question every ${pause} ms each: ${taken.length} answers, ${failed} failed`,
)
console.log(`p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, longest ${Math.round(taken.at(-1) ?? 0)} ms`)
console.log(`resident MB over time: ${memory.join(' ')}`)
if (alone && besideDone)
  console.log(`index alone ${alone.ms} ms, beside ${besideDone.ms} ms: ${(besideDone.ms / alone.ms).toFixed(2)} times`)
server.kill('SIGINT')
await new Promise((resolve) => server.once('exit', resolve))
agent.destroy()
rmSync(dir, { recursive: true, force: true })
