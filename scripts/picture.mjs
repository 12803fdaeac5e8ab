// Turns a terminal's screen with its colours (`tmux capture-pane -e -p`) on standard input into an SVG on standard output.
import { readFileSync } from 'node:fs'

const COLOURS = { 31: '#e06c75', 32: '#98c379', 33: '#e5c07b', 36: '#56b6c2' }
const ESCAPE = String.fromCharCode(27)
const CODE_START = new RegExp(`(?=${ESCAPE}\\[)`)
const STYLED = new RegExp(`^(?:${ESCAPE}\\[([\\d;]*)m)?([^]*)$`)
const CHAR = 8.4
const LINE = 19

const lines = readFileSync(0, 'utf8').trimEnd().split('\n')
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Spans of one line with the style each is in; a style lasts until it is changed. */
function spans(line, style) {
  const parts = []
  for (const piece of line.split(CODE_START)) {
    const [, codes, text] = STYLED.exec(piece) ?? []
    for (const code of codes === undefined ? [] : codes.split(';').map(Number)) {
      if (code === 0) Object.assign(style, { bold: false, dim: false, colour: null })
      else if (code === 1) style.bold = true
      else if (code === 2) style.dim = true
      else if (code === 22) Object.assign(style, { bold: false, dim: false })
      else if (code === 39) style.colour = null
      else if (COLOURS[code]) style.colour = COLOURS[code]
    }
    if (text) parts.push({ text, ...style })
  }
  return parts
}

const style = { bold: false, dim: false, colour: null }
const rows = lines.map((line) => spans(line, style))
const columns = Math.max(...rows.map((row) => row.reduce((sum, part) => sum + part.text.length, 0)))
const width = Math.ceil(columns * CHAR + 32)
const height = lines.length * LINE + 32
const body = rows.map((row, i) => {
  const inner = row.map(({ text, bold, dim, colour }) => {
    const attributes = [
      colour ? `fill="${colour}"` : '',
      bold ? 'font-weight="bold"' : '',
      dim ? 'opacity="0.6"' : '',
    ].filter(Boolean)
    return `<tspan ${attributes.join(' ')}>${escape(text)}</tspan>`
  })
  return `<text x="16" y="${16 + (i + 1) * LINE - 5}" xml:space="preserve">${inner.join('')}</text>`
})
process.stdout
  .write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="#1e2127"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#d7dae0">
${body.join('\n')}
</g>
</svg>
`)
