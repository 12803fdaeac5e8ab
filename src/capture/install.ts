import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import type { HookTarget } from '../sources/kit/hooks.ts'

/** Where a hook goes: the agent's settings file, and the command to call. */
export interface HookPlace {
  readonly target: HookTarget
  readonly home: string
  readonly file: string
  readonly command: readonly string[]
}

/** One edit of an agent's settings file; a text of null is a file that is not there. */
export interface HookChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
  /** What becomes of the copy of the text without our hook that lies beside the file. */
  readonly backup: 'write' | 'keep' | 'remove'
}

export function backupOf(file: string): string {
  return `${file}.recall-backup`
}

export function planInstall({ target, home, file, command }: HookPlace): HookChange {
  if (!existsSync(home)) throw new UserError('NOT_FOUND', `${home} is not there`, 'run the agent once, then this again')
  const before = readText(file)
  const after = inFile(file, () => target.add(before, command))
  const isFirst = before !== null && inFile(file, () => !target.has(before))
  return { file, before, after, backup: isFirst ? 'write' : 'keep' }
}

/** Gives back the very bytes from before the install if nothing else has changed since; else takes out ours alone. */
export function planUninstall({ target, file, command }: HookPlace): HookChange {
  const before = readText(file)
  const edit = (after: string | null): HookChange => ({ file, before, after, backup: 'remove' })
  if (before === null || inFile(file, () => !target.has(before))) return edit(before)
  const original = readText(backupOf(file))
  if (inFile(file, () => target.add(original, command)) === before) return edit(original)
  const after = inFile(file, () => target.remove(before))
  return edit(original === null && isBlank(after) ? null : after)
}

export function isInstalled({ target, file }: HookPlace): boolean {
  const text = readText(file)
  return text !== null && inFile(file, () => target.has(text))
}

/** Writes an edit: whole or not at all, through links, with the mode the file had. */
export function applyChange(change: HookChange): void {
  const { file, before, after, backup } = change
  if (before !== after) {
    checkPlace(change)
    if (backup === 'write') replaceFile(backupOf(file), before ?? '', modeOf(file))
    if (after === null) removeFile(file)
    else replaceFile(file, after, modeOf(file))
  }
  if (backup === 'remove') removeFile(backupOf(file))
}

function checkPlace({ file, before }: HookChange): void {
  if (before === null) return attempt(file, () => mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 }))
  const isLocked = (statSync(file).mode & 0o200) === 0 || !mayWrite(file) || !mayWrite(path.dirname(realpathSync(file)))
  if (isLocked) throw new UserError('BAD_CONFIG', `${file} is read-only`, 'make it writable first; nothing was changed')
  if (readText(file) !== before)
    throw new UserError('BAD_CONFIG', `${file} was changed by someone else just now`, 'run this again')
}

function replaceFile(file: string, text: string, mode: number): void {
  const place = existsSync(file) ? realpathSync(file) : file
  const draft = `${place}.${process.pid}.tmp`
  attempt(file, () => {
    try {
      writeFileSync(draft, text, { mode, flag: 'wx' })
      chmodSync(draft, mode)
      renameSync(draft, place)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  })
}

function removeFile(file: string): void {
  attempt(file, () => rmSync(file, { force: true }))
}

function attempt(file: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError('STORE_IO', `cannot write ${file} (${reason})`, 'nothing was changed', error)
  }
}

function modeOf(file: string): number {
  return (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777
}

function mayWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError('BAD_CONFIG', `cannot read ${file} (${reason})`, 'make it readable first', error)
  }
}

/** A complaint about a text, with the file it is in. */
function inFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.code, `${file} ${error.message}`, error.hint, error)
  }
}

function isBlank(text: string): boolean {
  return text.replaceAll(/\s/g, '') === '{}' || text.trim() === ''
}
