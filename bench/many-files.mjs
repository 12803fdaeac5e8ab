// `node bench/many-files.mjs [--files 100000] [--bin bin/recall.js]`: what a cold index of so many small transcripts
// and one with nothing new take in time and memory. By hand: the home takes 4 KB of disk a transcript.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './measure.mjs'

const { values } = parseArgs({ options: { files: { type: 'string', default: '100000' }, bin: { type: 'string' } } })
const root = path.dirname(import.meta.dirname)
const bin = path.resolve(values.bin ?? path.join(root, 'bin', 'recall.js'))
const count = Number(values.files)
const place = process.env['RECALL_BENCH_DIR'] ?? path.join(tmpdir(), 'recall-bench')
const home = path.join(place, `many-${count}`)
const START = Date.parse('2026-01-05T09:00:00Z')
const PER_PROJECT = 500

/** A session of one question, a call and an answer. */
function transcript(i, id) {
  const at = (step) => new Date(START + i * 60_000 + step * 1000).toISOString()
  const base = (step, uuid, parentUuid) => ({
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd: `/home/sam/code/app-${Math.floor(i / PER_PROJECT)}`,
    sessionId: id,
    version: '2.0.1',
    gitBranch: 'main',
    uuid: `${uuid}${id.slice(1)}`,
    timestamp: at(step),
  })
  const usage = { input_tokens: 900 + (i % 90), output_tokens: 40 + (i % 30), cache_read_input_tokens: 0 }
  const say = (step, uuid, parent, content) => ({
    ...base(step, uuid, parent),
    type: 'assistant',
    requestId: `req_${i}_${step}`,
    message: { id: `msg_${i}_${step}`, type: 'message', role: 'assistant', model: 'claude-opus-4-1', content, usage },
  })
  const user = (step, uuid, parent, content) => ({
    ...base(step, uuid, parent),
    type: 'user',
    message: { role: 'user', content },
  })
  const call = { type: 'tool_use', id: `toolu_${i}`, name: 'Bash', input: { command: `git show ${i.toString(16)}` } }
  const result = { type: 'tool_result', tool_use_id: `toolu_${i}`, content: `file ${i}\nchanged by change number ${i}` }
  return [
    user(0, '1', null, `what did change number ${i} do to the ${['cart', 'queue', 'login', 'report'][i % 4]}?`),
    say(2, '2', `1${id.slice(1)}`, [call]),
    user(3, '3', `2${id.slice(1)}`, [result]),
    say(5, '4', `3${id.slice(1)}`, [{ type: 'text', text: `It renamed file ${i}, and nothing else.` }]),
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

function writeHome() {
  if (existsSync(path.join(home, 'written'))) return
  for (let i = 0; i < count; i++) {
    const dir = path.join(home, '.claude', 'projects', `-home-sam-code-app-${Math.floor(i / PER_PROJECT)}`)
    if (i % PER_PROJECT === 0) mkdirSync(dir, { recursive: true })
    const id = `${(i + 0x10000000).toString(16).padStart(8, '0')}-0000-4000-8000-${i.toString(16).padStart(12, '0')}`
    writeFileSync(path.join(dir, `${id}.jsonl`), transcript(i, id))
  }
  writeFileSync(path.join(home, 'written'), '')
}

writeHome()
const data = path.join(place, `many-${count}-store`)
rmSync(data, { recursive: true, force: true })
const env = { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: data, XDG_CONFIG_HOME: path.join(place, 'none') }
for (const what of ['cold index', 'nothing new', 'nothing new']) {
  const run = await measure({ command: process.execPath, args: [bin, 'index'], env, timeoutMs: 900_000 })
  if (!run.ok) throw new Error(run.reason)
  const peak = run.peakBytes === null ? '?' : `${(run.peakBytes / 1e6).toFixed(0)} MB`
  console.log(`${what}: ${count} files, ${(run.wallMs / 1000).toFixed(1)} s, peak ${peak}`)
}
rmSync(data, { recursive: true, force: true })
