import { existsSync } from 'node:fs'
import type { Source } from '../sources/source.ts'
import type { TextRewriter } from '../store/store.ts'
import type { FileRecord, Store } from '../store/store.ts'
import { allRead, innerOf, isAllRead, knownIn } from './inner-jobs.ts'
import { bytesToRead, newestFirst, unitOf, type Job } from './job.ts'
import type { ParsedBatch } from './parse.ts'
import type { Reader } from './reader.ts'
import { diskFull } from '../model/errors.ts'
import { shortHash } from '../model/ids.ts'
import type { TextField } from '../model/search-text.ts'
import type { RedactionConfig } from './redact-config.ts'
import type { KnownSessions } from './known-sessions.ts'
import { REDACTION_REVISION } from './redact-revision.ts'
import { scan, type Root, type Scan, type Unreadable } from './scan.ts'
import { changeOf, stampFile, type Change, type FileStamp, type KnownFile } from './stamp.ts'

/** Below this much to read, a second thread costs more than it gives. */
const WORTH_A_WORKER = 6 * 1024 * 1024
/** Small at first, so that something can be found soon, but whole sessions; then large: every commit writes many a page again. */
const COMMIT_BYTES = [1, 2, 4].map((megabytes) => megabytes * 1024 * 1024)
const MAX_COMMIT_BYTES = 6 * 1024 * 1024
const COMMIT_BATCHES = 256
/** Little of the room at a time: what is kept stands in the log first, with its full text, and then in the file, too. */
const ROOM_SHARE = 12
/** So much stays free, for whoever takes things away then. */
const LEAST_ROOM = 2 ** 22
/** Raised when what is derived from a log changes: everything is read again. */
const DERIVE_REVISION = 5

export interface IndexReport {
  readonly sessions: { readonly new: number; readonly updated: number; readonly unchanged: number }
  readonly files: { readonly found: number; readonly parsed: number; readonly skipped: number; readonly failed: number }
  readonly events: number
  readonly problems: number
  readonly bytesRead: number
  readonly seconds: number
}

export interface IndexProgress {
  /** Told after each transcript. */
  readonly onFile?: (path: string, change: string) => void
  readonly onBytes?: (done: number, total: number) => void
  readonly onProblem?: (path: string, message: string) => void
  /** Called between two transactions, with the bytes read so far and to read. Nothing is being written then. */
  readonly between?: (bytesRead: number, total: number) => Promise<void>
}

/** Sources that are not recall's own. */
export interface AddedSources {
  readonly sources: readonly Source[]
  readonly roots: readonly Root[]
  /** Reads their jobs. */
  readonly read: Reader
  /** Those that could not be loaded, and why. */
  readonly failed: readonly { readonly name: string; readonly file: string; readonly message: string }[]
}

export interface IndexTask extends IndexProgress {
  readonly store: Store
  readonly roots: readonly Root[]
  readonly sources: readonly Source[]
  readonly full: boolean
  /** Not the newest first: whoever evicts while this reads would evict those first, too. */
  readonly asFound?: boolean
  readonly redaction: RedactionConfig
  /** What is made findable. */
  readonly fields: readonly TextField[]
  /** What was stored has been redacted anew; told so that others do the same. */
  readonly onNewRules?: (redactor: TextRewriter) => Promise<void>
  /** Bytes that are left on the disk of the store. */
  readonly room: () => number
  /** For the hashes of secrets, so that what is known of them outlives the run. */
  readonly secretsKey: () => Uint8Array
  readonly now: () => number
  /** Reads on another thread; used when there is enough to read. */
  readonly worker?: Reader
  /** Sources that a person has added: what they have, and who reads it. */
  readonly plugins?: AddedSources
}

interface Tally {
  created: Set<string>
  updated: Set<string>
  parsed: number
  /** Read to find that they are no session logs. */
  foreign: number
  failed: number
  events: number
  problems: number
  bytesRead: number
}

/** Brings the store up to date with the agents' files: finds them, reads what is new in them, keeps it. */
export async function runIndex(task: IndexTask): Promise<IndexReport> {
  const started = task.now()
  await task.store.chooseFields(task.fields)
  const before = await task.store.sessionCount()
  if (before === 0) await redactOld(task)
  const tally: Tally = {
    created: new Set(),
    updated: new Set(),
    parsed: 0,
    foreign: 0,
    failed: 0,
    events: 0,
    problems: 0,
    bytesRead: 0,
  }
  const { jobs, files, present } = await planRun(task, tally)
  const toRead = jobs.filter(({ what }) => what !== 'all').length
  const isOwed = jobs.length > 0
  await readAndSettle(task, jobs, tally)
  if (isOwed || (await task.store.isUnfinished())) await task.store.finish(task.now(), existsSync)
  await redactOld(task)
  return {
    sessions: {
      new: tally.created.size,
      updated: tally.updated.size,
      unchanged: Math.max(0, before - tally.updated.size),
    },
    files: { found: files, parsed: tally.parsed, skipped: present - toRead + tally.foreign, failed: tally.failed },
    events: tally.events,
    problems: tally.problems,
    bytesRead: tally.bytesRead,
    seconds: (task.now() - started) / 1000,
  }
}

/** What is to be read, and how many files there are, fit ones among them. All that tells it is let go before reading begins. */
async function planRun(
  task: IndexTask,
  tally: Tally,
): Promise<{ readonly jobs: readonly Job[]; readonly files: number; readonly present: number }> {
  const known = await task.store.files()
  const found = scan([...task.roots, ...(task.plugins?.roots ?? [])])
  const { jobs, unfit, present } = await planJobs(task, found, known)
  await markLost(task, { ...found, unreadable: [...found.unreadable, ...unfit], present }, known, tally)
  return { jobs, files: present.size + found.unreadable.length, present: present.size - unfit.length }
}

/** What was stored under older rules and cannot be read again is redacted where it is. */
async function redactOld(task: IndexTask): Promise<void> {
  const revision = textRevision(task.redaction)
  if ((await task.store.textRevision()) === revision) return
  const { createRedactor } = await import('./redact.ts')
  const redactor = createRedactor(task.redaction)
  await task.store.rewriteTexts(revision, redactor)
  await task.onNewRules?.(redactor)
}

/** Changes with the rules and with the user's own: then everything is redacted again. */
function textRevision({ rules, allow }: RedactionConfig): string {
  if (rules.size === 0 && allow.length === 0) return String(REDACTION_REVISION)
  return `${REDACTION_REVISION}-${shortHash(JSON.stringify([[...rules], allow]))}`
}

/** What an index run would find and read. */
export interface Pending {
  readonly found: number
  /** Transcripts that are new or have changed. */
  readonly changed: number
  /** Bytes of them that are not read yet. */
  readonly bytes: number
  /** When the first of them was last written; null without any. */
  readonly since: number | null
}

/** What is enough to tell what has changed; a store that is not there knows no files. */
export type Look = Pick<IndexTask, 'roots' | 'redaction' | 'full'> & {
  readonly store: Pick<Store, 'files' | 'checkpoint'>
}

/** How many transcripts there are, and how many of them have changed. Reads none. */
export async function countPending(task: Look): Promise<Pending> {
  const found = scan(task.roots)
  const { jobs: planned, present } = await planJobs(task, found, await task.store.files())
  const jobs = planned.filter(({ what }) => what !== 'all')
  return {
    found: present.size,
    changed: jobs.length,
    bytes: jobs.reduce((sum, job) => sum + bytesToRead(job), 0),
    since: jobs.length === 0 ? null : Math.min(...jobs.map(({ stamp }) => stamp.mtimeMs)),
  }
}

interface Plan {
  readonly jobs: readonly Job[]
  readonly unfit: readonly Unreadable[]
  /** Where there is a transcript. */
  readonly present: ReadonlySet<string>
}

async function planJobs(task: Look, found: Scan, known: ReadonlyMap<string, FileRecord>): Promise<Plan> {
  const jobs: Job[] = []
  const unfit: Unreadable[] = []
  const present = new Set<string>()
  const madeOf = `${DERIVE_REVISION}.${textRevision(task.redaction)}`
  const isSame = ({ path, stamp }: Pick<Job, 'path' | 'stamp'>) => !task.full && known.get(path)?.stamp === stamp.stamp
  const plan = async (
    { source, root, isClosed }: Scan['units'][number],
    job: Pick<Job, 'path' | 'stamp' | 'inside'>,
  ) => {
    const record = known.get(job.path)
    const file = record && { ...record, ...(await task.store.checkpoint(job.path)) }
    const change = changeFor(task, job.path, job.stamp, file)
    if (change === 'unchanged') return
    const what = change === 'sidecars' ? 'sidecars' : 'transcript'
    const from = change === 'grown' ? (file ?? null) : null
    jobs.push({ ...job, source: source.name, root, what, from, ...(isClosed ? { isClosed } : {}) })
  }
  for (const unit of found.units) {
    const { source, path } = unit
    const revision = `${source.revision}.${madeOf}`
    const isMany = source.holdsMany === true
    if (!isMany) present.add(path)
    const stamp = stampFile(path, revision, source.sidecars?.(unit), source.companions?.(unit))
    if (stamp === null) continue
    if ('unfit' in stamp) {
      unfit.push({ source, path, message: stamp.unfit })
      continue
    }
    if (!isMany) {
      if (!isSame({ path, stamp })) await plan(unit, { path, stamp })
      continue
    }
    const before = knownIn(path, known)
    if (!task.full && isAllRead(stamp, known.get(path), before)) {
      for (const record of before) present.add(record.path)
      continue
    }
    const inner = await innerOf(unit, revision)
    if (typeof inner === 'string') {
      present.add(path)
      unfit.push({ source, path, message: inner })
      continue
    }
    for (const one of inner) {
      present.add(one.path)
      if (!isSame(one)) await plan(unit, one)
    }
    jobs.push(allRead(unit, stamp))
  }
  return { jobs, unfit, present }
}

/** A full run reads everything again but what was let go on purpose. */
function changeFor(task: Look, path: string, stamp: FileStamp, record: KnownFile | undefined): Change {
  const change = changeOf(path, stamp, record)
  const letGo = record?.status === 'evicted' || record?.status === 'forgotten'
  return task.full && !(letGo && change === 'unchanged') ? 'rewritten' : change
}

/** Files that are no longer there or cannot be listed are noted; what is kept of them stays. */
async function markLost(
  task: IndexTask,
  found: Scan & Pick<Plan, 'present'>,
  known: ReadonlyMap<string, FileRecord>,
  tally: Tally,
): Promise<void> {
  const looked = new Set([...task.roots, ...(task.plugins?.roots ?? [])].map((root) => root.source.name))
  const absent = [...known.values()].filter(({ path }) => !found.present.has(path))
  const files = new Set(absent.length === 0 ? [] : found.units.map((unit) => unit.path))
  const gone = absent.filter(
    (file) =>
      looked.has(file.source) &&
      file.status !== 'gone' &&
      !files.has(file.path) &&
      found.seen.some((root) => file.path.startsWith(root)) &&
      !found.unreadable.some((place) => file.path.startsWith(place.path)),
  )
  for (const place of found.unreadable) task.onProblem?.(place.path, place.message)
  for (const { file, message } of task.plugins?.failed ?? []) task.onProblem?.(file, message)
  tally.failed += found.unreadable.length + (task.plugins?.failed.length ?? 0)
  const unreadable = found.unreadable.map(({ source, path, message }) => ({
    source: source.name,
    path,
    state: 'failed' as const,
    message,
  }))
  const marks = [
    ...gone.map((file) => ({ source: file.source, path: file.path, state: 'gone' as const })),
    ...unreadable,
  ]
  if (marks.length > 0) await task.store.markFiles(marks)
}

/** With nothing to read and nothing owed, what reading takes is not even loaded. */
async function readAndSettle(task: IndexTask, jobs: readonly Job[], tally: Tally): Promise<void> {
  const key = task.secretsKey()
  const known = await task.store.knownSecrets()
  if (jobs.length === 0 && !known.some(({ owed }) => owed)) return
  const { KnownSessions } = await import('./known-sessions.ts')
  const secrets = new KnownSessions(key, known)
  await readJobs(task, { jobs, key }, tally, secrets)
  const rewriter = await secrets.settle(task.store)
  if (rewriter !== null) await task.onNewRules?.(rewriter)
}

async function readJobs(
  task: IndexTask,
  { jobs, key }: { readonly jobs: readonly Job[]; readonly key: Uint8Array },
  tally: Tally,
  secrets: KnownSessions,
): Promise<void> {
  const total = jobs.reduce((sum, job) => sum + bytesToRead(job), 0)
  const sessions = task.asFound ? jobs.map((job) => [job]) : newestFirst(jobs, (job) => companionsIn(task.sources, job))
  const ends = new Set(jobs.flatMap(({ what, path }) => (what === 'all' ? [path] : [])))
  const lastOnes = new Set(sessions.map((group) => group.at(-1)?.path))
  const own = total >= WORTH_A_WORKER && task.worker ? task.worker : await readerHere(task.sources)
  const reader = task.plugins === undefined ? own : withPlugins(own, task.plugins)
  let pending: ParsedBatch[] = []
  let pendingBytes = 0
  let commits = 0
  const commit = async () => {
    if (pending.length === 0) return
    if (task.room() < LEAST_ROOM + pendingBytes) throw diskFull('what was read', null)
    const kept = await task.store.append(secrets.clean(pending))
    secrets.stored(kept.created)
    tally.events += kept.events
    tally.problems += kept.problems
    for (const uid of kept.created) tally.created.add(uid)
    for (const uid of kept.touched) if (!tally.created.has(uid)) tally.updated.add(uid)
    task.onBytes?.(tally.bytesRead, total)
    await task.between?.(tally.bytesRead, total)
    pending = []
    pendingBytes = 0
    commits++
  }
  for await (const item of reader({ jobs: sessions.flat(), redaction: task.redaction, key })) {
    if ('failed' in item) {
      tally.failed++
      task.onProblem?.(item.failed.path, item.message)
      await task.store.markFiles([
        { source: item.failed.source, path: item.failed.path, state: 'failed', message: item.message },
      ])
      continue
    }
    pending.push(item)
    pendingBytes += item.bytesRead
    tally.bytesRead += item.bytesRead
    for (const problem of item.problems)
      if (problem.level === 'warn') task.onProblem?.(item.path, `line ${problem.line}: ${problem.message}`)
    if (item.checkpoint === null) task.onFile?.(item.path, 'refreshed')
    else if (ends.has(item.path)) continue
    else if (item.foreign) {
      tally.foreign++
      task.onFile?.(item.path, 'skipped')
    } else if (item.done) {
      tally.parsed++
      task.onFile?.(item.path, item.restart ? 'read' : 'appended')
    }
    const most = commitBytes(task.room())
    const enough = Math.min(most, task.asFound ? MAX_COMMIT_BYTES : (COMMIT_BYTES[commits] ?? COMMIT_BYTES.at(-1)!))
    const isEnough = pendingBytes >= enough && item.done && lastOnes.has(item.path)
    if (isEnough || pendingBytes >= most || pending.length >= COMMIT_BATCHES) await commit()
  }
  await commit()
}

/** Plugins' transcripts come behind the others, whatever happens to them. */
function withPlugins(own: Reader, plugins: AddedSources): Reader {
  const names = new Set(plugins.sources.map(({ name }) => name))
  return async function* (task) {
    yield* own({ ...task, jobs: task.jobs.filter(({ source }) => !names.has(source)) })
    yield* plugins.read({ ...task, jobs: task.jobs.filter(({ source }) => names.has(source)) })
  }
}

function companionsIn(sources: readonly Source[], job: Job): readonly string[] {
  return sources.find(({ name }) => name === job.source)?.companions?.(unitOf(job)) ?? []
}

/** Less at a time where there is less room. */
function commitBytes(room: number): number {
  return Math.min(MAX_COMMIT_BYTES, (room - LEAST_ROOM) / ROOM_SHARE)
}

/** Loaded only when there is something to read. */
async function readerHere(sources: readonly Source[]): Promise<Reader> {
  const { readHere } = await import('./reader.ts')
  return readHere(sources)
}
