import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'

export const JOURNALS = ['sessions', 'tasks', 'numeric-claims'] as const
export type JournalName = (typeof JOURNALS)[number]

export const TIERS = ['REAL', 'FROM-JOURNAL', 'ESTIMATE-HTC'] as const
export type Tier = (typeof TIERS)[number]

/** Counters of a task by name. */
export type Metric = Readonly<Record<string, number>>

/** Lines of `sessions.jsonl`. Keys stand in the order of the format; epochs are seconds, `ts` is the end. */
export interface SessionLine {
  readonly kind: 'session'
  readonly id: string
  readonly start_epoch: number
  readonly end_epoch: number
  readonly duration_s: number
  readonly ts: string
}

/** Lines of `tasks.jsonl`. `start` has no end; only `stop` tells the exit code. */
export interface TaskLine {
  readonly kind: 'task' | 'start' | 'stop'
  readonly name: string
  readonly start_epoch: number
  readonly end_epoch?: number
  readonly duration_s?: number
  readonly exit?: number
  readonly metric?: Metric
  readonly source?: string
  readonly ts: string
}

/** Lines of `numeric-claims.jsonl`. */
export interface ClaimLine {
  readonly kind: 'claim'
  readonly value: string
  readonly evidence_tier: Tier
  readonly pointer: string
  readonly ts: string
  readonly session_id?: string
}

export interface JournalText {
  /** Complete lines that are JSON objects, with their text as it stands. */
  readonly records: readonly { readonly text: string; readonly value: Readonly<Record<string, unknown>> }[]
  /** Lines that are none. */
  readonly broken: number
}

/** Three files of JSON lines in one directory: only ever appended to, and readable to their owner alone. */
export class JournalFiles {
  readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  file(name: JournalName): string {
    return path.join(this.dir, `${name}.jsonl`)
  }

  read(name: JournalName): JournalText {
    const file = this.file(name)
    if (!existsSync(file)) return { records: [], broken: 0 }
    const lines = attempt(file, () => readFileSync(file, 'utf8')).split('\n')
    const records: { text: string; value: Readonly<Record<string, unknown>> }[] = []
    let broken = 0
    for (const line of lines) {
      const text = line.trim()
      if (text === '') continue
      const value = parseObject(text)
      if (value === null) broken++
      else records.push({ text, value })
    }
    return { records, broken }
  }

  /** Appends all lines in one write, so that no other writer's stand between them; a torn last line is closed first. */
  append(name: JournalName, lines: readonly string[]): void {
    if (lines.length === 0) return
    const file = this.file(name)
    attempt(file, () => {
      mkdirSync(this.dir, { recursive: true, mode: 0o700 })
      const isNew = !existsSync(file)
      const text = lines.map((line) => `${line}\n`).join('')
      appendFileSync(file, `${endsTorn(file) ? '\n' : ''}${text}`, { mode: 0o600 })
      if (isNew) chmodSync(file, 0o600)
    })
  }
}

/** `2026-04-29T14:39:20Z`: whole seconds, as the format has it. */
export function secondStamp(epoch: number): string {
  return new Date(epoch * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}

function endsTorn(file: string): boolean {
  if (!existsSync(file)) return false
  const fd = openSync(file, 'r')
  try {
    const { size } = fstatSync(fd)
    const last = Buffer.alloc(1)
    return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 10
  } finally {
    closeSync(fd)
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    const hint = 'check that it may be read and written, or set `journal_dir` in `[time]` to another directory'
    throw new UserError('STORE_IO', `cannot use ${file} (${error.message})`, hint, error)
  }
}

/** Takes the lines of sessions out of the journals. Writes anew only a file that has some. */
export function forgetJournaled(dir: string, uids: readonly string[]): void {
  const files = new JournalFiles(dir)
  const gone = new Set(uids.flatMap((uid) => [uid, uid.slice(uid.indexOf(':') + 1)]))
  for (const name of JOURNALS) {
    const file = files.file(name)
    if (!existsSync(file)) continue
    attempt(file, () => {
      const lines = readFileSync(file, 'utf8').split(/(?<=\n)/)
      const kept = lines.filter((line) => !isAbout(parseObject(line.trim() || 'null'), gone))
      if (kept.length === lines.length) return
      writeFileSync(`${file}.tmp`, kept.join(''), { mode: 0o600 })
      renameSync(`${file}.tmp`, file)
    })
  }
}

function isAbout(line: Readonly<Record<string, unknown>> | null, sessions: ReadonlySet<string>): boolean {
  const id = line?.['kind'] === 'session' ? line['id'] : line?.['session_id']
  return typeof id === 'string' && sessions.has(id)
}
