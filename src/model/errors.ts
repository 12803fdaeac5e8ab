export type ErrorCode =
  | 'USAGE'
  | 'BAD_CONFIG'
  | 'NOT_FOUND'
  | 'AMBIGUOUS'
  | 'LOCKED'
  | 'NO_STORE'
  | 'STORE_BROKEN'
  | 'STORE_NEWER'
  | 'STORE_IO'

const EXIT: Readonly<Record<ErrorCode, number>> = {
  NOT_FOUND: 1,
  USAGE: 2,
  BAD_CONFIG: 2,
  AMBIGUOUS: 2,
  LOCKED: 3,
  NO_STORE: 4,
  STORE_BROKEN: 4,
  STORE_NEWER: 4,
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
