import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { JournalFiles, secondStamp, type JournalName } from '../insight/journals.ts'
import { writeDurably } from '../model/durable-file.ts'
import { onDisk } from '../model/errors.ts'
import { shortHash } from '../model/ids.ts'
import type { PortableRecord, SessionLine } from '../model/records.ts'
import type { SessionFilter, SessionRecord } from '../model/session.ts'
import type { Change, Store } from '../store/store.ts'
import { writeLedgerFile } from './ledger-file.ts'
import { makeOutDirectory, writeWhole } from './out-writer.ts'
import { readManifest, writeManifest, type ManifestEntry } from './traces-manifest.ts'
import { traceLine } from './trace-line.ts'

export interface TracesTask {
  readonly store: Store
  readonly dir: string
  /** Only these; null for all. */
  readonly filter: SessionFilter | null
  readonly force: boolean
  /** Only sessions of which a transcript was read here. */
  readonly own?: boolean
  readonly journalDir: string
  /** Where it is kept how far exports are, by directory. */
  readonly stateDir: string
  readonly onCount?: (done: number, total: number, what: string) => void
}

export interface TracesReport {
  readonly dir: string
  readonly sessions: { readonly written: number; readonly unchanged: number; readonly removed: number }
  readonly events: number
  readonly bytes: number
}

interface State {
  readonly seq: number
  /** Of the manifest as it was written: what somebody else has changed is written whole again. */
  readonly manifest: string
  readonly filter: string
}

/** Writes what has changed since the last time into a directory that any reader of traces understands. */
export async function exportTraces(task: TracesTask): Promise<TracesReport> {
  const { store, dir, filter } = task
  makeOutDirectory(dir, task.force, (place) => readManifest(place) !== null)
  const before = readManifest(dir)
  const stateFile = path.join(task.stateDir, `${shortHash(path.resolve(dir))}.json`)
  return store.portable.snapshot(async () => {
    const known = stateOf(stateFile, filter, before?.text ?? '')
    const { changed, last } = await changedSince(store, known?.seq ?? 0)
    const wanted = await wantedSessions(store, filter, task.own === true)
    const entries = new Map(known === null ? [] : before?.entries)
    for (const name of ['traces', 'records', 'time-metrics', 'agents'])
      makeOutDirectory(path.join(dir, name), true, () => true)
    const removed = removeGone(dir, entries, new Map(before?.entries), wanted)
    const names = fileNames(wanted)
    const due = wanted.filter(
      ({ uid }) => known === null || changed.has(uid) || entries.get(uid)?.file !== names.get(uid),
    )
    let bytes = 0
    let events = 0
    for (const [i, { uid, id }] of due.entries()) {
      const entry = await writeSession(task, names.get(uid) ?? uid, id, await store.portable.records(id))
      entries.set(uid, entry.entry)
      bytes += entry.bytes
      events += entry.entry.events
      task.onCount?.(i + 1, due.length, 'sessions')
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writeWords(task, new Set(wanted.map(({ uid }) => uid)), new Set(before?.entries.keys()))
    writeJournals(
      task,
      wanted.flatMap(({ session }) => session ?? []),
    )
    writeLedgerFile(path.join(dir, 'agents', 'ledger.sqlite'), await ledgerOf(store, filter, wanted))
    const text = writeManifest(dir, entries)
    keepState(stateFile, { seq: last, manifest: shortHash(text), filter: JSON.stringify(filter) })
    return { dir, sessions: { written: due.length, unchanged: wanted.length - due.length, removed }, events, bytes }
  })
}

interface Wanted {
  readonly uid: string
  readonly id: number
  readonly session: SessionRecord | null
}

async function wantedSessions(store: Store, filter: SessionFilter | null, own: boolean): Promise<Wanted[]> {
  const { sessions } = await store.sessions({ ...filter, limit: 0, hidden: true })
  const held = new Map((await store.portable.uids(own)).map(({ uid, id }) => [uid, id]))
  return sessions
    .filter(({ uid }) => held.has(uid))
    .map((session) => ({ uid: session.uid, id: session.rowId, session }))
    .sort((a, b) => (a.uid < b.uid ? -1 : 1))
}

async function changedSince(store: Store, seq: number): Promise<{ changed: Set<string>; last: number }> {
  const changed = new Set<string>()
  let from = seq
  for (;;) {
    const { changes, last } = await store.changesSince(from, 10_000)
    if (last < from) return { changed: new Set((await store.portable.uids()).map(({ uid }) => uid)), last }
    from = last
    if (changes.length === 0) return { changed, last }
    for (const { uid } of changes as readonly Change[]) changed.add(uid)
  }
}

const PLAIN_NAME = /^[A-Za-z0-9][\w.-]{0,120}$/

/** The session's own id where that can be a file's name and no other session has it. */
function fileNames(wanted: readonly Wanted[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    wanted.map(({ uid }) => {
      const flavor = uid.slice(0, uid.indexOf(':'))
      const native = uid.slice(flavor.length + 1)
      const plain = PLAIN_NAME.test(native) ? native : shortHash(uid)
      const name = taken.has(plain.toLowerCase()) ? `${plain}.${flavor}` : plain
      taken.add(name.toLowerCase())
      return [uid, name]
    }),
  )
}

/** Files of sessions that are no longer there, or that go under another name now. */
function removeGone(
  dir: string,
  entries: Map<string, ManifestEntry>,
  before: ReadonlyMap<string, ManifestEntry>,
  wanted: readonly Wanted[],
): number {
  const names = fileNames(wanted)
  let removed = 0
  for (const [uid, { file }] of before) {
    if (names.get(uid) === file) continue
    for (const kind of ['traces', 'records'])
      onDisk(() => rmSync(path.join(dir, kind, `${file}.jsonl`), { force: true }))
    entries.delete(uid)
    if (!names.has(uid)) removed++
  }
  return removed
}

async function writeSession(
  { dir }: TracesTask,
  file: string,
  _id: number,
  records: Iterable<PortableRecord>,
): Promise<{ entry: ManifestEntry; bytes: number }> {
  const others: PortableRecord[] = []
  const traces = writeWhole(path.join(dir, 'traces', `${file}.jsonl`), (out) => {
    let session: SessionLine | null = null
    let events = 0
    for (const record of records) {
      if (record.record === 'event' && session !== null) {
        out.line(traceLine(record, session))
        events++
      } else others.push(record)
      if (record.record === 'session') session = record
    }
    return { events, out }
  })
  const own = writeWhole(path.join(dir, 'records', `${file}.jsonl`), (out) => {
    for (const record of others) out.line(JSON.stringify(record))
    return { out }
  })
  return {
    entry: { file, events: traces.events, traces: traces.sha256, records: own.sha256 },
    bytes: traces.out.bytes + own.out.bytes,
  }
}

/** With a filter, only of sessions that are here, or were the last time. Decisions about a session that is written stand with it. */
async function writeWords(
  { store, dir, filter }: TracesTask,
  here: ReadonlySet<string>,
  before: ReadonlySet<string>,
): Promise<void> {
  const words = await store.portable.words()
  writeWhole(path.join(dir, 'words.jsonl'), (out) => {
    for (const word of words) {
      const uid = word.session_uid
      if (word.record === 'decision' && (filter !== null || here.has(uid))) continue
      if (filter === null || here.has(uid) || (word.record === 'tombstone' && before.has(uid)))
        out.line(JSON.stringify(word))
    }
    return {}
  })
}

/** Sessions that the store knows beside those of the journal; tasks and claims as they stand, if all is exported. */
function writeJournals({ dir, journalDir, filter }: TracesTask, sessions: readonly SessionRecord[]): void {
  const journals = new JournalFiles(journalDir)
  const lines = (name: JournalName) => (filter === null ? journals.read(name).records : [])
  const known = new Map(
    lines('sessions').map(({ text, value }) => [
      String(value['id']),
      { text, start: Number(value['start_epoch'] ?? 0) },
    ]),
  )
  for (const { nativeId: id, startedAt, endedAt } of sessions) {
    if (startedAt === null || endedAt === null || known.has(id)) continue
    const [start, end] = [Math.floor(startedAt / 1000), Math.floor(endedAt / 1000)]
    const text = JSON.stringify({
      kind: 'session',
      id,
      start_epoch: start,
      end_epoch: end,
      duration_s: end - start,
      ts: secondStamp(end),
    })
    known.set(id, { text, start })
  }
  const inOrder = [...known].sort(([a, { start: x }], [b, { start: y }]) => x - y || (a < b ? -1 : 1))
  const write = (name: JournalName, texts: readonly string[]) =>
    writeWhole(path.join(dir, 'time-metrics', `${name}.jsonl`), (out) => {
      for (const text of texts) out.line(text)
      return {}
    })
  write(
    'sessions',
    inOrder.map(([, { text }]) => text),
  )
  for (const name of ['tasks', 'numeric-claims'] as const)
    write(
      name,
      lines(name).map(({ text }) => text),
    )
}

async function ledgerOf(store: Store, filter: SessionFilter | null, wanted: readonly Wanted[]) {
  const entries = await store.ledger({})
  if (filter === null) return entries
  const uids = new Set(wanted.map(({ uid }) => uid))
  return entries.filter(({ sessionUid }) => uids.has(sessionUid))
}

function stateOf(file: string, filter: SessionFilter | null, manifest: string): State | null {
  if (!existsSync(file)) return null
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as State
    return state.manifest === shortHash(manifest) && state.filter === JSON.stringify(filter) ? state : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function keepState(file: string, state: State): void {
  onDisk(() => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeDurably(file, Buffer.from(JSON.stringify(state)))
  })
}
