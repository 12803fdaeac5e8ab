import { nullable, object, list, text, count } from '../operations/schema.ts'
import type { DocumentOf } from '../operations/operation.ts'
import type { search } from '../operations/search.ts'
import { about, aboutFields, brief, budgetTokens, cursor, lineOf, project, rowFields } from './answer.ts'
import { DEFAULT_BUDGET, fitting, roomIn, tokensOf } from './fit.ts'
import type { Memory } from './memory.ts'
import { cutQuote, quoted } from './quote.ts'
import { tool } from './tool.ts'

const USUAL = 8
const MOST = 50
/** Characters of the message around a match; the rest is read with read_session. */
const LONG_QUOTE = 1500
const SHORT_QUOTE = 160
/** So many of the best are quoted at length where there is room. */
const AT_LENGTH = 3

type Hit = DocumentOf<typeof search>['hits'][number]

const row = object({ ...rowFields, who: nullable(text()), matched: list(text()), quote: text() })
type Row = ReturnType<typeof rowOf>

export const searchMemory = tool({
  name: 'search_memory',
  title: 'Search past sessions',
  description:
    'Search what people and coding agents said, ran and decided in past sessions on this machine. Ask in plain words, or paste code, a command or a name. ' +
    'Use when the user refers to earlier work, or before redoing something that may have been done. Not for the code in front of you: read the files.',
  isReadOnly: true,
  input: object(
    { query: text('a question, words, code; "a phrase", -not, file:auth.ts, tool:Bash') },
    {
      project,
      source: text('claude, codex, grok …'),
      since: text('7d, 24h, 2026-01-31'),
      limit: count('rows (8)'),
      budget_tokens: budgetTokens,
      cursor,
    },
  ),
  output: object({ rows: list(row), total: count(), ...aboutFields }),
  async run(memory, asked) {
    const notes = [await memory.refreshed()]
    const start = Number(asked.cursor ?? 0) || 0
    const limit = Math.min(MOST, asked.limit || USUAL)
    const { query, project: where, source, since } = asked
    const found = await memory.ask('search', {
      query,
      ...(where === undefined ? {} : { project: where }),
      ...(source === undefined ? {} : { source }),
      ...(since === undefined ? {} : { since }),
      limit: start + limit + 5,
    })
    const hits = found.hits.filter(({ session }) => !memory.isCaller(session.session_uid)).slice(start)
    const total = found.total
    const said = { ...about([...notes, why(found, hits.length)]), rows: [] as Row[], total }
    const budget = asked.budget_tokens ?? DEFAULT_BUDGET
    const room = roomIn(budget, said) - 60
    const fit = fitting(hits.slice(0, limit).map(rowOf), room, { lineOf, shrunk })
    const rows = await atLength(memory, fit, room)
    const next = start + rows.length
    const more = Math.max(0, total - next)
    return {
      ...said,
      rows,
      ...(more > 0 && hits.length > rows.length
        ? { left_out: `${more} more matches; ask again with cursor, or narrow by project or since`, cursor: `${next}` }
        : {}),
    }
  },
  brief: (answer) => brief(answer.rows, answer),
})

function rowOf({ session, pointer, confidence, role, matched, snippet }: Hit) {
  return {
    session_uid: session.session_uid,
    pointer,
    started_at: session.started_at,
    project: session.project,
    outcome: session.outcome,
    confidence,
    title: session.title === null ? null : quoted(session.title),
    who: role,
    matched: [...new Set(matched.map(({ term }) => term))].slice(0, 6),
    quote: quoted(snippet),
  }
}

function shrunk(whole: Row, room: number): Row | null {
  return room < 120 ? null : { ...whole, matched: [], quote: cutQuote(whole.quote, SHORT_QUOTE) }
}

/** The best rows with all of the message they were found in, as far as there is room. */
async function atLength(memory: Memory, rows: readonly Row[], room: number): Promise<Row[]> {
  let left = room - rows.reduce((sum, one) => sum + tokensOf(one) + tokensOf(lineOf(one)) + 2, 0)
  const longer: Row[] = []
  for (const [i, short] of rows.entries()) {
    const quote = i < AT_LENGTH && left > 100 ? await messageAt(memory, short, left) : null
    const long = quote === null ? short : { ...short, quote }
    left -= tokensOf(long) - tokensOf(short)
    longer.push(long)
  }
  return longer
}

async function messageAt(
  memory: Memory,
  { session_uid: uid, pointer, quote }: Row,
  room: number,
): Promise<string | null> {
  if (pointer === null) return null
  const { events } = await memory.ask('events', { id: uid + pointer, limit: 0, payloads: true })
  const event = events.find((one) => one.pointer === pointer)
  const words = typeof event?.payload === 'string' ? event.payload : null
  if (words === null || words.length <= quote.length) return null
  const most = Math.min(LONG_QUOTE, room * 2)
  const at = words.indexOf(quote.replaceAll('…', '').trim().slice(0, 40))
  const from = at > most / 2 ? at - Math.round(most / 4) : 0
  return `${from > 0 ? '… ' : ''}${cutQuote(words.slice(from), most)}`
}

function why({ explain }: DocumentOf<typeof search>, shown: number): string | null {
  if (explain?.reason === 'filtered')
    return `nothing with these filters; without them there are ${explain.count} matches`
  if (explain?.reason === 'not_indexed')
    return explain.count === 0
      ? 'the memory is empty: nothing was read yet (`recall index`)'
      : `nothing found, but ${explain.count} transcripts are not read yet`
  if (explain !== null) return 'nothing found: it was never said, or in other words'
  return shown === 0 ? 'only this very session matches' : null
}
