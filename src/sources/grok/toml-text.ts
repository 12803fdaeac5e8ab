/** Where things stand in the text of a TOML file, for edits that leave the rest as it is. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface TextItem extends Span {
  readonly value: string
}

export interface TextArray extends Span {
  readonly items: readonly TextItem[]
}

/** The lines below `[name]`, up to the next table. */
export function tableAt(text: string, name: string): Span | null {
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${name}[ \\t]*\\][ \\t]*(?:#.*)?(?:\\r?\\n|$)`, 'm').exec(text)
  if (header === null) return null
  const start = header.index + header[0].length
  return { start, end: endOfTable(text, start) }
}

/** The lines before any table. */
export function topOf(text: string): Span {
  return { start: 0, end: endOfTable(text, 0) }
}

function endOfTable(text: string, start: number): number {
  const next = /^[ \t]*\[\[?[ \t]*["\w]/m.exec(text.slice(start))
  return next === null ? text.length : start + next.index
}

/** The array of texts that `key` has in `table`, brackets included. Null if there is none or it holds anything else. */
export function arrayAt(text: string, table: Span, key: string): TextArray | null {
  const head = new RegExp(`^[ \\t]*${key.replaceAll('.', '\\.')}[ \\t]*=[ \\t]*\\[`, 'm').exec(
    text.slice(table.start, table.end),
  )
  if (head === null) return null
  const start = table.start + head.index + head[0].length - 1
  const items: TextItem[] = []
  const token = /[\s,]+|#[^\n]*|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|\]/y
  token.lastIndex = start + 1
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [whole, basic, literal] = found
    if (whole === ']') return { start, end: token.lastIndex, items }
    if (basic !== undefined || literal !== undefined) {
      items.push({ start: found.index, end: token.lastIndex, value: literal ?? unescaped(basic ?? '') })
    }
  }
  return null
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, '$1')
}
