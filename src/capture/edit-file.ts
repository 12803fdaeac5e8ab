import { isUtf8 } from 'node:buffer'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { isRunning } from '../model/process.ts'

/** One edit of a file of an agent; a text of null is a file that is not there. */
export interface FileEdit {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** Writes an edit: whole or not at all, through links, with the mode the file had. */
export function applyEdit(edit: FileEdit): void {
  const { file, before, after } = edit
  if (before === after) return
  checkPlace(edit)
  if (after === null) removeFile(file)
  else replaceFile(file, after, modeOf(file))
}

/** Makes sure that a file may be written and still says what was read; makes the directory of a new one. */
export function checkPlace({ file, before }: Pick<FileEdit, 'file' | 'before'>): void {
  if (before === null) attempt(file, () => mkdirSync(path.dirname(placeOf(file)), { recursive: true, mode: 0o700 }))
  const changed = new UserError('BAD_CONFIG', `${file} was changed by someone else just now`, 'run this again')
  const now = readText(file)
  if (before === null && now === null) return
  if (before === null || now === null) throw changed
  const isLocked = (statSync(file).mode & 0o200) === 0 || !mayWrite(file) || !mayWrite(path.dirname(realpathSync(file)))
  if (isLocked) throw new UserError('BAD_CONFIG', `${file} is read-only`, 'make it writable first; nothing was changed')
  if (now !== before) throw changed
}

export function replaceFile(file: string, text: string, mode: number): void {
  const place = placeOf(file)
  const draft = `${place}.${process.pid}.tmp`
  attempt(file, () => {
    dropDrafts(place)
    try {
      // With `flush`, a power cut leaves the old text or the new one.
      writeFileSync(draft, text, { mode, flag: 'wx', flush: true })
      chmodSync(draft, mode)
      renameSync(draft, place)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  })
}

/** Takes away what one that was killed has left beside a file. */
function dropDrafts(place: string): void {
  const [dir, name] = [path.dirname(place), path.basename(place)]
  for (const entry of readdirSync(dir)) {
    const pid = entry.startsWith(`${name}.`) ? /^(\d+)\.tmp$/.exec(entry.slice(name.length + 1))?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(dir, entry), { force: true })
  }
}

export function removeFile(file: string): void {
  attempt(file, () => rmSync(placeOf(file), { force: true }))
}

/** Where a file really lies, behind links, be it there or not. */
function placeOf(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? path.resolve(path.dirname(file), readlinkSync(file)) : file
}

/** Something stands in the way that the user has put there. */
const REFUSED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP'])

/** Writes, or says which file could not be written. */
export function attempt(file: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const code = error instanceof Error && 'code' in error && REFUSED.has(error.code) ? 'BAD_CONFIG' : 'STORE_IO'
    throw new UserError(code, `cannot write ${file} (${reason})`, 'nothing was changed', error)
  }
}

export function modeOf(file: string): number {
  return (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777
}

function mayWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** Null if it is not there. What is no UTF-8 is refused: written back, it would not be the same. */
export function readText(file: string): string | null {
  const bytes = readBytes(file)
  if (bytes === null || isUtf8(bytes)) return bytes?.toString() ?? null
  throw new UserError('BAD_CONFIG', `cannot read ${file} (it is not UTF-8)`, 'save it as UTF-8 first')
}

/** Null if it is not there. */
export function readBytes(file: string): Buffer | null {
  try {
    const found = statSync(file)
    // To read a pipe would wait for somebody to write to it.
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is no regular file')
    return readFileSync(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError('BAD_CONFIG', `cannot read ${file} (${reason})`, 'make it readable first', error)
  }
}

/** A complaint about a text, with the file it is in. */
export function inFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.code, `${file} ${error.message}`, error.hint, error)
  }
}
