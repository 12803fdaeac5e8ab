import { createHash } from 'node:crypto'
import type { SessionLine } from '../model/records.ts'
import { escapeHtml } from '../page/html.ts'
import { pageTop } from './html-session.ts'
import type { OutFile } from './out-writer.ts'
import { minute, titleOf } from './session-pages.ts'

/** As much of what was asked in a session as can be found in the index of a site. */
export const SEARCHED_CHARACTERS = 4000

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem .7rem;margin:.5rem 0 1rem}table{border-collapse:collapse;width:100%}
td{padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8883;vertical-align:top}td:first-child{white-space:nowrap;opacity:.75;font-variant-numeric:tabular-nums}td:last-child{opacity:.75;overflow-wrap:anywhere}`

/** Shows the rows in which every word stands. It makes no element of what anybody wrote. */
const SCRIPT = `const box=document.querySelector('input'),rows=[...document.querySelectorAll('tr')],told=document.querySelector('output');
const texts=JSON.parse(document.getElementById('texts').textContent);
function show(){const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);let n=0;
rows.forEach((row,i)=>{const fits=words.every((word)=>texts[i].includes(word));row.hidden=!fits;if(fits)n++});told.textContent=n+' of '+rows.length}
box.addEventListener('input',show);show();`

const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'; base-uri 'none'; form-action 'none'`

export interface IndexRow {
  readonly session: SessionLine
  readonly file: string
  /** What was asked in it. */
  readonly asked: string
}

/** A page that finds sessions by their titles, projects and prompts, from a file, without a server or a network. */
export function writeSiteIndex(out: OutFile, rows: readonly IndexRow[]): void {
  out.write(
    `${pageTop('Sessions', POLICY, STYLE)}<h1>Sessions</h1>\n<input type="search" placeholder="words of a title, a project, a prompt" autofocus> <output></output>\n<table>\n`,
  )
  for (const { session, file } of rows) {
    const link = `<a href="${escapeHtml(encodeURI(file))}">${escapeHtml(titleOf(session))}</a>`
    out.write(
      `<tr><td>${minute(session.started_at)}</td><td>${link}</td><td>${escapeHtml(session.git_repo ?? session.cwd ?? '')}</td></tr>\n`,
    )
  }
  out.write('</table>\n<script type="application/json" id="texts">[')
  for (const [i, { session, asked }] of rows.entries()) {
    const text = [titleOf(session), session.git_repo ?? session.cwd ?? '', session.session_uid, asked]
      .join('\n')
      .toLowerCase()
    out.write(`${i === 0 ? '' : ','}${JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, inScript)}`)
  }
  out.write(`]</script>\n<script>${SCRIPT}</script>\n</body>\n</html>\n`)
}

function inScript(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
