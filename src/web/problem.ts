import { AmbiguousError, UserError, type ErrorCode } from '../model/errors.ts'

const STATUS: Readonly<Record<ErrorCode, number>> = {
  USAGE: 400,
  NO_MODEL: 400,
  NOT_FOUND: 404,
  AMBIGUOUS: 409,
  LOCKED: 423,
  BAD_CONFIG: 500,
  NO_STORE: 503,
  STORE_BROKEN: 503,
  STORE_NEWER: 503,
  STORE_OLDER: 503,
  STORE_IO: 503,
}

/** An error as RFC 9457 has it, with the code and the hint that every face gives. */
export interface Problem {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly hint: string
  readonly candidates?: unknown
}

export function problemOf(error: unknown): Problem {
  if (!(error instanceof UserError))
    return problem(500, 'BUG', 'recall has a bug here', 'the terminal that runs `recall serve` says more')
  const { code, message, hint } = error
  const found = problem(STATUS[code], code, message, hint)
  return error instanceof AmbiguousError ? { ...found, candidates: error.candidates } : found
}

export function problem(status: number, code: string, detail: string, hint: string): Problem {
  return { type: 'about:blank', title: code.toLowerCase().replaceAll('_', ' '), status, code, detail, hint }
}
