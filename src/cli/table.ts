import { cut } from '../model/text.ts'
import type { Terminal } from './terminal.ts'

export interface Column<T> {
  readonly title: string
  readonly value: (row: T) => string
  readonly right?: boolean
  /** Gives way first when the terminal is narrow, the widest first. */
  readonly flexible?: boolean
  /** Narrower than this it is not made before a spare column is left out. */
  readonly least?: number
  /** Cut at its start: the end of a path says more. */
  readonly tail?: boolean
  /** Left out where the terminal is too narrow for all; the last of them first. */
  readonly spare?: boolean
}

const GAP = 2

/** Rows under dimmed titles. Cut to the terminal's width, never elsewhere. */
export function printTable<T>(terminal: Terminal, rows: readonly T[], columns: readonly Column<T>[]): void {
  const cells = rows.map((row) => columns.map((column) => terminal.cell(column.value(row))))
  const widthOf = (cell: string) => (PLAIN.test(cell) ? cell.length : displayWidth(terminal.bare(cell)))
  const widths = columns.map((column, i) =>
    cells.reduce((most, line) => Math.max(most, widthOf(line[i] ?? '')), column.title.length),
  )
  shrink(widths, columns, terminal.width, false)
  const spare = columns.findLastIndex((column) => column.spare)
  if (spare >= 0 && total(widths) > terminal.width) return printTable(terminal, rows, columns.toSpliced(spare, 1))
  shrink(widths, columns, terminal.width, true)
  const fitted = (cell: string, width: number, tail = false) =>
    widthOf(cell) > width ? (tail ? cutStart : cutToWidth)(terminal.bare(cell), width) : cell
  const padded = (cell: string, i: number, isLast: boolean) => {
    const text = fitted(cell, widths[i] ?? 0, columns[i]?.tail)
    const space = ' '.repeat(Math.max(0, (widths[i] ?? 0) - widthOf(text)))
    return columns[i]?.right === true ? space + text : isLast ? text : text + space
  }
  const print = (line: readonly string[]) =>
    line.map((cell, i) => padded(cell, i, i === line.length - 1)).join(' '.repeat(GAP))
  const title = terminal.dim(print(columns.map((column) => column.title)).trimEnd())
  // At once: writing each of thousands of lines would take longer than finding them.
  terminal.line([title, ...cells.map((line) => print(line).trimEnd())].join('\n'))
}

const LEAST = 12

function shrink<T>(widths: number[], columns: readonly Column<T>[], width: number, isLast: boolean): void {
  const leastOf = ({ flexible, least = LEAST }: Column<T>) => (!flexible ? Infinity : isLast ? LEAST : least)
  for (let over = total(widths) - width; over > 0; over = total(widths) - width) {
    const wide = columns
      .map((column, i) => ({ i, width: widths[i] ?? 0, least: leastOf(column) }))
      .filter((column) => column.width > column.least)
      .sort((a, b) => b.width - a.width)
    const [widest, next] = wide
    if (widest === undefined) return
    const downTo = Math.max(widest.least, Math.min(next?.width ?? 0, widest.width - 1))
    widths[widest.i] = Math.max(downTo, widest.width - over)
  }
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP, -GAP)
}

/** As much of the end of a text as fits. */
export function cutStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  const chars = [...text]
  let at = chars.length
  for (let left = width - 1; at > 0; at--) {
    left -= displayWidth(chars[at - 1] ?? '')
    if (left < 0) break
  }
  return `…${chars.slice(at).join('')}`
}

/** As much of the start of a text as fits; where nothing does, nothing. */
export function cutToWidth(text: string, width: number): string {
  if (width < 1) return ''
  let shown = displayWidth(text) <= width ? text : cut(text, width)
  while (displayWidth(shown) > width) shown = `${[...shown].slice(0, -2).join('')}…`
  return shown
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u

/** Most cells of long tables are: nothing else need be asked of them. */
const PLAIN = /^[ -~]*$/
/** Stands over or within another character. */
const NO_WIDTH = /[\p{Mn}\p{Me}\u200c\u200d]/u

/** Columns a text takes on a terminal: East Asian characters and emoji take two, marks over others none. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const char of text) width += WIDE.test(char) ? 2 : NO_WIDTH.test(char) ? 0 : 1
  return width
}
