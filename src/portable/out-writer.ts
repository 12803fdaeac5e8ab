import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { DRAFT, makeDirectory } from '../model/durable-file.ts'
import { onDisk, UserError } from '../model/errors.ts'
import { isSystemError } from '../model/regular-file.ts'

const BUFFER_CHARACTERS = 256 * 1024

/** A file that is there whole under its name, or not at all: written aside, and renamed when it is done. */
export class OutFile {
  readonly path: string
  bytes = 0
  readonly #draft: string
  readonly #fd: number
  readonly #hash: Hash = createHash('sha256')
  readonly #onExit = () => this.drop()
  #waiting: string[] = []
  #characters = 0
  #isOpen = true

  constructor(file: string) {
    this.path = file
    this.#draft = `${file}${DRAFT}`
    this.#fd = opened(this.#draft)
    process.once('exit', this.#onExit)
  }

  write(text: string): void {
    this.#waiting.push(text)
    this.#characters += text.length
    if (this.#characters >= BUFFER_CHARACTERS) this.#flush()
  }

  line(text: string): void {
    this.write(`${text}\n`)
  }

  /** Puts it in its place. Returns the hash of what is in it. */
  done({ isDurable = false } = {}): string {
    this.#flush()
    onDisk(() => {
      if (isDurable) fsyncSync(this.#fd)
      this.#close()
      renameSync(this.#draft, this.path)
    })
    return this.#hash.digest('hex')
  }

  /** Leaves nothing behind. */
  drop(): void {
    if (!this.#isOpen) return
    this.#close()
    rmSync(this.#draft, { force: true })
  }

  #flush(): void {
    const block = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#characters = 0
    this.#hash.update(block)
    this.bytes += block.length
    onDisk(() => {
      for (let at = 0; at < block.length;) at += writeSync(this.#fd, block, at)
    })
  }

  #close(): void {
    this.#isOpen = false
    closeSync(this.#fd)
    process.off('exit', this.#onExit)
  }
}

/** Also a directory that is there may take no files. */
function opened(draft: string): number {
  try {
    return onDisk(() => openSync(draft, 'w', 0o600))
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error
    throw new UserError('STORE_IO', `cannot write ${draft.slice(0, -DRAFT.length)}`, 'name another place', error)
  }
}

/** Writes a file whole or not at all. */
export function writeWhole<T>(file: string, work: (out: OutFile) => T): T & { readonly sha256: string } {
  const out = new OutFile(file)
  try {
    const made = work(out)
    return { ...made, sha256: out.done() }
  } catch (error) {
    out.drop()
    throw error
  }
}

/** Refuses to put a file where something is already, unless it is to be replaced. */
export function mayWrite(file: string, force: boolean): void {
  const there = statSync(file, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) throw new UserError('USAGE', `${file} is a directory`, 'name a file')
  if (there !== undefined && !force)
    throw new UserError('USAGE', `${file} is there already`, 'name another, or replace it with --force')
  const dir = path.dirname(file)
  if (!existsSync(dir)) throw new UserError('USAGE', `there is no directory ${dir}`, 'make it first, or name another')
}

/** A directory to write into: new, empty, one of ours (`isOurs`), or, with force, any. */
export function makeOutDirectory(dir: string, force: boolean, isOurs: (dir: string) => boolean): void {
  const there = statSync(dir, { throwIfNoEntry: false })
  if (there !== undefined && !there.isDirectory())
    throw new UserError('USAGE', `${dir} is no directory`, 'name another')
  if (there !== undefined && !force && onDisk(() => readdirSync(dir)).length > 0 && !isOurs(dir))
    throw new UserError('USAGE', `${dir} holds other files already`, 'name another, or write into it with --force')
  onDisk(() => makeDirectory(path.resolve(dir)))
  for (const name of onDisk(() => readdirSync(dir)))
    if (name.endsWith(DRAFT)) rmSync(path.join(dir, name), { force: true })
}
