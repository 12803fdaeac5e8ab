import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What an agent's hook tells: something happened in this session. Whatever the hook did not say is null. */
export interface QueueEntry {
  readonly agent: string
  readonly event: string | null
  readonly sessionId: string | null
  readonly transcriptPath: string | null
  readonly cwd: string | null
  readonly at: number
}

/** Beyond this nobody drains the queue, and one more file would say nothing new. */
const MAX_ENTRIES = 10_000
const BROKEN = 'broken'
const STALE_MS = 3_600_000

export function queueDir(dataDir: string): string {
  return path.join(dataDir, 'queue')
}

/** Adds one file to the queue, whole or not at all. Opens nothing else. False if the queue is full. */
export function enqueue(dir: string, entry: QueueEntry): boolean {
  makeDirectory(dir)
  if (readdirSync(dir).length >= MAX_ENTRIES) return false
  const random = Math.random().toString(36).slice(2, 10).padEnd(8, '0')
  const name = `${String(entry.at).padStart(14, '0')}-${process.pid}-${random}`
  const draft = path.join(dir, `.${name}.tmp`)
  try {
    writeFileSync(draft, `${JSON.stringify(written(entry))}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path.join(dir, `${name}.json`))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  return true
}

export interface Drained {
  /** Oldest first. */
  readonly entries: readonly QueueEntry[]
  /** How many files made no sense; they now lie in `broken/`. */
  readonly broken: number
  /** Removes what was handed out. Until then a crash loses nothing. */
  done(): void
}

/** What is in the queue. What arrives later stays in it. */
export function drain(dir: string, now: number): Drained {
  const entries: QueueEntry[] = []
  const used: string[] = []
  let broken = 0
  for (const name of listed(dir)) {
    const file = path.join(dir, name)
    if (name.endsWith('.tmp')) dropStale(file, now)
    if (!name.endsWith('.json')) continue
    const text = readIfThere(file)
    if (text === null) continue
    if (text === '') {
      // Its name was kept when the power went, its words were not.
      used.push(file)
      continue
    }
    const entry = parsed(text)
    if (entry === null) {
      setAside(dir, name)
      broken++
      continue
    }
    entries.push(entry)
    used.push(file)
  }
  return {
    entries,
    broken,
    done() {
      for (const file of used) rmSync(file, { force: true })
    },
  }
}

/** What is in the queue, and nothing done about it. */
export function queued(dir: string): QueueEntry[] {
  const files = listed(dir).filter((name) => name.endsWith('.json'))
  return files.map((name) => parsed(readIfThere(path.join(dir, name)) ?? '')).filter((entry) => entry !== null)
}

/** Uids of the sessions that the agent says are over. Each agent spells it in its own way. */
export function endedSessions(entries: readonly QueueEntry[]): string[] {
  const uids = entries.flatMap(({ agent, event, sessionId }) =>
    sessionId !== null && /^sessionend(ed)?$/i.test((event ?? '').replaceAll(/[^a-z]/gi, ''))
      ? [`${agent}:${sessionId}`]
      : [],
  )
  return [...new Set(uids)]
}

/** Takes out every entry about these sessions. */
export function forgetQueued(dir: string, uids: ReadonlySet<string>): void {
  for (const name of listed(dir)) {
    const file = path.join(dir, name)
    const entry = name.endsWith('.json') ? parsed(readIfThere(file) ?? '') : null
    if (entry !== null && uids.has(`${entry.agent}:${entry.sessionId}`)) rmSync(file, { force: true })
  }
}

export function queueLength(dir: string): number {
  return listed(dir).filter((name) => name.endsWith('.json')).length
}

/** Level by level: asking Node for the whole path at once never returns on some file systems, /proc among them. */
export function makeDirectory(dir: string): void {
  if (isDirectory(dir)) return
  if (path.dirname(dir) !== dir) makeDirectory(path.dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    if (!isDirectory(dir)) throw error
  }
}

function isDirectory(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true
}

function listed(dir: string): string[] {
  try {
    return readdirSync(dir).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Null for a file that somebody else drained meanwhile; a directory or an unreadable file reads as nonsense. */
/** Stands for what cannot be read. */
const NO_JSON = 'unreadable'

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    if (error instanceof Error && 'code' in error) return NO_JSON
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function setAside(dir: string, name: string): void {
  const aside = path.join(dir, BROKEN)
  makeDirectory(aside)
  rmSync(path.join(aside, name), { force: true, recursive: true })
  renameSync(path.join(dir, name), path.join(aside, name))
}

/** A draft this old was left by a hook that was killed. */
function dropStale(file: string, now: number): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat && now - stat.mtimeMs > STALE_MS) rmSync(file, { force: true })
}

function written(entry: QueueEntry) {
  return {
    agent: entry.agent,
    event: entry.event,
    session_id: entry.sessionId,
    transcript_path: entry.transcriptPath,
    cwd: entry.cwd,
    at: new Date(entry.at).toISOString(),
  }
}

function parsed(text: string): QueueEntry | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  if (typeof value !== 'object' || value === null) return null
  const record = value as Readonly<Record<string, unknown>>
  const stringOf = (name: string) => (typeof record[name] === 'string' ? record[name] : null)
  const agent = stringOf('agent')
  const at = Date.parse(stringOf('at') ?? '')
  if (agent === null || Number.isNaN(at)) return null
  const sessionId = stringOf('session_id')
  return {
    agent,
    event: stringOf('event'),
    sessionId,
    transcriptPath: stringOf('transcript_path'),
    cwd: stringOf('cwd'),
    at,
  }
}
