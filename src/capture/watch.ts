import { existsSync, statSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'
import type { Source } from '../sources/source.ts'
import { companionsIn, directoriesUnder, fingerprint } from './tree.ts'

export interface WatchTask {
  readonly roots: readonly { readonly source: Source; readonly dir: string }[]
  /** Other directories in which any file counts: the queue. */
  readonly also: readonly string[]
  /** Called once for a burst of changes, and never while it still runs. Must not reject. */
  readonly onChange: () => Promise<void>
  /** Told once when the system refuses to watch and the watcher looks for itself instead. */
  readonly onFallback?: (reason: string) => void
  /** Look every so many milliseconds instead of being told. */
  readonly pollMs?: number
  readonly timing?: Timing
  /** Stands in for `fs.watch`. */
  readonly watchDirectory?: typeof watch
}

export interface Timing {
  /** A burst is over when it has been quiet for so long, … */
  readonly quietMs: number
  /** … or when it has lasted for so long. */
  readonly burstMs: number
  /** How often to look after watching has failed. */
  readonly fallbackMs: number
}

const TIMING: Timing = { quietMs: 500, burstMs: 5000, fallbackMs: 5000 }

export interface Watcher {
  /** How many directories are being watched; 0 when polling. */
  readonly watched: number
  readonly polling: boolean
  /** Calls `onChange` as if something had changed, and waits for it. */
  now(): Promise<void>
  /** Stops, and waits for what is still running. */
  close(): Promise<void>
}

/**
 * Watches for new and changed transcripts: one watch a directory, none a file. Directories may come and go, the roots
 * among them. Where the system gives no more watches, looks at the files every few seconds instead.
 */
export function watchRoots(task: WatchTask): Watcher {
  return new DirectoryWatcher(task)
}

/** Whether what happened to this name in a directory is worth a look. */
type Counts = (name: string) => boolean

interface Watched {
  readonly watcher: FSWatcher
  readonly inode: number
}

class DirectoryWatcher implements Watcher {
  readonly #task: WatchTask
  readonly #timing: Timing
  readonly #watched = new Map<string, Watched>()
  #places = new Map<string, Counts>()
  #poll: NodeJS.Timeout | null = null
  #seen = ''
  #quiet: NodeJS.Timeout | null = null
  #burstSince = 0
  #running: Promise<void> | null = null
  #again = false
  #closed = false

  constructor(task: WatchTask) {
    this.#task = task
    this.#timing = task.timing ?? TIMING
    if (task.pollMs === undefined) this.#follow()
    else this.#startPolling(task.pollMs)
  }

  get watched(): number {
    return this.#watched.size
  }

  get polling(): boolean {
    return this.#poll !== null
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stopWatching()
    if (this.#poll) clearInterval(this.#poll)
    if (this.#quiet) clearTimeout(this.#quiet)
    await this.#running
  }

  async now(): Promise<void> {
    this.#run()
    await this.#running
  }

  /** Watches just the directories that are there now. */
  #follow(): void {
    if (this.#closed || this.polling) return
    this.#places = placesOf(this.#task)
    for (const [dir, { watcher, inode }] of this.#watched) {
      if (this.#places.has(dir) && inodeOf(dir) === inode) continue
      watcher.close()
      this.#watched.delete(dir)
    }
    for (const dir of this.#places.keys()) {
      if (this.polling) return
      if (!this.#watched.has(dir)) this.#add(dir)
    }
  }

  #add(dir: string): void {
    const inode = inodeOf(dir)
    if (inode === null) return
    try {
      const watcher = (this.#task.watchDirectory ?? watch)(dir, { persistent: true }, (_event, name) => {
        const isItself = name === null || name === path.basename(dir)
        if (isItself || this.#places.get(dir)?.(String(name))) this.#changed()
      })
      watcher.on('error', (error) => {
        this.#watched.delete(dir)
        watcher.close()
        if (isLost(error)) this.#changed()
        else this.#fallBack(error)
      })
      this.#watched.set(dir, { watcher, inode })
    } catch (error) {
      if (!isLost(error)) this.#fallBack(error)
    }
  }

  #fallBack(error: unknown): void {
    if (this.polling || this.#closed) return
    this.#startPolling(this.#timing.fallbackMs)
    this.#task.onFallback?.(error instanceof Error ? error.message : String(error))
  }

  #startPolling(everyMs: number): void {
    this.#stopWatching()
    this.#seen = fingerprint(this.#task.roots, this.#task.also)
    this.#poll = setInterval(() => {
      const now = fingerprint(this.#task.roots, this.#task.also)
      if (now !== this.#seen) this.#changed()
      this.#seen = now
    }, everyMs)
  }

  #stopWatching(): void {
    for (const { watcher } of this.#watched.values()) watcher.close()
    this.#watched.clear()
  }

  #changed(): void {
    if (this.#closed) return
    const now = Date.now()
    if (this.#quiet === null) this.#burstSince = now
    else clearTimeout(this.#quiet)
    const wait = Math.max(0, Math.min(this.#timing.quietMs, this.#burstSince + this.#timing.burstMs - now))
    this.#quiet = setTimeout(() => {
      this.#quiet = null
      this.#run()
    }, wait)
  }

  /** One at a time; what happens meanwhile makes one more. */
  #run(): void {
    if (this.#running) {
      this.#again = true
      return
    }
    this.#follow()
    this.#running = this.#task.onChange().finally(() => {
      this.#running = null
      this.#follow()
      const again = this.#again
      this.#again = false
      if (again && !this.#closed) this.#run()
    })
  }
}

/** Every directory to watch: those that are there, and for each that is not, the nearest above it that is. */
function placesOf({ roots, also }: WatchTask): Map<string, Counts> {
  const places = new Map<string, Counts>()
  const add = (dir: string, counts: Counts) => places.set(dir, either(places.get(dir), counts))
  for (const { source, dir } of roots)
    for (const inside of directoriesUnder(source, dir))
      add(path.join(dir, inside), (name) => {
        const relative = path.join(inside, name)
        if (source.owns(relative) || isCompanion(source, dir, relative)) return true
        return !source.skips(relative) && isDirectory(path.join(dir, relative))
      })
  for (const dir of also)
    if (existsSync(dir)) add(dir, (name) => name.endsWith('.json') && existsSync(path.join(dir, name)))
  for (const dir of [...roots.map((root) => root.dir), ...also]) {
    if (existsSync(dir)) continue
    const parent = nearestThere(dir)
    const next = path.relative(parent, dir).split(path.sep)[0]
    add(parent, (name) => name === next)
  }
  return places
}

function isCompanion(source: Source, root: string, relative: string): boolean {
  return companionsIn(source, root, path.dirname(relative)).includes(path.join(root, relative))
}

/** The directory is gone or closed to us, which is its owner's business and no lack of watches. */
function isLost(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENOENT', 'ENOTDIR', 'EPERM', 'EACCES'].includes(code)
}

function either(a: Counts | undefined, b: Counts): Counts {
  return a === undefined ? b : (name) => a(name) || b(name)
}

function nearestThere(dir: string): string {
  const parent = path.dirname(dir)
  return parent === dir || isDirectory(parent) ? parent : nearestThere(parent)
}

function isDirectory(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}

function inodeOf(dir: string): number | null {
  return statSync(dir, { throwIfNoEntry: false })?.ino ?? null
}
