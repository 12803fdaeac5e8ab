import { existsSync } from 'node:fs'
import { UserError } from '../model/errors.ts'
import type { HookTarget } from '../sources/kit/hooks.ts'
import { checkPlace, inFile, modeOf, readText, removeFile, replaceFile } from './edit-file.ts'

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

function isBlank(text: string): boolean {
  return text.replaceAll(/\s/g, '') === '{}' || text.trim() === ''
}
