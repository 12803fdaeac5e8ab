import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
  type Dirent,
} from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { isSystemError } from '../model/regular-file.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants
const NO_LINK = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0)
const DRAFT = /^\..+\.\d+\.tmp$/
/** A draft is written at once; an older one is nobody's any more. */
const DRAFT_MS = 600_000
/** Where an open directory can be named by its handle, nobody can put another in its place meanwhile. */
const HANDLES = process.platform === 'linux' ? '/proc/self/fd' : null

/**
 * A directory that somebody else may write to: below it no link is ever followed, whoever puts one there and whenever.
 * To be closed.
 */
export class Directory {
  /** For people. */
  readonly place: string
  readonly #fd: number
  readonly #base: string

  private constructor(place: string, fd: number) {
    this.place = place
    this.#fd = fd
    this.#base = HANDLES === null ? place : `${HANDLES}/${fd}`
  }

  /** The place to start from is the user's own, be it behind links. Null if it is not there. */
  static open(place: string): Directory | null {
    return Directory.#opened(place, place, O_RDONLY | (O_DIRECTORY ?? 0))
  }

  static #opened(name: string, place: string, flags: number): Directory | null {
    try {
      const fd = openSync(name, flags)
      if (fstatSync(fd).isDirectory()) return new Directory(place, fd)
      closeSync(fd)
      throw foreign(place)
    } catch (error) {
      const code = isSystemError(error) ? error.code : ''
      if (code === 'ENOENT') return null
      if (code === 'ELOOP' || code === 'ENOTDIR' || code === 'EMLINK') throw foreign(place)
      throw error
    }
  }

  /** Null if it is not there; BAD_CONFIG where a link or a file stands in its place. */
  child(name: string): Directory | null {
    const place = path.join(this.place, plain(name))
    if (HANDLES === null && lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) throw foreign(place)
    return Directory.#opened(this.path(name), place, O_RDONLY | (O_DIRECTORY ?? 0) | NO_LINK)
  }

  /** The child, made if it is not there. */
  make(name: string): Directory {
    try {
      mkdirSync(this.path(name), { mode: 0o700 })
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'EEXIST') throw error
      return this.child(name)!
    }
    const made = this.child(name)!
    this.#giveToOwner(made.#fd)
    return made
  }

  /** The name of something in it, as long as it is open. */
  path(name: string): string {
    return `${this.#base}/${plain(name)}`
  }

  entries(): Dirent[] {
    return readdirSync(this.#base, { withFileTypes: true })
  }

  has(name: string): boolean {
    return lstatSync(this.path(name), { throwIfNoEntry: false }) !== undefined
  }

  /** The handle of a regular file, to be closed; null if there is none, or something else. */
  file(name: string): number | null {
    let fd: number
    try {
      if (HANDLES === null && lstatSync(this.path(name)).isSymbolicLink()) return null
      fd = openSync(this.path(name), O_RDONLY | NO_LINK)
    } catch (error) {
      if (isSystemError(error) && ABSENT.has(error.code)) return null
      throw error
    }
    if (fstatSync(fd).isFile()) return fd
    closeSync(fd)
    return null
  }

  /** The text of a regular file of at most so many bytes; null for all else. */
  text(name: string, maxBytes: number): string | null {
    const fd = this.file(name)
    if (fd === null) return null
    try {
      const { size } = fstatSync(fd)
      if (size > maxBytes) return null
      const bytes = Buffer.alloc(size)
      let held = 0
      for (let got = -1; got !== 0 && held < size; held += got) got = readSync(fd, bytes, held, size - held, held)
      return bytes.toString('utf8', 0, held)
    } finally {
      closeSync(fd)
    }
  }

  /** What is done with a regular file by a name that stays its own; null if there is none. */
  withFile<T>(name: string, work: (file: string) => T): T | null {
    const fd = this.file(name)
    if (fd === null) return null
    try {
      return work(HANDLES === null ? this.path(name) : `${HANDLES}/${fd}`)
    } finally {
      closeSync(fd)
    }
  }

  /** Puts a file there, whole or not at all, in place of whatever has its name. */
  write(name: string, text: string): void {
    this.#dropDrafts()
    const draft = `.${name.slice(0, 100)}.${process.pid}.tmp`
    rmSync(this.path(draft), { force: true, recursive: true })
    const fd = openSync(this.path(draft), 'wx', 0o600)
    try {
      const bytes = Buffer.from(text)
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
      this.#giveToOwner(fd)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    try {
      if (lstatSync(this.path(name), { throwIfNoEntry: false })?.isDirectory()) this.remove(name)
      renameSync(this.path(draft), this.path(name))
    } catch (error) {
      rmSync(this.path(draft), { force: true })
      throw error
    }
    fsyncSync(this.#fd)
  }

  /** What was written aside by somebody who was killed. Numbers of processes mean nothing between containers; age does. */
  #dropDrafts(): void {
    for (const { name } of this.entries())
      if (DRAFT.test(name) && Date.now() - this.modifiedAt(name) > DRAFT_MS) this.remove(name)
  }

  /** Moves something into another directory, as it is. False if it was gone. */
  move(name: string, to: Directory, as: string): boolean {
    try {
      renameSync(this.path(name), to.path(as))
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return false
      throw error
    }
    fsyncSync(to.#fd)
    fsyncSync(this.#fd)
    return true
  }

  remove(name: string): void {
    rmSync(this.path(name), { force: true, recursive: true })
  }

  modifiedAt(name: string): number {
    return lstatSync(this.path(name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  }

  close(): void {
    closeSync(this.#fd)
  }

  /** What an administrator makes in a directory of somebody else must be theirs to read. */
  #giveToOwner(fd: number): void {
    if (process.getuid?.() !== 0) return
    const { uid, gid } = fstatSync(this.#fd)
    if (uid !== 0) fchownSync(fd, uid, gid)
  }
}

const ABSENT: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EMLINK',
  'ENXIO',
  'EISDIR',
  'ENAMETOOLONG',
  'EACCES',
])

/** Works in a directory below another, which is made if `make`; null if it is not there. All are closed afterwards. */
export function within<T>(root: string, parts: readonly string[], work: (dir: Directory) => T, make = false): T | null {
  const opened: Directory[] = []
  try {
    if (make) mkdirSync(root, { recursive: true, mode: 0o700 })
    let dir = Directory.open(root)
    for (const part of parts) {
      if (dir === null) return null
      opened.push(dir)
      dir = make ? dir.make(part) : dir.child(part)
    }
    if (dir === null) return null
    opened.push(dir)
    return work(dir)
  } finally {
    for (const dir of opened) dir.close()
  }
}

/** One name, not a path. */
function plain(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name) && path.basename(name) === name) return name
  throw new UserError('USAGE', `${JSON.stringify(name)} is no name of a file`, 'give one name without slashes')
}

function foreign(place: string): UserError {
  const hint = 'groups do not follow links: put a directory of its own there'
  return new UserError('BAD_CONFIG', `${place} is a link or no directory`, hint)
}

/** What a group may have done to its own directories so that nothing can be done in them. */
const SPOILT: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENOTEMPTY',
  'EEXIST',
  'ENOENT',
])

/** Works in directories of a group; what the group itself has spoilt is told, and does not concern the others. */
export function unlessSpoilt<T>(work: () => T, onSpoilt: (why: string) => void = () => undefined): T | null {
  try {
    return work()
  } catch (error) {
    const isTheirs =
      error instanceof UserError ? error.code === 'BAD_CONFIG' : isSystemError(error) && SPOILT.has(error.code)
    if (!isTheirs) throw error
    onSpoilt((error as Error).message)
    return null
  }
}
