import { isToolCall } from '../model/event.ts'
import type { EventLine, SessionLine } from '../model/records.ts'
import { codeHtml } from '../page/code.ts'
import { editHtml } from '../page/edit.ts'
import { escapeHtml, type SafeHtml } from '../page/html.ts'
import { markdownHtml } from '../page/markdown.ts'
import { PAGE_STYLE } from '../page/style.ts'
import {
  callLine,
  factsOf,
  isInjected,
  isSuperseded,
  minute,
  speakerOf,
  titleOf,
  type SessionPages,
} from './session-pages.ts'

const STYLE = `:root{color-scheme:light dark}
body{font:15px/1.55 system-ui,sans-serif;max-width:54rem;margin:2rem auto;padding:0 1rem;overflow-wrap:break-word}
h1{line-height:1.25}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;font-size:.9em;opacity:.85}dd{margin:0;overflow-wrap:anywhere}
article{border-top:1px solid #8884;padding:.6rem 0}article.user{border-left:3px solid #4c7bd9;padding-left:.9rem}article.gone{opacity:.6}
header{font-size:.85em;opacity:.75}header b{opacity:1}header a{color:inherit;text-decoration:none}details{margin:.35rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
summary code{font-weight:600}.bad summary{color:#cf222e}.note{font-size:.85em;opacity:.75}
${PAGE_STYLE}
@media print{details:not([open])>*{display:none}}`

export const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The top of a page that loads nothing and runs nothing. */
export function pageTop(title: string, policy = POLICY, style = STYLE): SafeHtml {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
`
}

/** Of a page within a site, `up` is where its index stands. */
export function htmlPages(up: string | null): SessionPages {
  let tools = new Map<string, string>()
  return {
    ending: 'html',
    begin(out, session: SessionLine) {
      tools = new Map()
      const facts = factsOf(session).map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
      const back = up === null ? '' : `<p><a href="${up}">all sessions</a></p>\n`
      out.write(
        `${pageTop(titleOf(session))}${back}<h1>${escapeHtml(titleOf(session))}</h1>\n<dl>${facts.join('')}</dl>\n`,
      )
    },
    event(out, event) {
      if (isToolCall(event.kind) && event.place.call !== null) tools.set(event.place.call, event.tool ?? '')
      const body = bodyOf(event, tools)
      if (body !== '') out.write(articleOf(event, body))
    },
    end: (out) => out.write('</body>\n</html>\n'),
  }
}

function articleOf(event: EventLine, body: SafeHtml): SafeHtml {
  const side = event.role === 'user' && !isInjected(event) ? 'user' : event.role
  const classes = [side, ...(isSuperseded(event) ? ['gone'] : []), ...(event.is_error ? ['bad'] : [])].join(' ')
  const id = `e${event.seq}`
  const taken = isSuperseded(event) ? ' · taken back' : ''
  const head = `<header><b>${escapeHtml(speakerOf(event))}</b> ${minute(event.ts)}${taken} <a href="#${id}">#${event.seq}</a></header>`
  return `<article class="${classes}" id="${id}">${head}\n${body}</article>\n`
}

function bodyOf(event: EventLine, tools: ReadonlyMap<string, string>): SafeHtml {
  const { kind, role, text, output, place } = event
  if (isToolCall(kind)) return folded(`<code>${escapeHtml(callLine(event))}</code>`, inputHtml(event))
  if (role === 'tool') {
    const said = output ?? text ?? ''
    const tool = tools.get(place.call ?? '') ?? event.tool ?? 'call'
    const size = said.length > 1000 ? ` · ${said.length} characters` : ''
    return folded(`${event.is_error ? '✗' : '→'} ${escapeHtml(tool)}${size}`, `<pre>${escapeHtml(said)}</pre>`)
  }
  const words = text ?? output ?? ''
  if (words === '') return ''
  if (kind === 'thinking') return folded('thinking', markdownHtml(words))
  if (isInjected(event)) return folded('put in by the client', `<pre>${escapeHtml(words)}</pre>`)
  if (role === 'system' && kind !== 'decision') return `<p class="note">${escapeHtml(words)}</p>`
  return markdownHtml(words)
}

function inputHtml({ input, text, tool }: EventLine): SafeHtml {
  const edit = editHtml(input)
  if (edit !== null) return edit
  if (text !== null && /^(?:bash|shell|exec|run)/i.test(tool ?? ''))
    return `<pre><code>${codeHtml(text, 'bash')}</code></pre>`
  return `<pre><code>${codeHtml(JSON.stringify(input ?? null, null, 2), 'json')}</code></pre>`
}

function folded(summary: SafeHtml, body: SafeHtml): SafeHtml {
  return `<details><summary>${summary}</summary>${body}</details>\n`
}
