import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Each way to look something up is a list of readings, in order; an agent stops when it has its answer. */

const BUDGET = 1500
const SESSIONS = 2

/** With recall's tools: ask, then read on around the best rows. */
export async function* withTools(ask, { how, question }) {
  const first =
    how === 'search'
      ? await ask('search_memory', { query: question, budget_tokens: BUDGET })
      : await ask('find_solution', { for: how, text: question, budget_tokens: BUDGET })
  yield textOf(first)
  const seen = new Set()
  for (const { session_uid: session, pointer } of first.structuredContent.rows) {
    if (seen.size === SESSIONS || seen.has(session)) continue
    seen.add(session)
    const around = pointer === null ? {} : { around: pointer }
    yield textOf(await ask('read_session', { session, ...around, budget_tokens: BUDGET }))
  }
}

/** Clients show the text, the structured content, or both: counted are both. */
function textOf({ content, structuredContent }) {
  return `${content.map(({ text }) => text).join('\n')}\n${JSON.stringify(structuredContent)}`
}

const STOP = new Set(
  'what when where which that this with have from they were been does doing into only made make there their about after again because would could should under than then them other some such more most very just over also each the and for was did how why are not who all any can had has his her its our out was you your'.split(
    ' ',
  ),
)
const LINE = 1000
const CONTEXT = 3

function wordsOf(question) {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? []
  return [...new Set(words.filter((word) => !STOP.has(word)))]
}

/** Files by how many words of the question they hold, the rare ones counting more: as an agent finds out by grepping. */
function ranked(files, question) {
  const words = wordsOf(question)
  const lower = files.map(({ text }) => text.toLowerCase())
  const weight = words.map((word) => {
    const many = lower.filter((text) => text.includes(word)).length
    return many === 0 ? 0 : Math.log(1 + files.length / many)
  })
  const scores = lower.map((text) => words.reduce((sum, word, i) => sum + (text.includes(word) ? weight[i] : 0), 0))
  const rarest = words
    .filter((_, i) => weight[i] > 0)
    .sort((a, b) => weight[words.indexOf(b)] - weight[words.indexOf(a)])
  const order = files.map((file, i) => ({ ...file, score: scores[i] })).sort((a, b) => b.score - a.score)
  return { order: order.filter(({ score }) => score > 0), telling: rarest.slice(0, 2) }
}

/** With grep over the transcripts: of the best files, the lines with the most telling words and some after them. */
export function* withGrep(transcripts, { question }) {
  const { order, telling } = ranked(transcripts, question)
  for (const { text, file } of order) {
    const lines = text.split('\n')
    const shown = new Set()
    lines.forEach((line, i) => {
      const low = line.toLowerCase()
      if (telling.some((word) => low.includes(word))) for (let n = 0; n <= CONTEXT; n++) shown.add(i + n)
    })
    yield [file, ...[...shown].filter((i) => i < lines.length).map((i) => lines[i].slice(0, LINE))].join('\n')
  }
}

/** With archives, a conversation a file without tools: the best files whole. */
export function* withArchives(archives, { question }) {
  for (const { text, file } of ranked(archives, question).order) yield `${file}\n${text}`
}

export function transcriptsIn(dir) {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('history.jsonl'))
    .map((name) => ({ file: name, text: readFileSync(path.join(dir, name), 'utf8') }))
}
