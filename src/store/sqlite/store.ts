import path from 'node:path'
import { lazily } from '../../model/lazily.ts'
import type { Ingest } from '../ingest.ts'
import type { Reading } from '../reading.ts'
import type { OnDamage, Store } from '../store.ts'
import type { TextIndex } from '../text-index.ts'
import type { Vectors } from '../vectors.ts'
import { readChanges } from './changes.ts'
import { Database } from './database.ts'
import { numberOfDocument, sessionOfDocument, TITLE_DOCUMENT } from './document-ids.ts'
import { readDocument, readEvents } from './events.ts'
import { glance } from './glance.ts'
import { kinOf, knownRows } from './known-secrets.ts'
import { readMeta } from './meta.ts'
import * as fullText from './search.ts'
import { countSubagents, getSession, listSessions, resolveSession } from './sessions.ts'
import type { SqliteVectors } from './vectors.ts'
import type { StoreWriter } from './writer.ts'

/** Opens the store for its one writer; makes it if there is none. */
export function createStore(file: string, now: () => number, migrations: readonly string[]): Store {
  return storeOn(Database.create(file, migrations), now, { writes: true, onDamage: () => undefined })
}

/** Opens the store for reading. Damage that is met on the way is told. */
export function readStore(file: string, now: () => number, onDamage: OnDamage): Store {
  const store = storeOn(Database.read(file), now, { writes: false, onDamage })
  const seen = glance(file)
  if (seen !== null) onDamage(seen)
  return store
}

interface Opened {
  readonly writes: boolean
  readonly onDamage: OnDamage
}

/**
 * The embedded store: one SQLite file, and packs of tool outputs in `blobs/` beside it. What a plain question does not
 * need is loaded when it is.
 */
function storeOn(db: Database, now: () => number, { writes, onDamage }: Opened): Store {
  const blobDir = path.join(path.dirname(db.path), 'blobs')
  let opened: StoreWriter | null = null
  let embeddings: SqliteVectors | null = null
  const writer = async () => {
    const { StoreWriter } = await import('./writer.ts')
    return (opened ??= new StoreWriter(db, blobDir, now, writes))
  }
  const vectors = lazily<Vectors>(async () => {
    const { SqliteVectors } = await import('./vectors.ts')
    return (embeddings = new SqliteVectors(db))
  })
  return {
    ...ingestInto(db, writer),
    ...readingOf(db, { blobDir, vectors, onDamage }),
    text: textIndex(db),
    permissions: lazily(async () => (await import('./permission-queries.ts')).permissionQueries(db)),
    insight: lazily(async () => (await import('./insight-queries.ts')).insightQueries(db)),
    evidence: lazily(async () => (await import('./evidence-queries.ts')).evidenceQueries(db)),
    activity: lazily(async () => (await import('./activity-queries.ts')).activityQueries(db)),
    keeping: lazily(async () => {
      const { SqliteKeeping } = await import('./keeping.ts')
      const own = await writer()
      return new SqliteKeeping(db, blobDir, () => own.packs)
    }),
    vectors,
    portable: lazily(async () => (await import('./portable.ts')).portableOn(db, { blobDir, now, onDamage })),
    async close() {
      try {
        opened?.close()
        if (writes) (await import('./last-sums.ts')).keepLastSums(db, blobDir)
      } finally {
        // A database that is left open is emptied of its log by SQLite at the end, which knows nothing of checksums.
        embeddings?.close()
        db.close()
      }
    },
  }
}

function ingestInto(db: Database, writer: () => Promise<StoreWriter>): Ingest {
  const textRevision = () => readMeta(db, 'text_revision') ?? ''
  return {
    files: async () => (await import('./files.ts')).readFiles(db),
    checkpoint: async (file) => (await import('./files.ts')).readCheckpoint(db, file),
    sessionCount: async () => Number(db.get('SELECT count(*) AS n FROM session')?.['n']),
    append: async (batches) => (await writer()).append(batches),
    markFiles: async (marks) => (await writer()).markFiles(marks),
    finish: async (now, exists) => (await writer()).finish(now, exists),
    isUnfinished: async () => readMeta(db, 'unfinished') !== null,
    textRevision: async () => textRevision(),
    rewriteTexts: async (revision, rewriter) =>
      (await writer()).rewriteTexts(revision, rewriter, textRevision() === ''),
    knownSecrets: async () => knownRows(db),
    kin: async () => kinOf(db),
    rewriteSessions: async (known, rewriterFor) => (await writer()).rewriteSessions(known, rewriterFor),
    async chooseFields(fields) {
      const { areChosen } = await import('./chosen-fields.ts')
      const { areTitlesCurrent } = await import('./title-revision.ts')
      // A writer also does what a new program or one that was killed left to do.
      const isSettled = areTitlesCurrent(db) && readMeta(db, 'unfinished') === null
      if (!isSettled || !areChosen(db, fields)) (await writer()).chooseFields(fields)
    },
    keepForms: async (revision, judge) => {
      const { areFormsKept, keepForms } = await import('./permission-forms.ts')
      if (areFormsKept(db, revision)) return
      const loaded = await judge()
      db.transaction(() => keepForms(db, revision, loaded))
    },
    keepActivity: async (tell) => (await import('./activity-rows.ts')).keepActivity(db, tell),
    carryOver: async (oldPath, when) => (await writer()).carryOver(oldPath, when),
  }
}

interface Beside {
  readonly blobDir: string
  readonly vectors: Vectors
  readonly onDamage: OnDamage
}

function readingOf(db: Database, { blobDir, vectors, onDamage }: Beside): Reading {
  return {
    sessions: async (filter) => listSessions(db, filter),
    subagents: async () => countSubagents(db),
    session: async (id) => getSession(db, id),
    resolve: async (id) => resolveSession(db, id),
    events: async (session, window) => readEvents(db, session, window),
    async places(session, sidechains, part) {
      const { readPlaces, readPlacesPart } = await import('./event-places.ts')
      return part === undefined ? readPlaces(db, session, sidechains) : readPlacesPart(db, session, part)
    },
    bodies: async (session, seqs) => (await import('./bodies.ts')).readBodies(db, blobDir, session, seqs, onDamage),
    ledger: async (filter) => (await import('./ledger-queries.ts')).readLedger(db, filter),
    filesOf: async (session) => (await import('./ledger-queries.ts')).filesOfSession(db, session),
    status: async () => {
      const { readStatus } = await import('./status.ts')
      return { ...readStatus(db, blobDir), vectors: await vectors.status() }
    },
    check: async (options = {}) => (await import('./check.ts')).checkStore(db, blobDir, options),
    texts: async () => (await import('./texts.ts')).storedTexts(db, blobDir),
    changesSince: async (seq, limit) => readChanges(db, seq, limit),
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
