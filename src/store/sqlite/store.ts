import path from 'node:path'
import { lazily } from '../../model/lazily.ts'
import type { TextField } from '../../model/search-text.ts'
import type { SessionFilter } from '../../model/session.ts'
import type {
  CheckOptions,
  EventWindow,
  FileCheckpoint,
  FileRecord,
  KnownRow,
  OnDamage,
  Store,
  UnitBatch,
  UsageFilter,
  UsageKey,
} from '../store.ts'
import type { TextIndex } from '../text-index.ts'
import type { ChronicleQueries } from '../chronicle.ts'
import type { EvidenceQueries } from '../evidence.ts'
import type { InsightQueries } from '../insight.ts'
import type { Memory, TextRewriter } from '../memory.ts'
import type { Vectors } from '../vectors.ts'
import { Database, type Row } from './database.ts'
import { numberOfDocument, sessionOfDocument, TITLE_DOCUMENT } from './document-ids.ts'
import { readDocument, readEvents, readExchange } from './events.ts'
import { glance } from './glance.ts'
import { kinOf, knownRows } from './known-secrets.ts'
import * as fullText from './search.ts'
import { countSubagents, getSession, listSessions, resolveSession } from './sessions.ts'
import { filesOfSession, readLedger, sumUsage } from './usage.ts'
import type { SqliteVectors } from './vectors.ts'
import type { StoreWriter } from './writer.ts'

/**
 * The embedded store: one SQLite file, and packs of tool outputs in `blobs/` beside it. What a plain question does not
 * need is loaded when it is.
 */
export class SqliteStore implements Store {
  readonly memory: Memory
  readonly text: TextIndex
  readonly insight: InsightQueries
  readonly evidence: EvidenceQueries
  readonly chronicle: ChronicleQueries
  readonly vectors: Vectors
  readonly #db: Database
  readonly #blobDir: string
  readonly #now: () => number
  readonly #writes: boolean
  readonly #onDamage: OnDamage
  #opened: StoreWriter | null = null
  #vectors: SqliteVectors | null = null

  private constructor(db: Database, now: () => number, writes: boolean, onDamage: OnDamage = () => undefined) {
    this.#db = db
    this.#onDamage = onDamage
    this.#blobDir = path.join(path.dirname(db.path), 'blobs')
    this.text = textIndex(db)
    this.insight = lazily(async () => (await import('./insight-queries.ts')).insightQueries(db))
    this.evidence = lazily(async () => (await import('./evidence-queries.ts')).evidenceQueries(db))
    this.chronicle = lazily(async () => (await import('./chronicle-queries.ts')).chronicleQueries(db))
    this.vectors = lazily<Vectors>(async () => {
      const { SqliteVectors } = await import('./vectors.ts')
      return (this.#vectors = new SqliteVectors(db))
    })
    this.memory = lazily(async () => {
      const { SqliteMemory } = await import('./memory.ts')
      const writer = await this.#writer()
      return new SqliteMemory(db, this.#blobDir, () => writer.packs)
    })
    this.#now = now
    this.#writes = writes
  }

  static create(file: string, now: () => number, migrations: readonly string[]): SqliteStore {
    return new SqliteStore(Database.create(file, migrations), now, true)
  }

  static read(file: string, now: () => number, onDamage: OnDamage): SqliteStore {
    const store = new SqliteStore(Database.read(file), now, false, onDamage)
    const seen = glance(file)
    if (seen !== null) onDamage(seen)
    return store
  }

  async files() {
    const rows = this.#db.all(`SELECT source, path, stamp, size, status, offset FROM file WHERE status <> 'gone'`)
    return new Map(rows.map((row) => [String(row['path']), toFile(row)]))
  }

  async checkpoint(file: string) {
    return toCheckpoint(this.#db.get('SELECT * FROM file WHERE path = ?', file) ?? {})
  }

  async append(batches: readonly UnitBatch[]) {
    return (await this.#writer()).append(batches)
  }

  async markFiles(marks: Parameters<Store['markFiles']>[0]) {
    ;(await this.#writer()).markFiles(marks)
  }

  async finish(now: number, exists: (dir: string) => boolean) {
    ;(await this.#writer()).finish(now, exists)
  }

  async isUnfinished() {
    return this.#db.get("SELECT 1 FROM meta WHERE key = 'unfinished'") !== undefined
  }

  async rewriteTexts(revision: string, rewriter: TextRewriter) {
    ;(await this.#writer()).rewriteTexts(revision, rewriter, (await this.textRevision()) === '')
  }

  async knownSecrets() {
    return knownRows(this.#db)
  }

  async kin() {
    return kinOf(this.#db)
  }

  async rewriteSessions(known: readonly KnownRow[], rewriterFor: (uid: string) => TextRewriter | null) {
    return (await this.#writer()).rewriteSessions(known, rewriterFor)
  }

  async chooseFields(fields: readonly TextField[]) {
    ;(await this.#writer()).chooseFields(fields)
  }

  async carryOver(oldPath: string, when: 'before' | 'after') {
    return (await this.#writer()).carryOver(oldPath, when)
  }

  async textRevision() {
    return String(this.#db.get("SELECT value FROM meta WHERE key = 'text_revision'")?.['value'] ?? '')
  }

  async sessions(filter: SessionFilter) {
    return listSessions(this.#db, filter)
  }

  async subagents() {
    return countSubagents(this.#db)
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
    const { readBodies } = await import('./bodies.ts')
    return readBodies(this.#db, this.#blobDir, session, seqs, this.#onDamage)
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
    const { readStatus } = await import('./status.ts')
    return { ...readStatus(this.#db, this.#blobDir), vectors: await this.vectors.status() }
  }

  async check(options: CheckOptions = {}) {
    const { checkStore } = await import('./check.ts')
    return checkStore(this.#db, this.#blobDir, options)
  }

  async texts() {
    const { storedTexts } = await import('./texts.ts')
    return storedTexts(this.#db, this.#blobDir)
  }

  async close() {
    try {
      if (this.#writes) (await this.#writer()).close()
    } finally {
      // A database that is left open is emptied of its log by SQLite at the end, which knows nothing of checksums.
      this.#vectors?.close()
      this.#db.close()
    }
  }

  async #writer(): Promise<StoreWriter> {
    const { StoreWriter } = await import('./writer.ts')
    return (this.#opened ??= new StoreWriter(this.#db, this.#blobDir, this.#now, this.#writes))
  }
}

function textIndex(db: Database): TextIndex {
  return {
    postings: async (match, cap) => fullText.readPostings(db, match, cap),
    lastWith: async (match, limit) => fullText.readLast(db, match, limit),
    count: async (match) => fullText.countDocuments(db, match),
    size: async () => fullText.readSize(db),
    best: async (match, limit) => fullText.readBest(db, match, limit),
    sessionOf: sessionOfDocument,
    isTitle: (doc) => numberOfDocument(doc) === TITLE_DOCUMENT,
    sessionsWithin: async (filter) => fullText.sessionsWithin(db, filter),
    relativeLengths: async (sessions) => fullText.relativeLengths(db, sessions),
    events: async (doc) => readDocument(db, doc),
    paths: async (doc) => fullText.pathsOf(db, doc),
    messages: async (doc) => fullText.messagesOf(db, doc),
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
  }
}

function toCheckpoint(row: Row): FileCheckpoint {
  return {
    offset: Number(row['offset']),
    line: Number(row['line']),
    state: String(row['state']),
    head: String(row['head']),
    tail: String(row['tail']),
    provisional: row['provisional'] === 1,
  }
}
