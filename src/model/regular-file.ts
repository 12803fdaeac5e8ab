import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import path from 'node:path'

/**
 * Opens a file for reading if it is a regular one, also behind links. Never waits for what stands at the other end of
 * a pipe, and reads nothing of a device. What is neither is refused like a file that may not be read.
 */
export function openRegular(file: string): number {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw Object.assign(new Error(NOT_REGULAR), { code: 'EINVAL', syscall: 'open', path: file })
}

export const NOT_REGULAR = 'not a regular file'

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

/** True if a transcript is there: as a file, or in one that holds many and is named like a directory around it. */
export function hasTranscript(place: string): boolean {
  return statRegular(place) !== null || statRegular(path.dirname(place)) !== null
}
