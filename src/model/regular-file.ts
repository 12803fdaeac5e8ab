import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
  type Dirent,
  type Stats,
} from 'node:fs'
import path from 'node:path'

/**
 * Opens a file for reading if it is a regular one, also behind links. Never waits for what stands at the other end of
 * a pipe, and reads nothing of a device. What is neither is refused like a file that may not be read.
 */
export function openRegular(file: string): number {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const why = !fstatSync(fd).isFile() ? NOT_REGULAR : isInPlace(fd, file) ? null : LINKED
  if (why === null) return fd
  closeSync(fd)
  throw Object.assign(new Error(why), { code: 'EINVAL', syscall: 'open', path: file })
}

export const NOT_REGULAR = 'not a regular file'
export const LINKED = 'a link, which is not followed here'

/** What is in a directory. */
export function listDirectory(dir: string): Dirent[] {
  if (closedRootOf(dir) === null) return readdirSync(dir, { withFileTypes: true })
  const fd = openSync(dir, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0))
  try {
    if (!isInPlace(fd, dir)) throw Object.assign(new Error(LINKED), { code: 'EINVAL', syscall: 'open', path: dir })
    return readdirSync(HANDLES === null ? dir : `${HANDLES}/${fd}`, { withFileTypes: true })
  } finally {
    closeSync(fd)
  }
}

/** Where an open file can be named by its handle, nobody can put another in its place meanwhile. */
const HANDLES = process.platform === 'linux' ? '/proc/self/fd' : null
/** By the name they go by, their true one. */
const closedRoots = new Map<string, string>()

/**
 * From now on nothing below this directory is read through a link: somebody else writes there, and may put one in the
 * place of what was looked at a moment before.
 */
export function followNoLinksBelow(root: string): void {
  try {
    closedRoots.set(root, realpathSync(root))
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

function closedRootOf(file: string): string | null {
  for (const root of closedRoots.keys()) if (file === root || file.startsWith(root + path.sep)) return root
  return null
}

/** Whether what was opened is what goes by this name without a link. */
function isInPlace(fd: number, file: string): boolean {
  const root = closedRootOf(file)
  if (root === null) return true
  const place = path.join(closedRoots.get(root) ?? root, path.relative(root, file))
  return (HANDLES === null ? realpathSync(file) : readlinkSync(`${HANDLES}/${fd}`)) === place
}

/** What the system says of a regular file; null for anything else, and where it cannot be asked. */
export function statRegular(file: string): Stats | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat?.isFile() ? stat : null
  } catch (error) {
    if (isSystemError(error)) return null
    throw error
  }
}

/** The text of a regular file up to so many bytes; null if there is none, or none so small. */
export function readRegular(file: string, maxBytes: number): string | null {
  const size = statRegular(file)?.size ?? Infinity
  if (size > maxBytes) return null
  try {
    return readWhole(file, size)
  } catch (error) {
    if (isSystemError(error) && !isOutOfDescriptors(error)) return null
    throw error
  }
}

/** No more than it was said to hold: a file that somebody writes to meanwhile has no end. */
function readWhole(file: string, size: number): string {
  const fd = openRegular(file)
  try {
    const bytes = Buffer.allocUnsafe(size)
    let held = 0
    for (;;) {
      const got = held === size ? 0 : readSync(fd, bytes, held, size - held, held)
      if (got === 0) return bytes.toString('utf8', 0, held)
      held += got
    }
  } finally {
    closeSync(fd)
  }
}

export interface SystemError extends Error {
  readonly code: string
}

/** What the system, or Node before it asks the system, does not let be done with a file. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/** More files are open than this process, or the machine, may have: no fault of the file that was opened last. */
export function isOutOfDescriptors(error: unknown): boolean {
  return isSystemError(error) && (error.code === 'EMFILE' || error.code === 'ENFILE')
}

/** True if a transcript is there: as a file or a directory, or in a file that holds many and is named as if it were one around it. */
export function hasTranscript(place: string): boolean {
  return existsSync(place) || statRegular(path.dirname(place)) !== null
}
