import path from 'node:path'
import type { TextField } from '../../model/search-text.ts'
import { isTight } from '../../model/spare-room.ts'
import { FLAG, type KnownRow, type Store, type TextRewriter, type UnitBatch } from '../store.ts'
import { PackWriter } from '../blobs/packs.ts'
import { carryLanes, carryMarks } from './carry-over.ts'
import { noteChange } from './changes.ts'
import { compactPacks, keepPack } from './compact.ts'
import type { Database } from './database.ts'
import { dropMeta, keepMeta } from './meta.ts'
import { owePurge, owesPurge, purge, removeLostPacks } from './evict.ts'
import { indexExchanges } from './exchanges.ts'
import { foldMovedRepos } from './repos.ts'
import { dropForms } from './permission-forms.ts'
import { reindex } from './reindex.ts'
import { keepKnown } from './known-secrets.ts'
import { rewriteSession, rewriteTexts } from './rewrite.ts'
import { rollUpStale } from './rollup.ts'
import { keepMeasure } from './search.ts'
import { dropSalvage, salvaged } from './salvage.ts'
import { renewTitles } from './session-title.ts'
import { writeSessionRow } from './session-row.ts'
import { carryVectors } from './vectors.ts'
import { dropLooseVectors } from './vectors-links.ts'
import { appendBatches } from './write.ts'

/** What the one writer of a store does. */
export class StoreWriter {
  readonly #db: Database
  readonly #blobDir: string
  readonly #now: () => number
  readonly #since: number
  #packs: PackWriter | null = null

  constructor(db: Database, blobDir: string, now: () => number, writes: boolean) {
    this.#db = db
    this.#blobDir = blobDir
    this.#now = now
    this.#since = now()
    if (!writes) return
    removeLostPacks(db, blobDir)
    db.transaction(() => renewTitles(db, this.#since))
  }

  get packs(): PackWriter {
    return (this.#packs ??= this.#openPacks())
  }

  append(batches: readonly UnitBatch[]) {
    const { packs } = this
    const before = packs.current
    try {
      return this.#db.transaction(() => {
        keepMeta(this.#db, 'unfinished', '1')
        const tally = appendBatches(this.#db, packs, batches, { now: this.#now(), since: this.#since })
        packs.sync()
        return tally
      })
    } catch (error) {
      packs.rewind(before)
      throw error
    }
  }

  markFiles(marks: Parameters<Store['markFiles']>[0]) {
    this.#db.transaction(() => {
      for (const mark of marks) this.#markFile(mark)
    })
  }

  finish(now: number, exists: (dir: string) => boolean) {
    this.#db.transaction(() => {
      for (const session of foldMovedRepos(this.#db, exists)) this.#settle(session, 'tagged', now)
      const titled = this.#db.all(
        `SELECT DISTINCT l.session AS id FROM told_title t JOIN event e ON e.native = t.leaf JOIN lane l ON l.id = e.lane
           JOIN session s ON s.id = l.session WHERE e.flags & ${FLAG.copy} = 0 AND s.told_title IS NOT t.title`,
      )
      for (const row of titled) this.#takeTitle(Number(row['id']), now)
      rollUpStale(this.#db)
      dropLooseVectors(this.#db)
      keepMeasure(this.#db)
      dropMeta(this.#db, 'unfinished')
      keepMeta(this.#db, 'last_index', String(now))
    })
    if (this.#packs) compactPacks(this.#db, this.#packs, this.#blobDir, false)
    // Merging the full-text index leaves room behind; where the disk may get full, moving pages would take more first.
    if (!isTight(path.dirname(this.#db.path))) this.#db.exec('PRAGMA incremental_vacuum')
    this.#db.checkpoint()
    this.#db.exec('PRAGMA optimize;')
  }

  chooseFields(fields: readonly TextField[]) {
    if (reindex(this.#db, fields)) purge(this.#db)
  }

  rewriteTexts(revision: string, rewriter: TextRewriter, isFirst: boolean) {
    const { packs } = this
    this.#db.transaction(() => {
      rewriteTexts(this.#db, { packs, blobDir: this.#blobDir }, rewriter, this.#now())
      dropForms(this.#db)
      packs.sync()
      keepPack(this.#db, packs.current)
      keepMeta(this.#db, 'text_revision', revision)
    })
    if (isFirst) return
    compactPacks(this.#db, packs, this.#blobDir, true)
    purge(this.#db)
  }

  /** What is owed stays owed until the old bytes are off the disk. */
  rewriteSessions(known: readonly KnownRow[], rewriterFor: (uid: string) => TextRewriter | null): boolean {
    const place = { packs: this.packs, blobDir: this.#blobDir }
    const changed = this.#db.transaction(() => {
      let some = false
      for (const { uid } of known) {
        const rewriter = rewriterFor(uid)
        some = (rewriter !== null && rewriteSession(this.#db, place, uid, rewriter, this.#now())) || some
      }
      if (!some) return false
      dropForms(this.#db)
      owePurge(this.#db)
      place.packs.sync()
      keepPack(this.#db, place.packs.current)
      return true
    })
    if (changed || owesPurge(this.#db)) {
      compactPacks(this.#db, place.packs, this.#blobDir, true)
      purge(this.#db)
    }
    this.#db.transaction(() => {
      for (const row of known) keepKnown(this.#db, row)
    })
    return changed
  }

  carryOver(oldPath: string, when: 'before' | 'after') {
    const { packs } = this
    const lost = this.#db.transaction(() => {
      const carry = when === 'before' ? carryMarks : carryLanes
      const carried = carry(this.#db, oldPath, packs)
      packs.sync()
      for (const lane of carried.lanes) indexExchanges(this.#db, lane, 0)
      for (const session of carried.sessions) this.#settle(session, 'grown', this.#now())
      if (when === 'after') carryVectors(this.#db, salvaged(oldPath))
      return carried.lost
    })
    if (when === 'after') dropSalvage(oldPath)
    return lost
  }

  close() {
    this.#packs?.close()
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
  #takeTitle(session: number, now: number): void {
    const row = this.#db.get(
      `SELECT t.title FROM lane l JOIN event e ON e.lane = l.id JOIN told_title t ON t.leaf = e.native
       WHERE l.session = ? AND e.flags & ${FLAG.copy} = 0 ORDER BY l.originality, l.name, e.pos DESC LIMIT 1`,
      session,
    )
    const { changes } = this.#db.run(
      'UPDATE session SET told_title = ?1 WHERE id = ?2 AND told_title IS NOT ?1',
      row?.['title'] ?? null,
      session,
    )
    if (changes > 0) this.#settle(session, 'tagged', now)
  }

  #settle(session: number, kind: 'grown' | 'tagged', now: number): void {
    writeSessionRow(this.#db, session, now)
    noteChange(this.#db, session, kind, now)
  }
}
