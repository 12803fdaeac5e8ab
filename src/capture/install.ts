import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import type { Slot } from '../sources/kit/hooks.ts'
import { checkPlace, inFile, modeOf, readText, removeFile, replaceFile } from './edit-file.ts'

/** Where something of ours goes: a file of an agent, and the command that it is to call. */
export interface SlotPlace {
  readonly target: Slot
  /** What must be there already: the agent's own directory. */
  readonly home: string
  readonly file: string
  readonly command: readonly string[]
  /** How else it may have been written. */
  readonly others?: readonly (readonly string[])[]
  /** The copy of the text without ours that lies beside the file. */
  readonly backup: string
}

/** One edit of a file of an agent; a text of null is a file that is not there. */
export interface SlotChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
  readonly backup: string
  /** What becomes of the copy. */
  readonly copy: 'write' | 'keep' | 'remove'
}

/** Plans an edit of a text; without one, of what the file says. */
export type Plan = (place: SlotPlace, text?: string | null) => SlotChange

export const planInstall: Plan = ({ target, home, file, command, backup }, text) => {
  if (!existsSync(home)) throw new UserError('NOT_FOUND', `${home} is not there`, 'run the agent once, then this again')
  const before = text === undefined ? readText(file) : text
  const after = inFile(file, () => target.add(before, command))
  const isFirst = before !== null && inFile(file, () => !target.has(before))
  return { file, before, after, backup, copy: isFirst ? 'write' : 'keep' }
}

/** Gives back the very bytes from before the install if nothing else has changed since; else takes out ours alone. */
export const planUninstall: Plan = ({ target, file, command, others = [], backup }, text) => {
  const before = text === undefined ? readText(file) : text
  const edit = (after: string | null): SlotChange => ({ file, before, after, backup, copy: 'remove' })
  if (before === null || inFile(file, () => !target.has(before))) return edit(before)
  const original = readText(backup)
  const isWritten = (called: readonly string[]) => inFile(file, () => target.add(original, called)) === before
  if ([command, ...others].some(isWritten)) return edit(original)
  const after = inFile(file, () => target.remove(before))
  return edit(original === null && isBlank(after) ? null : after)
}

/** Edits to be made one after the other; several of one file build on each other. */
export function planAll(steps: readonly (readonly [SlotPlace, Plan])[]): SlotChange[] {
  const texts = new Map<string, string | null>()
  return steps.map(([place, plan]) => {
    const change = plan(place, texts.get(place.file))
    texts.set(place.file, change.after)
    return change
  })
}

export function isInstalled({ target, file }: SlotPlace): boolean {
  const text = readText(file)
  return text !== null && inFile(file, () => target.has(text))
}

/** Writes an edit: whole or not at all, through links, with the mode the file had. */
export function applyChange(change: SlotChange): void {
  const { file, before, after, backup, copy } = change
  if (before !== after) {
    checkPlace(change)
    if (copy === 'write') replaceFile(backup, before ?? '', modeOf(file))
    if (after === null) removeFile(file)
    else replaceFile(file, after, modeOf(file))
  }
  if (copy === 'remove') removeFile(backup)
}

/** Takes away the directories below `home` that a removed file has left empty. */
export function dropEmptyDirs(file: string, home: string): void {
  for (let dir = path.dirname(file); dir.startsWith(home + path.sep); dir = path.dirname(dir)) {
    if (!existsSync(dir)) continue
    if (readdirSync(dir).length > 0) return
    rmdirSync(dir)
  }
}

function isBlank(text: string): boolean {
  return text.replaceAll(/\s/g, '') === '{}' || text.trim() === ''
}
