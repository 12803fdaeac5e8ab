// `npm run torture`: kill -9 an index or a sweep at random moments, then let one run finish: nothing may be missing,
// doubled or left behind, compared with an undisturbed run.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs'

/** Enough for several transactions and both threads; more would only take longer. */
const HOME_BYTES = 16e6
const SOFT_CAP = 4 * 2 ** 20
const CAPS = `[session_memory.retention]\nraw_soft_cap_bytes = "4MiB"\nraw_hard_cap_bytes = "10MiB"\n`

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    mode: { type: 'string', default: 'both' },
  },
})
ensureInstalled()
await ensureBuilt()
const { DatabaseSync } = await import('@photostructure/sqlite')

const bin = path.join(root, 'bin', 'recall.js')
const work = mkdtempSync(path.join(tmpdir(), 'recall-torture-'))
const whole = path.join(work, 'whole')
const home = path.join(work, 'home')
must(
  spawnSync(process.execPath, [path.join(root, 'bench', 'generate.mjs'), '--size', 'S', '--out', whole], {
    encoding: 'utf8',
  }),
)
shrink(whole)
resetHome()
mkdirSync(path.join(work, 'config', 'recall'), { recursive: true })

let state = Number(values.seed)
const random = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31

const calm = path.join(work, 'calm')
const started = Date.now()
recall(calm, 'index')
const wallMs = Date.now() - started
recall(calm, 'analyze', '--all')
const wanted = readStore(calm)
writeFileSync(path.join(work, 'config', 'recall', 'config.toml'), CAPS)

const modes = values.mode === 'both' ? ['sweep', 'index'] : [values.mode]
const tally = { kills: 0, failures: 0 }
for (let time = 1; time <= Number(values.times); time++) {
  const data = path.join(work, `data-${time}`)
  const mode = modes[time % modes.length]
  const faults = await (mode === 'sweep' ? tortureSweep(data) : tortureIndex(data))
  if (faults.length > 0) tally.failures++
  for (const fault of faults) console.log(`round ${time} (${mode}): ${fault}`)
  if (faults.length === 0 || !process.env.RECALL_TORTURE_KEEP) rmSync(data, { recursive: true, force: true })
}
if (tally.failures === 0 || !process.env.RECALL_TORTURE_KEEP) rmSync(work, { recursive: true, force: true })
console.log(`torture: ${values.times} rounds, ${tally.kills} kills, ${tally.failures} failed`)
process.exitCode = tally.failures === 0 ? 0 : 1

async function tortureIndex(data) {
  const kills = 1 + Math.floor(random() * 3)
  for (let kill = 0; kill < kills; kill++) await killed(data, 'index')
  recall(data, 'index')
  return [...compare(data, () => false), ...examine(data)]
}

/** Transcripts come and grow between sweeps that evict. */
async function tortureSweep(data) {
  const withheld = withhold()
  const names = withheld.map(({ name }) => name).join('\n')
  const kills = 2 + Math.floor(random() * 3)
  for (let kill = 0; kill < kills; kill++) {
    await killed(data, 'sweep')
    release(withheld, withheld.length / (kills - kill))
  }
  const last = JSON.parse(recall(data, 'sweep', '--json'))
  const faults = [
    ...compare(
      data,
      ({ evicted }) => evicted,
      (uid) => names.includes(uid.slice(uid.indexOf(':') + 1)),
    ),
    ...examine(data),
  ]
  if (last.data_loss !== null) faults.push('data was lost')
  const budget = JSON.parse(recall(data, 'budget', '--json'))
  if (budget.tier1.bytes > SOFT_CAP) faults.push(`${budget.tier1.bytes} bytes are held, above the soft cap`)
  const again = JSON.parse(recall(data, 'sweep', '--json'))
  if (again.ingested + again.analyzed + again.evicted.length > 0) faults.push('a second sweep finds work to do')
  resetHome()
  return faults
}

/**
 * Every session as an undisturbed run has it: its events, or, where they may be gone, its digest. Of one that came in
 * parts the first may be gone, and what its digest counts is the same.
 */
function compare(data, mayBeGone, inParts = () => false) {
  const got = readStore(data)
  const faults = []
  if (got.ledger !== wanted.ledger) faults.push('the ledger differs')
  if (got.losses > 0) faults.push(`${got.losses} losses were noted`)
  if (got.sessions.size !== wanted.sessions.size)
    faults.push(`${got.sessions.size} of ${wanted.sessions.size} sessions`)
  const gone = [...got.sessions.values()].filter((session) => session.evicted).length
  if (gone === 0 && mayBeGone({ evicted: true })) faults.push('nothing was evicted: the caps are too large')
  for (const [uid, session] of got.sessions) {
    const want = wanted.sessions.get(uid)
    if (session.figures !== want?.figures) faults.push(`${uid}: ${session.figures}, not ${want?.figures}`)
    if (inParts(uid) && (session.inPart || mayBeGone(session))) {
      const [got, wanted] = [counts(session.digest), counts(want?.digest)]
      if (got !== wanted) faults.push(`${uid}: came in parts, and its digest counts ${got}, not ${wanted}`)
    } else if (mayBeGone(session)) {
      if (session.digest !== want?.digest) faults.push(`${uid}: evicted, and its digest differs`)
    } else if (session.events !== want?.events) faults.push(`${uid}: its events differ`)
  }
  return faults.length > 8 ? [...faults.slice(0, 8), `and ${faults.length - 8} more`] : faults
}

function counts(digest) {
  if (digest == null) return 'nothing'
  const { event_count, kind_counts, tool_histogram, exchanges, cost, started_at, ended_at } = JSON.parse(digest)
  const sorted = (values) => Object.fromEntries(Object.entries(values).sort())
  const sums = { kind_counts: sorted(kind_counts), tool_histogram: sorted(tool_histogram), cost: sorted(cost) }
  return JSON.stringify({ event_count, exchanges, started_at, ended_at, ...sums })
}

function examine(data) {
  const doctor = run(data, 'doctor')
  return doctor.status === 0 ? lostPacks(data) : [doctor.stdout, ...lostPacks(data)]
}

async function killed(data, command) {
  const child = spawn(process.execPath, [bin, command], { env: environment(data), stdio: 'ignore' })
  const exited = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)))
  await new Promise((resolve) => setTimeout(resolve, 40 + random() * wallMs))
  child.kill('SIGKILL')
  if ((await exited) === 'SIGKILL') tally.kills++
}

function environment(data) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  return { ...env, HOME: home, XDG_DATA_HOME: data, XDG_CONFIG_HOME: path.join(work, 'config') }
}

function run(data, ...args) {
  return spawnSync(process.execPath, [bin, ...args], { env: environment(data), encoding: 'utf8', maxBuffer: 1 << 28 })
}

function recall(data, ...args) {
  return must(run(data, ...args)).stdout
}

function must(ended) {
  if (ended.status === 0) return ended
  console.error(ended.stdout, ended.stderr)
  process.exit(1)
}

/** Leaves whole projects, up to a size. */
function shrink(dir) {
  const projects = path.join(dir, '.claude', 'projects')
  let left = HOME_BYTES
  for (const name of readdirSync(projects)) {
    const files = readdirSync(path.join(projects, name), { recursive: true })
    const bytes = files.reduce((sum, file) => sum + statSync(path.join(projects, name, file)).size, 0)
    if (bytes > left) rmSync(path.join(projects, name), { recursive: true })
    else left -= bytes
  }
}

function resetHome() {
  rmSync(home, { recursive: true, force: true })
  cpSync(whole, home, { recursive: true, preserveTimestamps: true })
}

/** Takes some transcripts out of the home, and of others the end. Returns what is missing, in random order. */
function withhold() {
  const files = readdirSync(home, { recursive: true }).filter((name) => name.endsWith('.jsonl'))
  const some = files.flatMap((name) => {
    const dice = random()
    if (dice > 0.4) return []
    const size = statSync(path.join(home, name)).size
    const from = dice < 0.2 ? 0 : Math.floor(size * random())
    if (from === 0) rmSync(path.join(home, name))
    else truncateSync(path.join(home, name), from)
    return [{ name, from, order: random() }]
  })
  return some.sort((a, b) => a.order - b.order)
}

function release(withheld, count) {
  for (const { name, from } of withheld.splice(0, Math.ceil(count))) {
    const file = path.join(home, name)
    const { atimeMs, mtimeMs } = statSync(path.join(whole, name))
    appendFileSync(file, readFileSync(path.join(whole, name)).subarray(from))
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000)
  }
}

function openDatabase(data) {
  return new DatabaseSync(path.join(data, 'recall', 'recall.db'), { readOnly: true })
}

/** Everything the store says, tool outputs included, without times of indexing. */
function readStore(data) {
  const db = openDatabase(data)
  const hashes = new Map()
  const add = (sql) => {
    for (const { uid, ...row } of db.prepare(sql).iterate()) {
      if (!hashes.has(uid)) hashes.set(uid, createHash('sha256'))
      hashes.get(uid).update(text(row))
    }
  }
  add(`SELECT s.uid, l.name, e.pos, e.parent, e.at, e.kind, e.tool, e.summary, e.text, e.input, e.body_length, e.flags, e.message_id, e.call_id, e.exchange
       FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session ORDER BY s.uid, l.name, e.pos`)
  add(`SELECT s.uid, l.name, x.ord, x.first_pos, x.last_pos FROM exchange x JOIN lane l ON l.id = x.lane
       JOIN session s ON s.id = l.session ORDER BY s.uid, l.name, x.first_pos`)
  for (const { uid, body } of bodies(db, data)) hashes.get(uid).update(body)
  const sessions = new Map()
  for (const { uid, evicted_at, part, json, ...figures } of db
    .prepare(
      `SELECT uid, short_id, title, message_count, tool_count, event_count, input_tokens, output_tokens, is_complete,
         evicted_at, session.part, d.json FROM session LEFT JOIN digests d ON d.session_uid = uid`,
    )
    .iterate()) {
    const events = hashes.get(uid)?.digest('hex')
    sessions.set(uid, {
      events,
      figures: text(figures),
      evicted: evicted_at !== null,
      inPart: part !== null,
      digest: json,
    })
  }
  const ledger = db.prepare('SELECT key, model, at, input, output, cache_read, line FROM ledger ORDER BY key').all()
  const losses = Number(db.prepare('SELECT count(*) AS n FROM notice').get().n)
  db.close()
  return { sessions, ledger: text(ledger), losses }
}

function text(row) {
  return JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value))
}

function* bodies(db, data) {
  const packs = new Map()
  const rows =
    db.prepare(`SELECT s.uid, c.pack, c.offset, c.length, e.body_offset AS at, e.body_length AS size FROM event e JOIN chunk c ON c.id = e.chunk
    JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session ORDER BY s.uid, l.name, e.pos`)
  let last = ''
  let chunk = Buffer.alloc(0)
  for (const { uid, pack, offset, length, at, size } of rows.iterate()) {
    const file = path.join(data, 'recall', 'blobs', `${String(pack).padStart(6, '0')}.pack`)
    if (!packs.has(file)) packs.set(file, readFileSync(file))
    const key = `${pack}:${offset}`
    if (key !== last) chunk = brotliDecompressSync(packs.get(file).subarray(offset, offset + length))
    last = key
    yield { uid, body: chunk.subarray(at, at + size) }
  }
}

/** Packs that lie there though nothing points into them. */
function lostPacks(data) {
  const db = openDatabase(data)
  const rows = db.prepare('SELECT DISTINCT pack FROM chunk').all()
  db.close()
  const used = new Set(rows.map(({ pack }) => Number(pack)))
  const packs = readdirSync(path.join(data, 'recall', 'blobs')).filter((name) => !used.has(Number.parseInt(name, 10)))
  return packs.map((name) => `${name} is left though nothing points into it`)
}
