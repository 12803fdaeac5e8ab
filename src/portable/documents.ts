import path from 'node:path'
import { existsSync } from 'node:fs'
import { onDisk } from '../model/errors.ts'
import { shortHash } from '../model/ids.ts'
import type { EventLine, PortableRecord, SessionLine } from '../model/records.ts'
import type { SessionRecord } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import { Anonymizer } from './anonymize.ts'
import { makeOutDirectory, mayWrite, OutFile } from './out-writer.ts'
import type { SessionPages } from './session-pages.ts'
import { SEARCHED_CHARACTERS, type IndexRow } from './site-index.ts'

export const DOCUMENT_FORMATS = ['md', 'html', 'json'] as const
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

export interface DocumentsTask {
  readonly store: Store
  readonly format: DocumentFormat
  /** One of them into a file, or any number into a directory with an index. */
  readonly sessions: readonly SessionRecord[]
  readonly isOne: boolean
  readonly out: string
  readonly force: boolean
  readonly anonymize: boolean
  readonly hostname: string
  readonly onCount?: (done: number, total: number, what: string) => void
}

export interface DocumentsReport {
  readonly out: string
  readonly sessions: number
  readonly bytes: number
}

const HUMAN = 8

/** Sessions to be read by people, each written as its events come. */
export async function exportDocuments(task: DocumentsTask): Promise<DocumentsReport> {
  const { store, isOne, out, force } = task
  if (isOne) mayWrite(out, force)
  else makeOutDirectory(out, force, (dir) => existsSync(path.join(dir, indexFile(task.format))))
  return store.portable.snapshot(async () => {
    const hidden = task.anonymize ? await learned(task) : null
    const rows: IndexRow[] = []
    const pages = await pagesOf(task.format, isOne)
    let bytes = 0
    for (const [i, { uid, rowId }] of task.sessions.entries()) {
      const name = hidden === null ? nameOf(uid) : shortHash(uid)
      const file = `${name}.${pages.ending}`
      const written = writeSession(
        pages,
        isOne ? out : path.join(out, file),
        await store.portable.records(rowId),
        hidden,
      )
      rows.push({ ...written.row, file })
      bytes += written.bytes
      task.onCount?.(i + 1, task.sessions.length, 'sessions')
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (!isOne) bytes += await writeIndex(task, rows)
    return { out, sessions: rows.length, bytes }
  })
}

/** A name cannot be taken back from what is written: everything is looked at first. */
async function learned({ store, sessions, hostname }: DocumentsTask): Promise<Anonymizer> {
  const names = new Anonymizer(hostname)
  for (const { rowId } of sessions) {
    for (const record of await store.portable.records(rowId))
      if (record.record === 'session' || record.record === 'event') names.learnAll(record)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return names
}

async function pagesOf(format: DocumentFormat, isOne: boolean): Promise<SessionPages> {
  if (format === 'html') return (await import('./html-session.ts')).htmlPages(isOne ? null : 'index.html')
  if (format === 'md') return (await import('./markdown-session.ts')).markdownPages()
  return (await import('./json-session.ts')).jsonPages()
}

function writeSession(
  pages: SessionPages,
  file: string,
  records: Iterable<PortableRecord>,
  hidden: Anonymizer | null,
): { readonly bytes: number; readonly row: Omit<IndexRow, 'file'> } {
  const out = new OutFile(file)
  try {
    let session: SessionLine | null = null
    let asked = ''
    for (const line of records) {
      if (line.record === 'session') {
        session = hidden === null ? line : { ...hidden.json(line), lanes: [] }
        pages.begin(out, session)
      } else if (line.record === 'event') {
        const event: EventLine =
          hidden === null
            ? line
            : { ...hidden.json(line), place: { ...line.place, summary: hidden.json(line.place.summary) } }
        pages.event(out, event)
        if ((event.place.flags & HUMAN) !== 0 && asked.length < SEARCHED_CHARACTERS) asked += `${event.text ?? ''}\n`
      }
    }
    if (session === null) throw new Error(`no session in the records for ${file}`)
    pages.end(out)
    out.done()
    return { bytes: out.bytes, row: { session, asked: asked.slice(0, SEARCHED_CHARACTERS) } }
  } catch (error) {
    out.drop()
    throw error
  }
}

function indexFile(format: DocumentFormat): string {
  return `index.${format}`
}

async function writeIndex({ format, out: dir }: DocumentsTask, rows: readonly IndexRow[]): Promise<number> {
  const newest = rows.toSorted((a, b) => ((a.session.started_at ?? '') < (b.session.started_at ?? '') ? 1 : -1))
  const { writeSiteIndex } = await import('./site-index.ts')
  const { safeMarkdown } = await import('./markdown-session.ts')
  return onDisk(() => {
    const out = new OutFile(path.join(dir, indexFile(format)))
    try {
      if (format === 'html') writeSiteIndex(out, newest)
      else if (format === 'md')
        for (const { session, file } of newest)
          out.line(
            `- ${(session.started_at ?? '').slice(0, 10)} [${safeMarkdown(session.title ?? session.native_id).replace(/[[\]\s]+/g, ' ')}](${file})`,
          )
      else
        out.line(
          JSON.stringify({
            schema_version: 1,
            sessions: newest.map(({ session, file }) => ({ file, ...session, lanes: undefined })),
          }),
        )
      out.done()
      return out.bytes
    } catch (error) {
      out.drop()
      throw error
    }
  })
}

const PLAIN_NAME = /^[A-Za-z0-9][\w-]{0,120}$/

function nameOf(uid: string): string {
  const native = uid.slice(uid.indexOf(':') + 1)
  return PLAIN_NAME.test(native) ? native : shortHash(uid)
}
