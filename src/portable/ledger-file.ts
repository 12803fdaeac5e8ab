import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { DRAFT } from '../model/durable-file.ts'
import { onDisk } from '../model/errors.ts'
import type { LedgerEntry } from '../store/store.ts'

/** What one agent of a session took. */
interface AgentRow {
  readonly id: string
  readonly session: string
  readonly thread: string | null
  readonly models: Set<string>
  first: number | null
  last: number | null
  responses: number
  readonly sums: number[]
}

const SCHEMA = `CREATE TABLE agents (
  id TEXT PRIMARY KEY, session_uid TEXT NOT NULL, thread TEXT, models TEXT, started_at TEXT, ended_at TEXT,
  responses INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL, reasoning INTEGER NOT NULL) WITHOUT ROWID`

/**
 * A row for each session and each of its subagents, as SQLite: `tokens_in` is fresh input, `tokens_out` all output. The
 * same entries give the same bytes.
 */
export function writeLedgerFile(file: string, entries: Iterable<LedgerEntry>): void {
  const agents = new Map<string, AgentRow>()
  const ids = new Set<string>()
  for (const entry of entries) addTo(agents, ids, entry)
  const draft = `${file}${DRAFT}`
  rmSync(draft, { force: true })
  onDisk(() => {
    const db = new DatabaseSync(draft)
    try {
      db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; ${SCHEMA}`)
      const insert = db.prepare('INSERT INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
      for (const row of [...agents.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const models = [...row.models].sort().join(',') || null
        insert.run(row.id, row.session, row.thread, models, iso(row.first), iso(row.last), row.responses, ...row.sums)
      }
      db.exec('COMMIT')
    } finally {
      db.close()
    }
    renameSync(draft, file)
  })
}

function addTo(agents: Map<string, AgentRow>, ids: Set<string>, entry: LedgerEntry): void {
  const { sessionUid: uid, thread, at } = entry
  const native = uid.slice(uid.indexOf(':') + 1)
  const id = thread === null ? native : `${native}/${thread}`
  let row = agents.get(`${uid} ${id}`)
  if (row === undefined) {
    // Sessions of two agents may have one id.
    const own = ids.has(id) ? `${uid}${id.slice(native.length)}` : id
    ids.add(own)
    row = { id: own, session: uid, thread, models: new Set(), first: at, last: at, responses: 0, sums: [0, 0, 0, 0, 0] }
    agents.set(`${uid} ${id}`, row)
  }
  if (entry.model !== null) row.models.add(entry.model)
  if (at !== null) {
    row.first = Math.min(row.first ?? at, at)
    row.last = Math.max(row.last ?? at, at)
  }
  row.responses++
  const figures = [entry.input, entry.output, entry.cacheRead, entry.cacheWrite5m + entry.cacheWrite1h, entry.reasoning]
  for (const [i, figure] of figures.entries()) row.sums[i] = (row.sums[i] ?? 0) + figure
}
