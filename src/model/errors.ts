export type ErrorCode =
  | 'USAGE'
  | 'BAD_CONFIG'
  | 'NOT_FOUND'
  | 'AMBIGUOUS'
  | 'LOCKED'
  | 'NO_MODEL'
  | 'NO_STORE'
  | 'STORE_BROKEN'
  | 'STORE_NEWER'
  | 'STORE_OLDER'
  | 'STORE_IO'

const EXIT: Readonly<Record<ErrorCode, number>> = {
  NOT_FOUND: 1,
  USAGE: 2,
  BAD_CONFIG: 2,
  AMBIGUOUS: 2,
  NO_MODEL: 2,
  LOCKED: 3,
  NO_STORE: 4,
  STORE_BROKEN: 4,
  STORE_NEWER: 4,
  STORE_OLDER: 4,
  STORE_IO: 4,
}

/** Something the user can act on: what happened, and what to do about it. Anything else thrown is a bug. */
export class UserError extends Error {
  readonly code: ErrorCode
  readonly hint: string

  constructor(code: ErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'UserError'
    this.code = code
    this.hint = hint
  }

  get exitCode(): number {
    return EXIT[this.code]
  }
}

const DISK: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EFBIG',
  'EIO',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
  'ELOOP',
  'ENAMETOOLONG',
])

/** More files are open at once than may be, be it for a file or for a thread. */
function isOutOfDescriptors({ code, message }: Error & { readonly code: unknown }): boolean {
  return code === 'EMFILE' || code === 'ENFILE' || (code === 'ERR_WORKER_INIT_FAILED' && /\bE[MN]FILE\b/.test(message))
}

/** A disk without room. What frees some must not need any. */
export function diskFull(place: string, cause: unknown): UserError {
  const hint =
    'free some space on it, or let `recall forget` or `recall sweep` do it, and run this again; nothing was lost'
  return new UserError('STORE_IO', `the disk is full: no space left for ${place}`, hint, cause)
}

/** What the system would not let a program do with a file, in the user's words; null if the error is none of that. */
export function diskError(error: unknown): UserError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (isOutOfDescriptors(error)) {
    const hint = 'let it open more (`ulimit -n 1024`), or close other programs, and run it again; nothing was lost'
    return new UserError('STORE_IO', `too many files are open (${error.message})`, hint, error)
  }
  const place = 'path' in error && typeof error.path === 'string' ? error.path : null
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return diskFull(place ?? 'what is to be kept', error)
  const nowhere = error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir'
  if (!nowhere && !DISK.has(error.code)) return null
  const message = place === null ? error.message : `cannot use ${place} (${error.message})`
  const hint = 'check its permissions and the space on its disk, or set XDG_DATA_HOME to another place'
  return new UserError('STORE_IO', message, hint, error)
}

/** Does something to files; what the system does not allow becomes a UserError. */
export function onDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw diskError(error) ?? error
  }
}

/** One of the sessions that an ambiguous id may mean. */
export interface Candidate {
  readonly session_uid: string
  readonly id: string
  readonly title: string | null
}

/** An id that means several sessions. There may be more of them than are told. */
export class AmbiguousError extends UserError {
  readonly candidates: readonly Candidate[]

  constructor(id: string, candidates: readonly Candidate[]) {
    const lines = candidates.map(({ session_uid: uid, id: short, title }) => `  ${uid}  ${short}  ${title ?? ''}`)
    super('AMBIGUOUS', `${id} fits ${candidates.length} sessions or more`, `give more of it:\n${lines.join('\n')}`)
    this.candidates = candidates
  }
}
