import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import { diskFull, UserError } from '../model/errors.ts'
import { isRunning } from '../model/process.ts'

const RETRY_MS = 200

export interface Lock {
  release(): void
}

/**
 * Takes the lock that the one writer of a store holds. The lock of a process that is no longer there
 * does not count. With `wait`, tries until it is free; without, LOCKED with the other's pid.
 */
export async function takeLock(file: string, wait: boolean): Promise<Lock> {
  for (;;) {
    const holder = tryLock(file)
    if (holder === null) return { release: () => rmSync(file, { force: true }) }
    if (!wait) {
      const message = `another recall is writing to this store (process ${holder})`
      throw new UserError('LOCKED', message, 'wait for it to end, or run this with --wait')
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** The process that holds the lock, or null if it does not or no longer runs. */
export function lockHolder(file: string): number | null {
  const text = readLock(file)
  const [pid, started] = text.split(' ')
  const id = Number(pid)
  if (!Number.isInteger(id) || id <= 0) return null
  return isRunning(id) && (!started || started === startOf(id)) ? id : null
}

/** Null if the lock is now ours. */
function tryLock(file: string): number | null {
  makeDirectory(path.dirname(file))
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeNew(file, `${process.pid} ${startOf(process.pid)}\n`)
      return null
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw lockFailure(file, error)
    }
    const holder = lockHolder(file)
    if (holder !== null) return holder
    rmSync(file, { force: true })
  }
  return lockHolder(file) ?? 0
}

/** A file that cannot be written is not left behind empty. */
function writeNew(file: string, text: string): void {
  const fd = openSync(file, 'wx', 0o600)
  try {
    writeSync(fd, text)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

/** Level by level: asking Node for the whole path at once never returns on some file systems, /proc among them. */
function makeDirectory(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return
  if (path.dirname(dir) !== dir) makeDirectory(path.dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw lockFailure(dir, error)
  }
}

function lockFailure(file: string, error: unknown): UserError {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return diskFull(file, error)
  const reason = error instanceof Error ? error.message : String(error)
  const hint = 'check the disk and the permissions of the directory, or point --store at another place'
  return new UserError('STORE_IO', `cannot write ${file} (${reason})`, hint, error)
}

function readLock(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** When a process started, where the system tells: two processes with one number are then told apart. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
