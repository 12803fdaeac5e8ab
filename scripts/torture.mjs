// `npm run torture`: kill -9 an index at random moments, then let one run finish: the store must equal that of an undisturbed run.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs'

const { values } = parseArgs({
  options: { times: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
})
ensureInstalled()
await ensureBuilt()

const bin = path.join(root, 'bin', 'recall.js')
const work = mkdtempSync(path.join(tmpdir(), 'recall-torture-'))
const home = path.join(work, 'home')
spawnSync(process.execPath, [path.join(root, 'bench', 'generate.mjs'), '--size', 'S', '--out', home], {
  stdio: 'inherit',
})

let state = Number(values.seed)
const random = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31

const environment = (data) => {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  return { ...env, HOME: home, XDG_DATA_HOME: data, XDG_CONFIG_HOME: path.join(work, 'config') }
}

const calm = path.join(work, 'calm')
const started = Date.now()
must(spawnSync(process.execPath, [bin, 'index'], { env: environment(calm), encoding: 'utf8' }))
const wallMs = Date.now() - started
const wanted = await fingerprint(calm)

let failures = 0
for (let time = 1; time <= Number(values.times); time++) {
  const data = path.join(work, `data-${time}`)
  const kills = 1 + Math.floor(random() * 3)
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [bin, 'index'], { env: environment(data), stdio: 'ignore' })
    const exited = new Promise((resolve) => child.on('exit', resolve))
    await new Promise((resolve) => setTimeout(resolve, 40 + random() * wallMs))
    child.kill('SIGKILL')
    await exited
  }
  must(spawnSync(process.execPath, [bin, 'index'], { env: environment(data), encoding: 'utf8' }))
  const same = (await fingerprint(data)) === wanted
  const doctor = spawnSync(process.execPath, [bin, 'doctor'], { env: environment(data), encoding: 'utf8' })
  if (!same || doctor.status !== 0) {
    failures++
    console.log(`round ${time}: ${same ? '' : 'the store differs '}${doctor.status === 0 ? '' : doctor.stdout}`)
  }
  rmSync(data, { recursive: true, force: true })
}
rmSync(work, { recursive: true, force: true })
console.log(`torture: ${values.times} rounds, ${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1

function must(run) {
  if (run.status === 0) return
  console.error(run.stderr)
  process.exit(1)
}

/** Everything the store says, tool outputs included, without times of indexing. */
async function fingerprint(data) {
  const { createHash } = await import('node:crypto')
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const { brotliDecompressSync } = await import('node:zlib')
  const { readFileSync } = await import('node:fs')
  const dir = path.join(data, 'recall')
  const db = new DatabaseSync(path.join(dir, 'recall.db'), { readOnly: true })
  const hash = createHash('sha256')
  const add = (sql) => {
    for (const row of db.prepare(sql).iterate())
      hash.update(
        JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
      )
  }
  add(
    'SELECT uid, short_id, title, message_count, tool_count, event_count, input_tokens, output_tokens, is_complete FROM session ORDER BY uid',
  )
  add(`SELECT s.uid, l.name, e.pos, e.parent, e.at, e.kind, e.tool, e.summary, e.text, e.input, e.body_length, e.flags, e.message_id, e.call_id, e.exchange
       FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session ORDER BY s.uid, l.name, e.pos`)
  add('SELECT key, input, output, cache_read, line FROM ledger ORDER BY key')
  add(
    `SELECT s.uid, l.name, x.ord, x.first_pos, x.last_pos FROM exchange x JOIN lane l ON l.id = x.lane JOIN session s ON s.id = l.session ORDER BY s.uid, l.name, x.first_pos`,
  )
  const packs = new Map()
  const bodies =
    db.prepare(`SELECT c.pack, c.offset, c.length, e.body_offset AS at, e.body_length AS size FROM event e JOIN chunk c ON c.id = e.chunk
    JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session ORDER BY s.uid, l.name, e.pos`)
  let last = ''
  let chunk = Buffer.alloc(0)
  for (const row of bodies.iterate()) {
    const file = path.join(dir, 'blobs', `${String(row.pack).padStart(6, '0')}.pack`)
    if (!packs.has(file)) packs.set(file, readFileSync(file))
    const key = `${row.pack}:${row.offset}`
    if (key !== last) chunk = brotliDecompressSync(packs.get(file).subarray(row.offset, row.offset + row.length))
    last = key
    hash.update(chunk.subarray(row.at, row.at + row.size))
  }
  db.close()
  return hash.digest('hex')
}
