import path from 'node:path'
import type { DigestEvent, DigestInput } from '../../model/digest.ts'
import { DECISIONS_LANE, laneBase, type EventKind, type Role } from '../../model/event.ts'
import { UserError } from '../../model/errors.ts'
import { messageId, nativeKey } from '../../model/ids.ts'
import { readMarks } from '../../model/marks.ts'
import { isTight } from '../../model/spare-room.ts'
import { oneLine } from '../../model/text.ts'
import type { Analysis, Eviction, Holding, Keeping, Notice } from '../keeping.ts'
import { KEEP_TAG } from '../keeping.ts'
import { FLAG } from '../store.ts'
import { removePacks, type PackWriter } from '../blobs/packs.ts'
import { noteChange } from './changes.ts'
import { blankDead } from './compact.ts'
import { keepSpans } from './activity-rows.ts'
import type { Database, Row } from './database.ts'
import { keepMeta, readMeta } from './meta.ts'
import { evictSessions, forgetSessions, owePurge, owesPurge, purge, restoreSession, unforgetSession } from './evict.ts'
import { END_IS_OVER, readPart } from './evicted-part.ts'
import { indexExchanges } from './exchanges.ts'
import { getSession } from './sessions.ts'
import { uidOf } from './session-ids.ts'
import { writeSessionRow } from './session-row.ts'
import { readTiers } from './status.ts'
import { HIDDEN } from './event-conditions.ts'
import { LOST } from './lane-names.ts'

/** Part of the session is still to be read, or to be read again: what is there of it must not be judged yet. */
const BEING_READ = `EXISTS (SELECT 1 FROM lane l JOIN file f ON f.id = l.file
  WHERE l.session = s.id AND (f.status = 'partial' OR f.status = 'evicted' AND f.stamp = ''))`

/** Digests, signals, marks and evictions in the same SQLite file as the sessions. */
export class SqliteKeeping implements Keeping {
  readonly #db: Database
  readonly #packs: () => PackWriter
  readonly #blobDir: string

  constructor(db: Database, blobDir: string, packs: () => PackWriter) {
    this.#db = db
    this.#blobDir = blobDir
    this.#packs = packs
  }

  async digest(uid: string) {
    const row = this.#db.get('SELECT json FROM digests WHERE session_uid = ?', uid)
    return row ? String(row['json']) : null
  }

  async toAnalyze(restingSince: number) {
    const rows = this.#db.all(
      `SELECT id FROM session s WHERE event_count > 0 AND evicted_at IS NULL
         AND (analyzed_at IS NULL OR analyzed_at < ingested_at) AND coalesce(ended_at, 0) <= ? AND NOT ${BEING_READ}
       ORDER BY ended_at, uid`,
      restingSince,
    )
    return rows.map((row) => Number(row['id']))
  }

  async renewAnalyses(revision: string) {
    this.#db.transaction(() => {
      const known = readMeta(this.#db, 'analysis_revision')
      if (known === revision) return
      this.#db.run('UPDATE session SET analyzed_at = NULL WHERE analyzed_at IS NOT NULL AND evicted_at IS NULL')
      keepMeta(this.#db, 'analysis_revision', revision)
    })
  }

  async analysisInput(id: number): Promise<DigestInput> {
    const session = getSession(this.#db, id)
    if (session === null) throw new Error(`no session ${id}`)
    const row = this.#db.get(
      `SELECT s.redactions, ${END_IS_OVER} AS over, d.part AS digest, c.part AS spans FROM session s LEFT JOIN digests d ON d.session_uid = s.uid
       LEFT JOIN course c ON c.session = s.id WHERE s.id = ?`,
      id,
    )
    const part = typeof row?.['digest'] === 'string' ? readPart(row['digest'], row['over'] === 1) : null
    return {
      session,
      events: readDigestEvents(this.#db, id),
      part: part === null ? null : { digest: part, spans: String(row?.['spans'] ?? '') },
      redactions: JSON.parse(String(row?.['redactions'])) as Record<string, number>,
      sources: readSources(this.#db, id),
    }
  }

  async saveAnalyses(analyses: readonly Analysis[], now: number) {
    this.#db.transaction(() => {
      for (const analysis of analyses) saveAnalysis(this.#db, analysis, now)
    })
  }

  async holdings(): Promise<Holding[]> {
    const rows = this.#db.all(
      `SELECT s.uid, s.row_bytes + coalesce(c.bytes, 0) AS bytes, s.analyzed_at, s.ingested_at, s.ended_at,
         s.analyzed_at < s.ingested_at OR ${BEING_READ} AS stale,
         EXISTS (SELECT 1 FROM tag t WHERE t.session_uid = s.uid AND t.tag = ?) AS pinned
       FROM session s LEFT JOIN (SELECT session, sum(length) AS bytes FROM chunk GROUP BY session) c ON c.session = s.id
       WHERE s.evicted_at IS NULL AND s.event_count > 0 ORDER BY s.uid`,
      KEEP_TAG,
    )
    return rows.map((row) => ({
      uid: String(row['uid']),
      bytes: Number(row['bytes']),
      analyzedAt: row['analyzed_at'] === null || row['stale'] === 1 ? null : Number(row['analyzed_at']),
      ingestedAt: Number(row['ingested_at'] ?? 0),
      endedAt: row['ended_at'] === null ? null : Number(row['ended_at']),
      pinned: row['pinned'] === 1,
    }))
  }

  async distilledBytes() {
    return readTiers(this.#db).distilled
  }

  async evict(evictions: readonly Eviction[], now: number) {
    this.#inSteps(evictions, (some, packs) => evictSessions(this.#db, packs, this.#blobDir, some, now))
  }

  async purge(evicted: boolean) {
    if (evicted || owesPurge(this.#db)) this.#purge()
  }

  async owesPurge() {
    return owesPurge(this.#db)
  }

  async forget(sessions: readonly number[], now: number) {
    if (sessions.length === 0) return
    this.#inSteps(sessions, (some, packs) => forgetSessions(this.#db, packs, this.#blobDir, some, now))
    this.#purge()
  }

  /**
   * All at once, or, on a full disk, one after the other: each needs less room and gives some back, so that what did
   * not fit at first may fit at last.
   */
  #inSteps<T>(items: readonly T[], drop: (some: readonly T[], packs: PackWriter) => number[]): void {
    if (items.length === 0) return
    if (!isTight(path.dirname(this.#db.path))) return this.#drop((packs) => drop(items, packs))
    const tooLarge = items.filter((item) => !this.#fits(() => this.#drop((packs) => drop([item], packs))))
    for (const item of tooLarge) this.#drop((packs) => drop([item], packs))
  }

  #fits(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'STORE_IO') throw error
      this.#db.checkpoint()
      return false
    }
  }

  #purge(): void {
    blankDead(this.#db, this.#blobDir)
    purge(this.#db)
  }

  /** Drops rows and then the packs they leave behind. That a purge is owed outlives a crash. */
  #drop(work: (packs: PackWriter) => number[]): void {
    const packs = this.#packs()
    const before = packs.current
    let gone: number[]
    try {
      gone = this.#db.transaction(() => {
        owePurge(this.#db)
        return work(packs)
      })
    } catch (error) {
      packs.rewind(before)
      throw error
    }
    this.#db.sync()
    removePacks(this.#blobDir, gone)
    if (isTight(path.dirname(this.#db.path))) this.#db.checkpoint()
  }

  async unforget(uid: string) {
    return this.#db.transaction(() => unforgetSession(this.#db, uid))
  }

  async restore(session: number) {
    this.#db.transaction(() => restoreSession(this.#db, session))
  }

  async setTag(session: number, tag: string, on: boolean, now: number) {
    const uid = uidOf(this.#db, session)
    const sql = on
      ? 'INSERT OR IGNORE INTO tag (session_uid, tag) VALUES (?, ?)'
      : 'DELETE FROM tag WHERE session_uid = ? AND tag = ?'
    this.#db.transaction(() => {
      if (this.#db.run(sql, uid, tag).changes > 0) noteChange(this.#db, session, 'tagged', now)
    })
  }

  async decide(session: number, text: string, at: number, tell?: (seq: number) => void) {
    return this.#db.transaction(() => {
      const seq = addDecision(this.#db, session, text, at)
      tell?.(seq)
      return seq
    })
  }

  async notices(): Promise<Notice[]> {
    const rows = this.#db.all('SELECT id, at, kind, message FROM notice WHERE acknowledged_at IS NULL ORDER BY id')
    return rows.map((row) => ({
      id: Number(row['id']),
      at: Number(row['at']),
      kind: String(row['kind']),
      message: String(row['message']),
    }))
  }

  async addNotice(kind: string, message: string, at: number) {
    this.#db.run('INSERT INTO notice (at, kind, message) VALUES (?, ?, ?)', at, kind, message)
  }

  async acknowledge(now: number) {
    return this.#db.run('UPDATE notice SET acknowledged_at = ? WHERE acknowledged_at IS NULL', now).changes
  }
}

function readDigestEvents(db: Database, session: number): DigestEvent[] {
  const files = groupByEvent(
    db.all(
      `SELECT t.event, p.name, t.edit FROM lane l JOIN event e ON e.lane = l.id JOIN touch t ON t.event = e.id
         JOIN path p ON p.id = t.path WHERE l.session = ? ORDER BY t.event, p.name`,
      session,
    ),
    (row) => ({ path: String(row['name']), edit: row['edit'] === 1 }),
  )
  const made = groupByEvent(
    db.all(
      'SELECT m.event, m.kind, m.value FROM lane l JOIN event e ON e.lane = l.id JOIN made m ON m.event = e.id WHERE l.session = ? ORDER BY m.event, m.value',
      session,
    ),
    (row) => ({ kind: row['kind'] === 'pr' ? ('pr' as const) : ('commit' as const), value: String(row['value']) }),
  )
  const rows = db.all(
    `SELECT e.id, l.base + e.pos AS seq, e.at, e.kind, e.role, e.tool, e.summary, e.text, e.bash_base, e.bash_sub,
       e.call, e.event_class, e.flags, e.thread, e.exchange, e.marks, l.name AS lane
     FROM lane l JOIN event e ON e.lane = l.id WHERE l.session = ? AND e.flags & ${HIDDEN} = 0`,
    session,
  )
  return rows.map((row) => toDigestEvent(row, files, made)).sort((a, b) => a.seq - b.seq)
}

/** Rows by the event they belong to. */
function groupByEvent<T>(rows: readonly Row[], read: (row: Row) => T): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const event = Number(row['event'])
    const group = groups.get(event)
    if (group) group.push(read(row))
    else groups.set(event, [read(row)])
  }
  return groups
}

function toDigestEvent(
  row: Row,
  files: ReadonlyMap<number, DigestEvent['files']>,
  made: ReadonlyMap<number, DigestEvent['made']>,
): DigestEvent {
  const text = (name: string) => (row[name] === null ? null : String(row[name]))
  const flags = Number(row['flags'])
  const id = Number(row['id'])
  const call = row['call'] instanceof Uint8Array ? `${row['lane']}:${Buffer.from(row['call']).toString('hex')}` : null
  return {
    seq: Number(row['seq']),
    at: row['at'] === null ? null : Number(row['at']),
    kind: String(row['kind']) as EventKind,
    role: String(row['role']) as Role,
    tool: text('tool'),
    summary: text('summary') ?? oneLine(text('text') ?? '', 120),
    text: text('text'),
    base: text('bash_base'),
    sub: text('bash_sub'),
    call,
    eventClass: text('event_class') ?? 'other',
    human: (flags & FLAG.human) !== 0,
    sidechain: (flags & FLAG.sidechain) !== 0,
    superseded: (flags & FLAG.superseded) !== 0 && !String(row['lane']).endsWith(LOST),
    thread: text('thread'),
    exchange: Number(row['exchange']),
    tests: flags & FLAG.testsFailed ? 'failed' : flags & FLAG.testsPassed ? 'passed' : null,
    files: files.get(id) ?? [],
    made: made.get(id) ?? [],
    marks: readMarks(text('marks')),
  }
}

function readSources(db: Database, session: number): DigestInput['sources'] {
  const rows = db.all(
    'SELECT DISTINCT f.path, f.size, f.head, f.tail FROM lane l JOIN file f ON f.id = l.file WHERE l.session = ? ORDER BY f.path',
    session,
  )
  return rows.map((row) => ({
    path: String(row['path']),
    bytes: Number(row['size']),
    hash: `${row['head']}:${row['tail']}`,
  }))
}

function saveAnalysis(db: Database, analysis: Analysis, now: number): void {
  db.run(
    `INSERT INTO digests (session_uid, json, schema_version, analyzed_at) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (session_uid) DO UPDATE SET json = ?2, schema_version = ?3, analyzed_at = ?4`,
    analysis.uid,
    analysis.json,
    analysis.schemaVersion,
    new Date(now).toISOString(),
  )
  db.run(
    'UPDATE session SET analyzed_at = max(?1, coalesce(ingested_at, 0)), outcome = ?2, task_ref = ?3 WHERE id = ?4',
    now,
    analysis.outcome,
    analysis.taskRef,
    analysis.session,
  )
  noteChange(db, analysis.session, 'analysed', now)
  keepSpans(db, analysis.session, analysis.spans)
  db.run('DELETE FROM signal WHERE session = ? AND part_count = 0', analysis.session)
  db.run('UPDATE signal SET count = part_count WHERE session = ?', analysis.session)
  for (const signal of analysis.signals) {
    db.run(
      `INSERT INTO signal (session, kind, fingerprint, summary, count, tool, seqs, denied_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
      analysis.session,
      signal.kind,
      signal.fingerprint,
      signal.summary,
      signal.count,
      signal.tool,
      JSON.stringify(signal.seqs),
      signal.by ?? null,
    )
  }
}

/** Decisions stand in a lane of their own that no transcript writes. */
function addDecision(db: Database, session: number, text: string, at: number): number {
  db.run(
    'INSERT OR IGNORE INTO lane (session, name, base, originality) VALUES (?, ?, ?, 0)',
    session,
    DECISIONS_LANE,
    laneBase(DECISIONS_LANE),
  )
  const kept = db.get('SELECT id, base FROM lane WHERE session = ? AND name = ?', session, DECISIONS_LANE)
  const [lane, base] = [Number(kept?.['id']), Number(kept?.['base'])]
  const pos = Number(db.get('SELECT coalesce(max(pos) + 1, 0) AS pos FROM event WHERE lane = ?', lane)?.['pos'])
  const row = db.get('SELECT uid, short_id FROM session WHERE id = ?', session)
  db.run(
    `INSERT INTO event (lane, pos, at, kind, role, summary, text, flags, native, block, message, message_id, line, exchange, event_class)
     VALUES (?, ?, ?, 'decision', 'system', ?, ?, 0, ?, 0, NULL, NULL, 0, ?, 'other')`,
    lane,
    pos,
    at,
    oneLine(text, 120),
    text,
    nativeKey(messageId(String(row?.['uid']), base + pos)),
    pos,
  )
  indexExchanges(db, lane, pos)
  writeSessionRow(db, session, at)
  noteChange(db, session, 'tagged', at)
  return base + pos
}
