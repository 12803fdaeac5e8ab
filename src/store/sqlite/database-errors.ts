import path from 'node:path'
import { diskFull, UserError } from '../../model/errors.ts'
import { isTight } from '../../model/spare-room.ts'

/** Runs database work; what the user can mend becomes a UserError, the rest passes. */
export function guard<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explain(file, error)
  }
}

export function explain(file: string, error: unknown): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error
  const text = `${error.message} ${'code' in error ? String(error.code) : ''}`
  if (/not a database|malformed|corrupt|SQLITE_NOTADB/i.test(text)) {
    const hint = 'run `recall index --recreate`: it keeps the damaged file as a backup and builds a new store'
    return new UserError('STORE_BROKEN', `${file} is damaged or no database (${error.message})`, hint, error)
  }
  if (/database is locked|SQLITE_BUSY/i.test(text)) {
    return new UserError('LOCKED', `${file} is in use by another program`, 'try again when it is done', error)
  }
  if (/disk is full|disk full|ENOSPC|SQLITE_FULL/i.test(text)) return diskFull(file, error)
  if (/readonly|read-only|EROFS|EACCES|EPERM|unable to open|ENOTDIR|EISDIR|ENOENT|disk I\/O/i.test(text)) {
    // Not every failure that a full disk causes says so.
    if (isTight(path.dirname(file))) return diskFull(file, error)
    const hint = 'check that the directory exists and may be written, or point --store at another place'
    return new UserError('STORE_IO', `cannot use ${file} (${error.message})`, hint, error)
  }
  return error
}
