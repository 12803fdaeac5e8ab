import { readFileSync } from 'node:fs'
import path from 'node:path'

/** One call that the shim has seen. */
export interface Call {
  readonly number: number
  readonly call: string
  readonly inode: number
  readonly offset: number
  /** Bytes written, or the negative error of a call that failed. */
  readonly length: number
  readonly flags: number
  readonly path: string
  readonly second: string
  readonly bytes: Buffer | null
}

const WRITES: ReadonlySet<string> = new Set(['write', 'pwrite'])

/** Reads what the shim wrote down; `withBytes` if it was asked to keep what was written. */
export function readCalls(file: string, withBytes = false): Call[] {
  const log = readFileSync(file)
  const calls: Call[] = []
  for (let at = 0; at < log.length;) {
    const end = log.indexOf(10, at)
    const [number, call = '', inode, offset, length, flags, name = '', second = ''] = log
      .toString('utf8', at, end)
      .split('\t')
    at = end + 1
    const size = withBytes && WRITES.has(call) ? Math.max(0, Number(length)) : 0
    const bytes = withBytes && WRITES.has(call) ? log.subarray(at, at + size) : null
    at += size
    const numbers = { number: Number(number), inode: Number(inode), offset: Number(offset), length: Number(length) }
    calls.push({ ...numbers, call, flags: Number(flags), path: name, second, bytes })
  }
  return calls
}

/** What kind of file a path below the data directory is. */
export function kindOf(file: string): string {
  const name = path.basename(file)
  if (/\/backups(\/|$)/.test(file)) return 'backup'
  if (/\/(blobs)(\/|$)/.test(file)) return 'pack'
  if (/\/(hub)(\/|$)/.test(file)) return 'hub'
  if (/\/(queue)(\/|$)/.test(file)) return 'queue'
  if (name.endsWith('-wal')) return 'wal'
  if (name.endsWith('-shm')) return 'shm'
  if (name.endsWith('-journal')) return 'journal'
  if (name.endsWith('.db')) return 'db'
  if (name === 'recall.lock') return 'lock'
  return 'other'
}
