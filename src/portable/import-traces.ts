import { statSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { shortHash } from '../model/ids.ts'
import type { PortableRecord, SessionLine, WordLine } from '../model/records.ts'
import { parseObjects } from '../sources/kit/json.ts'
import { LineReader } from '../sources/kit/lines.ts'
import { readRecord } from './read-record.ts'
import { isWanted, takeIn, type TakeIn } from './take-in.ts'
import { recordOfTrace } from './trace-line.ts'
import { readManifest, type ManifestEntry } from './traces-manifest.ts'

const MOST_NAMED = 20
const WORDS_AT_ONCE = 1000

/** What came of records that somebody else wrote. */
export interface TakenIn {
  sessions: { kept: number; same: number; forgotten: number; own: number; evicted: number }
  words: number
  /** Sessions that are here and that these records say were forgotten. */
  forget: string[]
  /** Lines that are no records, and files that cannot be read. */
  bad: number
  /** The first of them, with why. */
  problems: string[]
}

export function nothingYet(): TakenIn {
  const sessions = { kept: 0, same: 0, forgotten: 0, own: 0, evicted: 0 }
  return { sessions, words: 0, forget: [], bad: 0, problems: [] }
}

export function isTraceExport(dir: string): boolean {
  return readManifest(dir) !== null
}

/** What people say in an export of sessions that came by another. */
export async function importWords(task: TakeIn & { readonly now: number }, dir: string): Promise<number> {
  const report = nothingYet()
  await takeWords(task, linesOf(path.join(dir, 'words.jsonl'), report), report, task.now)
  return report.words
}

/** Takes in what `exportTraces` wrote, wherever it was changed since: what is no record is counted and passed over. */
export async function importTraces(
  task: TakeIn & { readonly onCount?: (done: number, total: number, what: string) => void; readonly now: number },
  dir: string,
): Promise<TakenIn> {
  const manifest = readManifest(dir)
  if (manifest === null) throw new UserError('NOT_FOUND', `${dir} holds no export of recall`, 'name its directory')
  const report = nothingYet()
  // Words first: what they say was forgotten is not read.
  await takeWords(task, linesOf(path.join(dir, 'words.jsonl'), report), report, task.now)
  let done = 0
  for (const [uid, entry] of manifest.entries) {
    await takeSession(task, dir, uid, entry, report)
    task.onCount?.(++done, manifest.entries.size, 'sessions')
    await new Promise((resolve) => setImmediate(resolve))
  }
  return report
}

export async function takeWords(
  { store, redactor }: TakeIn,
  records: Iterable<PortableRecord>,
  report: TakenIn,
  now: number,
): Promise<void> {
  let words: WordLine[] = []
  const merge = async () => {
    const { forgotten, news } = await store.portable.merge(words, now)
    report.words += news
    report.forget.push(...forgotten)
    words = []
  }
  for (const word of records) {
    if (words.length === WORDS_AT_ONCE) await merge()
    if (word.record === 'tombstone') words.push(word)
    else if (word.record === 'title')
      words.push({ ...word, title: word.title === null ? null : redactor.text(word.title) })
    else if (word.record === 'decision') words.push({ ...word, text: redactor.text(word.text) })
    else if (word.record === 'tag') words.push({ ...word, tag: redactor.text(word.tag) })
  }
  await merge()
}

async function takeSession(
  task: TakeIn,
  dir: string,
  uid: string,
  entry: ManifestEntry,
  report: TakenIn,
): Promise<void> {
  const stamp = shortHash(`${entry.traces}:${entry.records}`)
  const wanted = await isWanted(task, uid, stamp)
  if (wanted !== 'kept') return void report.sessions[wanted]++
  const file = (kind: string) => path.join(dir, kind, `${entry.file}.jsonl`)
  const session = sessionIn(file('records'), uid)
  if (session === undefined) return noteBad(report, file('records'), 'does not say which session it is of')
  const before = report.bad
  let events = 0
  function* counted(): Generator<PortableRecord> {
    for (const record of linesOf(file('traces'), report)) {
      if (record.record === 'event') events++
      yield record
    }
  }
  // What has not come whole is taken in again when it has.
  const whole = (misplaced: number) =>
    report.bad === before && misplaced === 0 && events === entry.events ? stamp : ''
  const misplaced = await takeIn(task, session, inTurn(counted(), linesOf(file('records'), report)), stamp, whole)
  if (misplaced > 0) noteBad(report, file('traces'), 'has records without a place in the session', misplaced)
  report.sessions.kept++
}

/** What the records of a session begin with. */
function sessionIn(file: string, uid: string): SessionLine | undefined {
  for (const record of linesOf(file, nothingYet()))
    if (record.record === 'session' && record.session_uid === uid) return record
  return undefined
}

function* inTurn(...lists: readonly Iterable<PortableRecord>[]): Generator<PortableRecord> {
  for (const list of lists) yield* list
}

/** Records of a file, line by line; lines of traces give the record they were made from. */
export function* linesOf(file: string, report: TakenIn): Generator<PortableRecord> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isFile() !== true) return noteBad(report, file, 'is not there')
  for (const line of new LineReader(file, null)) {
    const [json, ...more] = line.bytes === null ? [] : (parseObjects(line.bytes.toString('utf8')) ?? [])
    const record =
      json === undefined || more.length > 0 ? null : readRecord('record' in json ? json : (recordOfTrace(json) ?? {}))
    if (record === null) noteBad(report, `${file}:${line.number}`, 'is no record')
    else yield record
  }
}

export function noteBad(report: TakenIn, place: string, why: string, count = 1): void {
  report.bad += count
  if (report.problems.length < MOST_NAMED) report.problems.push(`${place} ${why}`)
}
