import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Call } from './calls.ts'

const PAGE = 4096
const O_TRUNC = 0x200

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly size: number }

/** A file as the program sees it, and what of that a disk would still have without power. */
interface Content {
  now: Buffer
  kept: Buffer
  /** Since the last sync, in order. */
  unsynced: Change[]
}

type Entry = Content | 'directory'
type Rename = (names: Map<string, Entry>) => void

/**
 * A directory and what happens to it, call by call. Bytes are kept by a sync of their file. Names are kept in the order
 * of their changes by a sync of anything, as file systems with a journal do. What this cannot show: a disk that lies
 * about syncs, sectors that are half written, names that survive in another order, and holes in what was appended.
 */
export class Disk {
  readonly #root: string
  readonly #inodes = new Map<number, Content>()
  readonly #names = new Map<string, Entry>()
  readonly #kept = new Map<string, Entry>()
  /** Changes of names since the last sync. */
  #unsynced: Rename[] = []

  /** Takes the state before the calls from `dir`; the calls name files below `root`. */
  constructor(dir: string, root: string) {
    this.#root = root
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
      const found = statSync(path.join(dir, name))
      const bytes = found.isFile() ? readFileSync(path.join(dir, name)) : null
      const entry: Entry = bytes === null ? 'directory' : { now: Buffer.from(bytes), kept: bytes, unsynced: [] }
      this.#names.set(name, entry)
      this.#kept.set(name, entry)
    }
  }

  apply(call: Call): void {
    if (call.length < 0 || (!this.#isInside(call.path) && !this.#isInside(call.second))) return
    const name = path.relative(this.#root, call.path)
    switch (call.call) {
      case 'create':
      case 'open':
        return this.#open(call, name)
      case 'write':
      case 'pwrite':
        return this.#change(call, { at: call.offset, bytes: call.bytes ?? Buffer.alloc(0) })
      case 'truncate':
        return this.#change(call, { size: call.offset })
      case 'fsync':
        return this.#sync(call)
      case 'mkdir':
        return this.#rename((names) => void names.set(name, 'directory'))
      case 'unlink':
      case 'rmdir':
        return this.#rename((names) => void names.delete(name))
      case 'rename':
        return this.#rename((names) => move(names, name, path.relative(this.#root, call.second)))
      case 'allocate':
        return
      default:
        throw new Error(`a ${call.call} of ${name} cannot be replayed`)
    }
  }

  /** Every file as the program sees it. */
  files(): Map<string, Buffer> {
    return new Map(
      [...this.#names].flatMap(([name, entry]) => (entry === 'directory' ? [] : [[name, entry.now] as const])),
    )
  }

  /** Writes down what is left if the power goes now; with `random`, some of what was not synced is left too. */
  cut(dir: string, random?: () => number): void {
    const names = new Map(this.#kept)
    const lucky = random === undefined ? 0 : Math.floor(random() * (this.#unsynced.length + 1))
    for (const rename of this.#unsynced.slice(0, lucky)) rename(names)
    for (const [name, entry] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const place = path.join(dir, name)
      if (entry === 'directory') mkdirSync(place, { recursive: true, mode: 0o700 })
      else if (!name.endsWith('-shm')) {
        mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
        writeFileSync(place, random === undefined ? entry.kept : partly(entry, random), { mode: 0o600 })
      }
    }
  }

  #isInside(file: string): boolean {
    return file.startsWith(`${this.#root}/`) || file === this.#root
  }

  #open(call: Call, name: string): void {
    if (call.call === 'create') {
      const content: Content = { now: Buffer.alloc(0), kept: Buffer.alloc(0), unsynced: [] }
      this.#inodes.set(call.inode, content)
      return this.#rename((names) => void names.set(name, content))
    }
    const entry = this.#names.get(name)
    if (entry === undefined || entry === 'directory') return
    this.#inodes.set(call.inode, entry)
    if ((call.flags & O_TRUNC) !== 0) this.#change(call, { size: 0 })
  }

  #change(call: Call, change: Change): void {
    const content = this.#inodes.get(call.inode)
    if (content === undefined) throw new Error(`${call.path} is written to, and was never opened`)
    content.now = changed(content.now, change)
    content.unsynced.push(change)
  }

  #sync({ inode }: Call): void {
    const content = this.#inodes.get(inode)
    if (content !== undefined) {
      content.kept = Buffer.from(content.now)
      content.unsynced = []
    }
    for (const rename of this.#unsynced) rename(this.#kept)
    this.#unsynced = []
  }

  #rename(rename: Rename): void {
    rename(this.#names)
    this.#unsynced.push(rename)
  }
}

function move(names: Map<string, Entry>, from: string, to: string): void {
  const moved = [...names].filter(([name]) => name === from || name.startsWith(`${from}/`))
  for (const [name, entry] of moved) {
    names.delete(name)
    names.set(`${to}${name.slice(from.length)}`, entry)
  }
}

/** May write into `content`. */
function changed(content: Buffer, change: Change): Buffer {
  if ('size' in change) return resized(content, change.size)
  const end = change.at + change.bytes.length
  const result = end > content.length ? resized(content, end) : content
  change.bytes.copy(result, change.at)
  return result
}

function resized(content: Buffer, size: number): Buffer {
  const result = Buffer.alloc(size)
  content.copy(result, 0, 0, Math.min(size, content.length))
  return result
}

/** Page by page, some of what was not synced has reached the disk; of what is beyond the old end, a beginning. */
function partly(content: Content, random: () => number): Buffer {
  const { kept, unsynced } = content
  const end = survivingEnd(content, random)
  let result: Buffer = Buffer.from(kept)
  for (const change of unsynced) {
    if ('size' in change) {
      if (random() < 0.5) result = changed(result, change)
      continue
    }
    for (let from = 0; from < change.bytes.length;) {
      const to = Math.min(change.bytes.length, from + PAGE - ((change.at + from) % PAGE))
      const at = change.at + from
      const survives = at < kept.length ? random() < 0.5 : at < end
      if (survives) result = changed(result, { at, bytes: change.bytes.subarray(from, to) })
      from = to
    }
  }
  return result.length > end ? result.subarray(0, end) : result
}

/** How long a file is that grew: as long as it was, or up to the end of a write or of a page. */
function survivingEnd({ kept, now, unsynced }: Content, random: () => number): number {
  const writes = unsynced.flatMap((change) => ('size' in change ? [] : [change.at + change.bytes.length]))
  const pages = Array.from({ length: Math.ceil(now.length / PAGE) }, (_, page) => page * PAGE)
  const ends = [kept.length, ...[...writes, ...pages].filter((end) => end > kept.length && end <= now.length)]
  return ends[Math.floor(random() * ends.length)] ?? kept.length
}
