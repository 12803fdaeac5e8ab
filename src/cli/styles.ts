import { inert, inertLine } from '../model/inert.ts'

export type Paint = (text: string) => string

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

/** Styles of ours in texts of anybody's. */
export interface Styles extends Readonly<Record<keyof typeof CODES, Paint>> {
  /** The text with our styles as a terminal knows them, or without them; everything else in it is inert. */
  render(text: string, coloured: boolean): string
  /** Inert and on one line, our styles still as marks. */
  cell(text: string): string
  /** Without our styles. */
  bare(text: string): string
}

/**
 * A style is a mark in the text until the text is written. Marks hold a key that is made when the program starts, so
 * nothing that was written down before can look like one.
 */
export function createStyles(isOn: boolean, key: string): Styles {
  const mark = `\u001b${key}:`
  const paint = ([on, off]: readonly [number, number]): Paint => {
    const [open, close] = [`${mark}${on}m`, `${mark}${off}m`]
    return isOn ? (text) => `${open}${text.replaceAll(close, `${close}${open}`)}${close}` : (text) => text
  }
  const each = (text: string, ours: (code: string) => string, others: Paint) => {
    const [first = '', ...rest] = text.split(mark)
    let all = others(first)
    for (const part of rest) {
      const code = /^\d+m/.exec(part)?.[0] ?? ''
      all += ours(code) + others(part.slice(code.length))
    }
    return all
  }
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    red: paint(CODES.red),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
    cyan: paint(CODES.cyan),
    render: (text, coloured) => {
      if (!isOn) return inert(text)
      return each(text, (code) => (coloured && code !== '' ? `\u001b[${code}` : ''), inert)
    },
    cell: (text) => (isOn ? each(text, (code) => `${mark}${code}`, inertLine) : inertLine(text)),
    bare: (text) =>
      isOn
        ? each(
            text,
            () => '',
            (part) => part,
          )
        : text,
  }
}
