import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import { isTight } from '../../model/spare-room.ts'
import type { Analysis, Eviction, Holding, Keeping, Notice, Said } from '../keeping.ts'
import { BOOKMARK_TAG, KEEP_TAG } from '../keeping.ts'
import { removePacks, type PackWriter } from '../blobs/packs.ts'
import { blankDead } from './compact.ts'
import { readAnalysisInput, saveAnalysis } from './analysis-rows.ts'
import { addDecision } from './decisions.ts'
import type { Database } from './database.ts'
import { keepMeta, readMeta } from './meta.ts'
import { evictSessions, forgetSessions, owePurge, owesPurge, purge, restoreSession, unforgetSession } from './evict.ts'
import { setTag, setTitle } from './own-words.ts'
import { readTiers } from './status.ts'

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

  async analysisInput(id: number) {
    return readAnalysisInput(this.#db, id)
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
         EXISTS (SELECT 1 FROM tag t WHERE t.session_uid = s.uid AND t.tag IN (?, ?)) AS pinned
       FROM session s LEFT JOIN (SELECT session, sum(length) AS bytes FROM chunk GROUP BY session) c ON c.session = s.id
       WHERE s.evicted_at IS NULL AND s.event_count > 0 ORDER BY s.uid`,
      KEEP_TAG,
      BOOKMARK_TAG,
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

  async describe(session: number, said: Said, now: number) {
    this.#db.transaction(() => {
      if ('tag' in said) setTag(this.#db, session, said, now)
      else setTitle(this.#db, session, said.title, now)
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
