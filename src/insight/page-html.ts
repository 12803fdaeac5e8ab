import { inert } from '../model/inert.ts'
import { Notes, type Bar, type Block, type Inline, type Line, type Page } from './page.ts'

const COLOURS = ['#2f9e6e', '#4c7bd9', '#d99a2b', '#9aa0a8']
const WIDTH = 640
const ROW = 22
const LABEL = 90
const SHOWN = 90

const STYLE = `:root{color-scheme:light dark;accent-color:#4c7bd9}
body{font:15px/1.55 system-ui,sans-serif;max-width:46rem;margin:2.5rem auto;padding:0 1rem;overflow-wrap:break-word}
h1,h2,h3{line-height:1.25}h2{margin-top:2.2rem;border-bottom:1px solid #8884;padding-bottom:.2rem}h3{margin-bottom:.2rem}
ul,ol{padding-left:1.4rem}li{margin:.25rem 0}
table{border-collapse:collapse;margin:.8rem 0;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:.25rem .9rem .25rem 0;border-bottom:1px solid #8883;vertical-align:top}th{font-weight:600;opacity:.75}
a{color:inherit;text-decoration:underline dotted #8889;text-underline-offset:.2em}a:hover{text-decoration-style:solid}
code{font:.86em ui-monospace,monospace;overflow-wrap:anywhere;opacity:.7}
figure{margin:1rem 0;overflow-x:auto}figcaption{font-size:.85em;opacity:.8}svg{display:block;width:100%;min-width:21rem;height:auto;margin-bottom:.4rem}svg text{font:12px system-ui,sans-serif;fill:currentColor}
.key{display:inline-block;width:.7em;height:.7em;margin:0 .3em 0 .9em;border-radius:2px}
summary{cursor:pointer;font-weight:600;font-size:1.25em;margin-top:2.2rem}ol.notes{font-size:.85em}ol.notes li:target{background:#fd68}
@media(max-width:30rem){body{margin:1rem auto}table{font-size:.87em}th,td{padding-right:.6rem}td:first-child{min-width:6.6em}}
@media print{details:not([open])>*{display:none}a{text-decoration:none}}`

/** The page as one HTML file: no scripts, nothing from elsewhere. The same page gives the same bytes. */
export function pageHtml({ title, blocks }: Page): string {
  const notes = new Notes()
  const body = blocks.map((block) => blockHtml(block, notes))
  const evidence = notes.all().map(({ evidence: pointers, of }, i) => {
    const few = of > pointers.length ? `the first ${pointers.length} of ${of}: ` : ''
    return `<li id="e${i + 1}">${few}${pointers.map((pointer) => `<code>${escape(pointer)}</code>`).join(', ')}</li>`
  })
  const last =
    evidence.length === 0
      ? []
      : [`<details open><summary>Evidence</summary>`, `<ol class="notes">${evidence.join('\n')}</ol></details>`]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${[...body, ...last].join('\n')}
</body>
</html>
`
}

function blockHtml(block: Block, notes: Notes): string {
  const line = (pieces: Line) => pieces.map((piece) => inline(piece, notes)).join('')
  switch (block.block) {
    case 'heading':
      return `<h${block.level}>${line(block.line)}</h${block.level}>`
    case 'text':
      return `<p>${line(block.line)}</p>`
    case 'list': {
      const tag = block.numbered ? 'ol' : 'ul'
      return `<${tag}>${block.items.map((item) => `<li>${line(item)}</li>`).join('')}</${tag}>`
    }
    case 'table': {
      const head = block.columns.map((column) => `<th>${escape(column)}</th>`).join('')
      const rows = block.rows.map((row) => `<tr>${row.map((cell) => `<td>${line(cell)}</td>`).join('')}</tr>`)
      return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
    }
    case 'chart':
      return chart(block.title, block.legend, block.bars)
    default:
      return block satisfies never
  }
}

function inline(piece: Inline, notes: Notes): string {
  if (typeof piece === 'string') return escape(piece)
  if ('strong' in piece) return `<strong>${escape(piece.strong)}</strong>`
  if ('code' in piece) return `<code>${escape(piece.code)}</code>`
  if ('session' in piece) return `<code>${escape(piece.session)}</code>`
  const note = notes.numberOf(piece)
  return note === null ? escape(piece.shown) : `<a href="#e${note}">${escape(piece.shown)}</a>`
}

/** Bars that lie, one a row, their parts one after the other. */
function chart(title: string, legend: readonly string[], bars: readonly Bar[]): string {
  const longest = Math.max(...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)), Number.EPSILON)
  const scale = (WIDTH - LABEL - SHOWN) / longest
  const rows = bars.map(({ label, parts, shown }, row) => {
    let x = LABEL
    const rects = parts.map((part, i) => {
      const width = part * scale
      const rect = `<rect x="${place(x)}" y="${row * ROW + 3}" width="${place(width)}" height="${ROW - 6}" fill="${COLOURS[i % COLOURS.length]}"/>`
      x += width
      return part > 0 ? rect : ''
    })
    const baseline = row * ROW + ROW - 7
    return `<text x="0" y="${baseline}">${escape(label)}</text>${rects.join('')}<text x="${place(x + 6)}" y="${baseline}">${escape(shown)}</text>`
  })
  const keys = legend.map(
    (name, i) => `<span class="key" style="background:${COLOURS[i % COLOURS.length]}"></span>${escape(name)}`,
  )
  const height = Math.max(bars.length, 1) * ROW
  return `<figure><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}">${rows.join('')}</svg><figcaption>${escape(title)}${keys.join('')}</figcaption></figure>`
}

function place(x: number): string {
  return String(Math.round(x * 10) / 10)
}

function escape(value: string): string {
  return inert(value)
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
