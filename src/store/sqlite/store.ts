import path from 'node:path'
import type { SessionFilter } from '../../model/session.ts'
import type { EventWindow, FileRecord, Store, TextIndex, UnitBatch, UsageFilter, UsageKey } from '../store.ts'
import type { ChronicleQueries } from '../chronicle.ts'
import type { EvidenceQueries } from '../evidence.ts'
import type { InsightQueries } from '../insight.ts'
import type { Memory, TextRewriter } from '../memory.ts'
import { PackWriter } from '../blobs/packs.ts'
import { carryLanes, carryMarks } from './carry-over.ts'
import { checkStore } from './check.ts'
import { chronicleQueries } from './chronicle-queries.ts'
import { evidenceQueries } from './evidence-queries.ts'
import { insightQueries } from './insight-queries.ts'
import { Database, type Row } from './database.ts'
import { readBodies, readEvents, readExchange } from './events.ts'
import { indexExchanges } from './exchanges.ts'
import { foldMovedRepos } from './repos.ts'
import { rewriteTexts } from './rewrite.ts'
import { rollUpStale } from './rollup.ts'
import { compactPacks } from './compact.ts'
import { purge, removeLostPacks } from './evict.ts'
import { SqliteMemory } from './memory.ts'
import { numberOfDocument, sessionOfDocument, TITLE_DOCUMENT } from './documents.ts'
import * as fullText from './search.ts'
import { getSession, listSessions, resolveSession } from './sessions.ts'
import { settleSession } from './settle.ts'
import { readStatus } from './status.ts'
import { storedTexts } from './texts.ts'
import { filesOfSession, readLedger, sumUsage } from './usage.ts'
import { appendBatches } from './write.ts'

/** The embedded store: one SQLite file, and packs of tool outputs in `blobs/` beside it. */
export class SqliteStore implements Store {
  readonly memory: Memory
  readonly text: TextIndex
  readonly insight: InsightQueries
  readonly evidence: EvidenceQueries
  readonly chronicle: ChronicleQueries
  readonly #db: Database
  readonly #blobDir: string
  readonly #now: () => number
  #packs: PackWriter | null = null
  #writes = false

  private constructor(db: Database, now: () => number) {
    this.#db = db
    this.#blobDir = path.join(path.dirname(db.path), 'blobs')
    this.text = textIndex(db)
    this.insight = insightQueries(db)
    this.evidence = evidenceQueries(db)
    this.chronicle = chronicleQueries(db)
    this.memory = new SqliteMemory(db, this.#blobDir, () => (this.#packs ??= this.#openPacks()))
    this.#now = now
  }

  static create(file: string, now: () => number): SqliteStore {
    const store = new SqliteStore(Database.create(file), now)
    removeLostPacks(store.#db, store.#blobDir)
    store.#writes = true
    return store
  }

  static read(file: string, now: () => number): SqliteStore {
    return new SqliteStore(Database.read(file), now)
  }

  async files() {
    const rows = this.#db.all("SELECT * FROM file WHERE status <> 'gone'")
    return new Map(rows.map((row) => [String(row['path']), toFile(row)]))
  }

  async append(batches: readonly UnitBatch[]) {
    const packs = (this.#packs ??= this.#openPacks())
    const before = packs.current
    try {
      return this.#db.transaction(() => {
        const tally = appendBatches(this.#db, packs, batches, this.#now())
        packs.sync()
        return tally
      })
    } catch (error) {
      packs.rewind(before)
      throw error
    }
  }

  async markFiles(marks: Parameters<Store['markFiles']>[0]) {
    this.#db.transaction(() => {
      for (const mark of marks) this.#markFile(mark)
    })
  }

  async finish(now: number, exists: (dir: string) => boolean) {
    this.#db.transaction(() => {
      for (const session of foldMovedRepos(this.#db, exists)) settleSession(this.#db, session, now)
      const titled = this.#db.all(
        `SELECT DISTINCT l.session AS id FROM told_title t JOIN event e ON e.native = t.leaf JOIN lane l ON l.id = e.lane
           JOIN session s ON s.id = l.session WHERE e.flags & 4 = 0 AND s.told_title IS NOT t.title`,
      )
      for (const row of titled) this.#tellTitle(Number(row['id']), now)
      rollUpStale(this.#db)
      fullText.keepMeasure(this.#db)
      this.#db.run("INSERT INTO meta VALUES ('last_index', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1", String(now))
    })
    if (this.#packs) compactPacks(this.#db, this.#packs, this.#blobDir, false)
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize;')
  }

  async textRevision() {
    return String(this.#db.get("SELECT value FROM meta WHERE key = 'text_revision'")?.['value'] ?? '')
  }

  async rewriteTexts(revision: string, rewriter: TextRewriter) {
    const packs = (this.#packs ??= this.#openPacks())
    const isFirst = (await this.textRevision()) === ''
    this.#db.transaction(() => {
      rewriteTexts(this.#db, packs, this.#blobDir, rewriter)
      packs.sync()
      const { pack, bytes } = packs.current
      this.#db.run(
        'INSERT INTO pack (id, bytes) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET bytes = ?2',
        pack,
        bytes,
      )
      this.#db.run("INSERT INTO meta VALUES ('text_revision', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1", revision)
    })
    if (isFirst) return
    compactPacks(this.#db, packs, this.#blobDir, true)
    purge(this.#db)
  }

  async carryOver(oldPath: string, when: 'before' | 'after') {
    const packs = (this.#packs ??= this.#openPacks())
    this.#db.transaction(() => {
      const carry = when === 'before' ? carryMarks : carryLanes
      const carried = carry(this.#db, oldPath, packs)
      packs.sync()
      for (const lane of carried.lanes) indexExchanges(this.#db, lane, 0)
      for (const session of carried.sessions) settleSession(this.#db, session, this.#now())
    })
  }

  async sessions(filter: SessionFilter) {
    return listSessions(this.#db, filter)
  }

  async session(id: number) {
    return getSession(this.#db, id)
  }

  async resolve(id: string) {
    return resolveSession(this.#db, id)
  }

  async events(session: number, window: EventWindow) {
    return readEvents(this.#db, session, window)
  }

  async bodies(session: number, seqs: readonly number[] | null) {
    return readBodies(this.#db, this.#blobDir, session, seqs)
  }

  async exchange(session: number, lane: string, exchange: number) {
    return readExchange(this.#db, session, lane, exchange)
  }

  async usage(by: UsageKey, filter: UsageFilter) {
    return sumUsage(this.#db, by, filter)
  }

  async ledger(filter: UsageFilter) {
    return readLedger(this.#db, filter)
  }

  async filesOf(session: number) {
    return filesOfSession(this.#db, session)
  }

  async status() {
    return readStatus(this.#db, this.#blobDir)
  }

  async check() {
    return checkStore(this.#db, this.#blobDir)
  }

  texts() {
    return storedTexts(this.#db, this.#blobDir)
  }

  async close() {
    if (this.#writes) this.#db.transaction(() => rollUpStale(this.#db))
    this.#packs?.close()
    this.#db.close()
  }

  #openPacks(): PackWriter {
    const last = this.#db.get('SELECT id, bytes FROM pack ORDER BY id DESC LIMIT 1')
    return new PackWriter(this.#blobDir, Number(last?.['id'] ?? 1), Number(last?.['bytes'] ?? 0))
  }

  #markFile(mark: Parameters<Store['markFiles']>[0][number]): void {
    const row = this.#db.get(
      `INSERT INTO file (source, path, stamp, size, mtime_ms, status, offset, line, state, head, tail, provisional)
       VALUES (?1, ?2, '', 0, 0, ?3, 0, 0, 'null', '', '', 0)
       ON CONFLICT (path) DO UPDATE SET status = ?3, stamp = '', state = 'null' RETURNING id`,
      mark.source,
      mark.path,
      mark.state,
    )
    if (mark.message === undefined) return
    const id = Number(row?.['id'])
    this.#db.run("DELETE FROM problem WHERE file = ? AND type = 'unreadable file'", id)
    this.#db.run(
      "INSERT INTO problem (file, type, level, message, line, offset) VALUES (?, 'unreadable file', 'warn', ?, 0, 0)",
      id,
      mark.message,
    )
  }

  /** Of several titles told about one session the one about its latest record holds. */
  #tellTitle(session: number, now: number): void {
    const row = this.#db.get(
      `SELECT t.title FROM lane l JOIN event e ON e.lane = l.id JOIN told_title t ON t.leaf = e.native
       WHERE l.session = ? AND e.flags & 4 = 0 ORDER BY l.originality, l.name, e.pos DESC LIMIT 1`,
      session,
    )
    const { changes } = this.#db.run(
      'UPDATE session SET told_title = ?1 WHERE id = ?2 AND told_title IS NOT ?1',
      row?.['title'] ?? null,
      session,
    )
    if (changes > 0) settleSession(this.#db, session, now)
  }
}

function textIndex(db: Database): TextIndex {
  return {
    postings: async (match, cap) => fullText.readPostings(db, match, cap),
    postingsIn: async (match, docs) => fullText.readPostingsIn(db, match, docs),
    size: async () => fullText.readSize(db),
    best: async (match, limit) => fullText.readBest(db, match, limit),
    sessionOf: sessionOfDocument,
    isTitle: (doc) => numberOfDocument(doc) === TITLE_DOCUMENT,
    sessionsWithin: async (filter) => fullText.sessionsWithin(db, filter),
    relativeLengths: async (sessions) => fullText.relativeLengths(db, sessions),
    place: async (doc) => fullText.placeOf(db, doc),
    fits: async (doc, filter) => fullText.exchangeFits(db, doc, filter),
    latest: async (sessions, limit) => fullText.latestDocuments(db, sessions, limit),
  }
}

function toFile(row: Row): FileRecord {
  return {
    source: String(row['source']),
    path: String(row['path']),
    stamp: String(row['stamp']),
    size: Number(row['size']),
    status: String(row['status']) as FileRecord['status'],
    offset: Number(row['offset']),
    line: Number(row['line']),
    state: String(row['state']),
    head: String(row['head']),
    tail: String(row['tail']),
    provisional: row['provisional'] === 1,
  }
}
