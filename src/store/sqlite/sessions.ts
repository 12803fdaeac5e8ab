import type { SessionFilter, SessionRecord } from '../../model/session.ts'
import type { Resolution } from '../store.ts'
import type { Database, Row } from './database.ts'
import { sessionWhere } from './session-conditions.ts'

const SHORTEST_PREFIX = 6
const MAX_CANDIDATES = 10
const MAX_DEPTH = 20
const TAGS = '(SELECT group_concat(t.tag, char(10) ORDER BY t.tag) FROM tag t WHERE t.session_uid = s.uid) AS tags'

/** How many subagents each session has started, theirs included, by the uid of the session. */
export function countSubagents(db: Database): Map<string, number> {
  const rows = db.all('SELECT uid, parent_uid FROM session WHERE hidden = 1 AND parent_uid IS NOT NULL')
  const parents = new Map(rows.map((row) => [String(row['uid']), String(row['parent_uid'])]))
  const counts = new Map<string, number>()
  for (const uid of parents.keys()) {
    let top = uid
    // A log may claim that two started each other.
    for (let steps = 0; parents.has(top) && steps < MAX_DEPTH; steps++) top = parents.get(top) ?? top
    counts.set(top, (counts.get(top) ?? 0) + 1)
  }
  return counts
}

export function listSessions(db: Database, filter: SessionFilter): { sessions: SessionRecord[]; total: number } {
  const where = sessionWhere(filter)
  const rows = db.all(
    `SELECT s.*, ${TAGS} FROM session s WHERE ${where.sql} ORDER BY s.started_at DESC NULLS LAST, s.uid LIMIT ?`,
    ...where.values,
    filter.limit === 0 ? -1 : filter.limit,
  )
  const isAll = filter.limit === 0 || rows.length < filter.limit
  const count = () => db.get(`SELECT count(*) AS n FROM session s WHERE ${where.sql}`, ...where.values)?.['n']
  return { sessions: rows.map(toSession), total: isAll ? rows.length : Number(count()) }
}

export function getSession(db: Database, id: number): SessionRecord | null {
  const row = db.get(`SELECT s.*, ${TAGS} FROM session s WHERE s.id = ?`, id)
  return row ? toSession(row) : null
}

export function resolveSession(db: Database, id: string): Resolution {
  const exact =
    db.get('SELECT id FROM session WHERE uid = ?', id) ??
    db.get('SELECT session AS id FROM session_path WHERE short_id = ?', id.toLowerCase())
  if (exact) return { found: 'one', id: Number(exact['id']) }
  if (id.length < SHORTEST_PREFIX) return { found: 'none' }
  const upTo = `${id}\u{10ffff}`
  const rows = db.all(
    `SELECT id FROM session WHERE uid >= ?1 AND uid < ?2
     UNION SELECT session FROM session_path WHERE short_id >= lower(?1) AND short_id < lower(?2)
     UNION SELECT id FROM session WHERE native_id >= ?1 AND native_id < ?2 LIMIT ?3`,
    id,
    upTo,
    MAX_CANDIDATES,
  )
  if (rows.length === 1) return { found: 'one', id: Number(rows[0]?.['id']) }
  if (rows.length === 0) return { found: 'none' }
  const candidates = rows.flatMap((row) => getSession(db, Number(row['id'])) ?? [])
  return { found: 'many', candidates }
}

function branchesOf(json: string | null, first: string | null): string[] {
  return json === null ? (first === null ? [] : [first]) : (JSON.parse(json) as string[])
}

function toSession(row: Row): SessionRecord {
  const number = (name: string) => (row[name] === null ? null : Number(row[name]))
  const text = (name: string) => (row[name] === null ? null : String(row[name]))
  const count = (name: string) => Number(row[name] ?? 0)
  return {
    rowId: count('id'),
    uid: String(row['uid']),
    shortId: String(row['short_id']),
    flavor: String(row['flavor']),
    longSource: String(row['source']),
    nativeId: String(row['native_id']),
    title: text('title'),
    sourcePath: String(row['source_path']),
    cwd: text('cwd'),
    gitRepo: text('git_repo'),
    repoIdentity: text('repo_identity'),
    gitBranch: text('git_branch'),
    branches: branchesOf(text('branches'), text('git_branch')),
    model: text('model'),
    startedAt: number('started_at'),
    endedAt: number('ended_at'),
    messageCount: count('message_count'),
    promptCount: count('prompt_count'),
    toolCount: count('tool_count'),
    eventCount: count('event_count'),
    retryCount: count('retry_count'),
    threadCount: count('thread_count'),
    tokens:
      count('responses') === 0
        ? null
        : {
            input: count('input_tokens'),
            output: count('output_tokens'),
            cacheRead: count('cache_read'),
            cacheWrite5m: count('cache_write_5m'),
            cacheWrite1h: count('cache_write_1h'),
            reasoning: count('reasoning'),
          },
    parentUid: text('parent_uid'),
    isSubagent: row['hidden'] === 1,
    automated: row['automated'] === 1,
    isComplete: row['is_complete'] === 1,
    fileMtime: number('file_mtime'),
    fileSize: number('file_size'),
    sourceBytes: count('source_bytes'),
    outcome: String(row['outcome']),
    taskRef: text('task_ref'),
    domain: null,
    discoveredAt: number('discovered_at'),
    ingestedAt: number('ingested_at'),
    analyzedAt: number('analyzed_at'),
    evictedAt: number('evicted_at'),
    evictReason: text('evict_reason'),
    partEvictedAt: number('part_evicted_at'),
    tags: text('tags')?.split('\n') ?? [],
  }
}
