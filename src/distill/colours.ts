const ESCAPE = String.fromCharCode(27)
const COLOURS = new RegExp(String.raw`${ESCAPE}\[[\d;]{0,20}[A-Za-z]`, 'g')

/** What a terminal would show, without how. */
export function withoutColours(text: string): string {
  return text.includes(ESCAPE) ? text.replace(COLOURS, '') : text
}
