// How fast the page is in Chromium, on this machine alone.
//   node bench/page.mjs [--home DIR --data DIR]
// `--home`, `--data`: a store to look at; without, one is made that holds a session of 50 MB and 20,000 events. Says
// when the first page and the first words of the longest session stand there, how smoothly that scrolls, how much of it
// came over the wire, and how long the server took for each letter of a search.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const { values } = parseArgs({ options: { home: { type: 'string' }, data: { type: 'string' } } })
const bin = path.resolve(import.meta.dirname, '../bin/recall.js')
const made = values.home === undefined ? mkdtempSync(path.join(tmpdir(), 'recall-page-')) : null
const home = values.home ?? made
const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: values.data ?? path.join(home, 'data') }
if (made !== null) {
  writeLongSession()
  execFileSync(process.execPath, [bin, 'index'], { env, stdio: 'ignore' })
}

/** A thousand turns of nine calls. */
function writeLongSession() {
  const sessionId = '00000000-0000-4000-8000-000000000001'
  const lines = []
  let at = Date.parse('2026-10-02T09:00:00Z')
  let last = null
  const record = (type, message, more = {}) => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length + 2).padStart(12, '0')}`
    const timestamp = new Date((at += 1000)).toISOString()
    lines.push(
      JSON.stringify({ type, uuid, parentUuid: last, sessionId, timestamp, cwd: '/home/sam/long', message, ...more }),
    )
    last = uuid
  }
  for (let turn = 0; turn < 1000; turn++) {
    record('user', { role: 'user', content: `Prompt number ${turn}: go on with step ${turn} of the plan` })
    for (let call = 0; call < 9; call++) {
      const id = `c${turn}-${call}`
      const input = { command: `make step-${turn}-${call}` }
      record('assistant', {
        role: 'assistant',
        id: `m${id}`,
        model: 'claude-opus-4-5',
        content: [{ type: 'tool_use', id, name: 'Bash', input }],
      })
      const content = `${turn}.${call} ${'the quick brown fox jumps over the lazy dog, and the log goes on and on. '.repeat(60)}`
      record('user', {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content, is_error: turn % 50 === 0 && call === 5 }],
      })
    }
    const text = `Done with **step ${turn}**.\n\n- one\n- two\n\n\`\`\`ts\nconst step = ${turn}\n\`\`\``
    record('assistant', {
      role: 'assistant',
      id: `m${turn}`,
      model: 'claude-opus-4-5',
      content: [{ type: 'text', text }],
    })
  }
  const dir = path.join(home, '.claude/projects/-home-sam-long')
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, `${sessionId}.jsonl`), `${lines.join('\n')}\n`)
}

const server = spawn(process.execPath, [bin, 'serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
const url = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data).trim())))
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
let bytes = 0
const devtools = await page.context().newCDPSession(page)
await devtools.send('Network.enable')
devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
const { origin } = new URL(url)

/** Milliseconds from asking for an address until what is looked for stands there. */
async function until(address, selector) {
  const began = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator(selector).first().waitFor()
  return Math.round(performance.now() - began)
}

console.log(`first page, server just started: ${await until(url, '.tile data')} ms`)
console.log(
  `first page again: ${await until(origin, '.tile data')} ms, whole: ${await until(origin, '.gauge .bar')} ms`,
)

const sessions = await page.evaluate(async () => (await (await fetch('/api/list?limit=500')).json()).sessions)
const longest = sessions.toSorted((a, b) => b.event_count - a.event_count || b.tool_count - a.tool_count)[0]
const words = '.event .words'
const first = []
for (let time = 0; time < 3; time++) {
  bytes = 0
  first.push(await until(`${origin}/session/${longest.session_uid}`, words))
}
console.log(`first words of the longest session (${longest.tool_count} calls): ${first.join(', ')} ms`)
await page.waitForFunction(() => document.querySelector('.skeleton, .waiting, [aria-busy="true"]') === null)
console.log(`it came with ${Math.round(bytes / 1024)} KiB`)

bytes = 0
const scrolled = await page.evaluate(async () => {
  const text = document.querySelector('.reader-text')
  const long = []
  const watch = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)))
  watch.observe({ type: 'longtask' })
  const frames = []
  let before = performance.now()
  const end = before + 5000
  while (before < end) {
    text.scrollBy(0, 60)
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const now = performance.now()
    frames.push(now - before)
    before = now
  }
  watch.disconnect()
  return { frames: frames.toSorted((a, b) => a - b), long, nodes: document.querySelectorAll('.reader *').length }
})
const { frames, long, nodes } = scrolled
const at = (share) => frames[Math.floor(frames.length * share)].toFixed(1)
console.log(
  `scrolled for 5 s: ${frames.length} frames, median ${at(0.5)} ms, p95 ${at(0.95)}, longest ${frames.at(-1).toFixed(0)}; ` +
    `${long.length} tasks over 50 ms, the longest ${Math.round(Math.max(0, ...long))}; ${nodes} elements, ${Math.round(bytes / 1024)} KiB more`,
)

const query = (longest.title ?? 'go on with step').split(' ').slice(0, 4).join(' ')
const typed = await page.evaluate(async (query) => {
  const taken = []
  for (let n = 2; n <= query.length; n++) {
    const began = performance.now()
    await (await fetch(`/api/search?live=true&limit=30&query=${encodeURIComponent(query.slice(0, n))}`)).text()
    taken.push(performance.now() - began)
  }
  return taken.toSorted((a, b) => a - b)
}, query)
console.log(
  `search, letter by letter: median ${typed[Math.floor(typed.length / 2)].toFixed(0)} ms, longest ${typed.at(-1).toFixed(0)} ms`,
)
await browser.close()
server.kill('SIGINT')
await new Promise((resolve) => server.once('exit', resolve))
if (made !== null) rmSync(made, { recursive: true, force: true })
