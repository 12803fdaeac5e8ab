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
import { DRAFT } from '../model/durable-file.ts'
import { onDisk, UserError } from '../model/errors.ts'
import type { Store } from '../store/store.ts'
import { mayWrite } from './out-writer.ts'
import { hashOf, readTar, writeTar } from './tar.ts'

const FORMAT = 'recall-backup'
const DATABASE = 'recall.db'
const MANIFEST = 'manifest.json'
const NAME =
  /^(?:manifest\.json|recall\.db|blobs\/\d{6,12}\.pack|time-metrics\/(?:sessions|tasks|numeric-claims)\.jsonl)$/

export interface BackupReport {
  readonly file: string
  readonly bytes: number
  readonly sessions: number
}

export interface BackupTask {
  readonly store: Store
  readonly storePath: string
  readonly journalDir: string
  readonly file: string
  readonly force: boolean
  readonly openStore: (file: string) => Store
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
    onDisk(() => mkdirSync(path.join(dir, 'blobs'), { recursive: true, mode: 0o700 }))
    await store.portable.copyTo(path.join(dir, DATABASE))
    onDisk(() => {
      copyAll(path.join(path.dirname(storePath), 'blobs'), path.join(dir, 'blobs'), /^\d+\.pack$/)
      copyAll(journalDir, path.join(dir, 'time-metrics'), /^(?:sessions|tasks|numeric-claims)\.jsonl$/)
    })
    const sessions = await lookThrough(task, path.join(dir, DATABASE))
    return onDisk(() => {
      const names = namesIn(dir)
      const hashes = Object.fromEntries(names.map((name) => [name, hashOf(path.join(dir, name))]))
      writeFileSync(path.join(dir, MANIFEST), JSON.stringify({ format: FORMAT, version: 1, files: hashes }))
      writeTar(aside, dir, [MANIFEST, ...names])
      renameSync(aside, file)
      return { file, sessions, bytes: names.reduce((sum, name) => sum + statSync(path.join(dir, name)).size, 0) }
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
  return names.filter((name) => NAME.test(name) && name !== MANIFEST).sort()
}

/** Unpacks a backup beside the store, whole and as it was written, or not at all. Returns where its database lies. */
export function unpackBackup(file: string, dir: string): string {
  rmSync(dir, { recursive: true, force: true })
  return onDisk(() => {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const found = readTar(file, dir, (name) => NAME.test(name))
    const hashes = manifestOf(path.join(dir, MANIFEST))
    found.delete(MANIFEST)
    const isSame =
      found.size === Object.keys(hashes).length && [...found].every(([name, hash]) => hashes[name] === hash)
    if (!isSame || !found.has(DATABASE))
      throw new UserError('USAGE', `${file} is not what was written: a part of it is damaged`, 'restore another backup')
    return path.join(dir, DATABASE)
  })
}

function manifestOf(file: string): Readonly<Record<string, string>> {
  try {
    const json = JSON.parse(readFileSync(file, 'utf8')) as { readonly format?: unknown; readonly files?: unknown }
    if (json.format === FORMAT && typeof json.files === 'object' && json.files !== null)
      return json.files as Readonly<Record<string, string>>
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      throw error
  }
  return {}
}
