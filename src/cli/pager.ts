import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from './table.ts'

export interface Screen {
  readonly columns: number
  readonly rows: number
}

/** True if a text needs more lines than the screen has, one of which the shell wants for itself. */
export function isLongFor(text: string, { columns, rows }: Screen): boolean {
  let left = rows - 1
  for (const line of text.split('\n')) {
    left -= line.length <= columns ? 1 : Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / columns))
    if (left < 0) return true
  }
  return false
}

const NONE: ReadonlySet<string> = new Set(['', 'cat', 'off', 'none', 'false', 'no'])

export function isPager(command: string): boolean {
  return !NONE.has(command.trim().toLowerCase())
}
