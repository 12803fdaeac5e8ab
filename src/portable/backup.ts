import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DRAFT, makeDirectory } from '../model/durable-file.ts'
import { onDisk, UserError } from '../model/errors.ts'
import { isInTime } from '../model/time.ts'
import type { Store } from '../store/store.ts'
import { mayWrite } from './out-writer.ts'
import { hashOf, readTar, writeTar } from './tar.ts'

const FORMAT = 'recall-backup'
const DATABASE = 'recall.db'
const MANIFEST = 'manifest.json'
const NAMES: readonly RegExp[] = [
  /^manifest\.json$/,
  /^recall\.db$/,
  /^blobs\/\d{6,12}\.pack$/,
  /^time-metrics\/(?:sessions|tasks|numeric-claims)\.jsonl$/,
  /^hub\/(?:(?:notes|digests|decisions)\.jsonl|posted\.json)$/,
  /^groups\/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.(?:json|tar)$/,
]
const isName = (name: string) => NAMES.some((one) => one.test(name))

export interface BackupReport {
  readonly file: string
  readonly bytes: number
  readonly sessions: number
  /** Groups whose directories cannot be read, and so are not in it. */
  readonly left_out: readonly string[]
}

export interface BackupTask {
  readonly store: Store
  readonly storePath: string
  readonly journalDir: string
  readonly file: string
  readonly force: boolean
  readonly openStore: (file: string) => Store
  /** Lays what else belongs to the memory into a directory. Returns what cannot be read of it. */
  readonly layBeside: (dir: string) => Promise<string[]>
  readonly now: () => number
}

/** One file with all of the memory as it is now, looked through before it gets its name. */
export async function backUp(task: BackupTask): Promise<BackupReport> {
  const { store, file, force, storePath, journalDir } = task
  mayWrite(file, force)
  const aside = `${file}${DRAFT}`
  const dir = `${aside}.d`
  const drop = () => [aside, dir].forEach((place) => rmSync(place, { recursive: true, force: true }))
  drop()
  process.once('exit', drop)
  try {
    onDisk(() => makeDirectory(path.resolve(dir, 'blobs')))
    await store.portable.copyTo(path.join(dir, DATABASE))
    onDisk(() => {
      copyAll(path.join(path.dirname(storePath), 'blobs'), path.join(dir, 'blobs'), /^\d+\.pack$/)
      copyAll(journalDir, path.join(dir, 'time-metrics'), /^(?:sessions|tasks|numeric-claims)\.jsonl$/)
    })
    const leftOut = await task.layBeside(dir)
    const sessions = await lookThrough(task, path.join(dir, DATABASE))
    return onDisk(() => {
      const names = namesIn(dir)
      const hashes = Object.fromEntries(names.map((name) => [name, hashOf(path.join(dir, name))]))
      writeFileSync(
        path.join(dir, MANIFEST),
        JSON.stringify({ format: FORMAT, version: 1, made: task.now(), files: hashes }),
      )
      writeTar(aside, dir, [MANIFEST, ...names])
      renameSync(aside, file)
      return {
        file,
        sessions,
        left_out: leftOut,
        bytes: names.reduce((sum, name) => sum + statSync(path.join(dir, name)).size, 0),
      }
    })
  } finally {
    process.off('exit', drop)
    drop()
  }
}

/** A payload that went while it was copied was let go or forgotten by another process: a new copy is whole again. */
async function lookThrough({ openStore }: BackupTask, database: string): Promise<number> {
  const copy = openStore(database)
  try {
    const errors = (await copy.check({ deep: true })).filter(({ level }) => level === 'error')
    const [first] = errors
    if (first !== undefined)
      throw new UserError(
        'STORE_BROKEN',
        `the copy is not whole: ${first.message}`,
        'run it again; if it says so again, `recall doctor --repair`',
      )
    return (await copy.sessions({ limit: 1, hidden: true })).total
  } finally {
    await copy.close()
  }
}

function copyAll(from: string, to: string, which: RegExp): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from).filter((one) => which.test(one)))
    copyFileSync(path.join(from, name), path.join(to, name))
}

function namesIn(dir: string): string[] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(path.sep, '/'))
  return names.filter((name) => isName(name) && name !== MANIFEST).sort()
}

/** Unpacks a backup beside the store, whole and as it was written, or not at all. Returns where its database lies, and when it was made. */
export function unpackBackup(file: string, dir: string): { readonly database: string; readonly made: number | null } {
  rmSync(dir, { recursive: true, force: true })
  return onDisk(() => {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const found = readTar(file, dir, isName)
    const { files: hashes, made } = manifestOf(path.join(dir, MANIFEST))
    found.delete(MANIFEST)
    const isSame =
      found.size === Object.keys(hashes).length && [...found].every(([name, hash]) => hashes[name] === hash)
    if (!isSame || !found.has(DATABASE))
      throw new UserError('USAGE', `${file} is not what was written: a part of it is damaged`, 'restore another backup')
    return { database: path.join(dir, DATABASE), made }
  })
}

interface Manifest {
  readonly files: Readonly<Record<string, string>>
  /** When it was made; null in one of an early version. */
  readonly made: number | null
}

function manifestOf(file: string): Manifest {
  try {
    const json = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>
    const { format, files, made } = json
    if (format === FORMAT && typeof files === 'object' && files !== null)
      return { files: files as Manifest['files'], made: typeof made === 'number' && isInTime(made) ? made : null }
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      throw error
  }
  return { files: {}, made: null }
}
