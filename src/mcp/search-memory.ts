import { UserError } from '../model/errors.ts'
import { count, object, text } from '../operations/schema.ts'
import type { DocumentOf } from '../operations/operation.ts'
import type { search } from '../operations/search.ts'
import { budgetTokens, cursor, project, rowOf, type Found, type Row } from './answer.ts'
import type { Memory } from './memory.ts'
import { cutQuote, quoted, quoteAround } from './quote.ts'
import { tool } from './tool.ts'

const USUAL = 8
const MOST = 50
/** Of the message around the best matches; the rest is read with read_session. */
const LONG_QUOTE = 1200
const SHORT_QUOTE = 160
/** Of what was said at the end of the exchange. */
const ENDING = 500
/** Events after a match among which its exchange ends, mostly. */
const EXCHANGE = 60
/** So many of the best are quoted at length. */
const AT_LENGTH = 3
/** Those of the caller's own session take the place of others. */
const SPARE = 5

type Document = DocumentOf<typeof search>
type Hit = Document['hits'][number]

interface Match extends Row {
  readonly who: string | null
  readonly quote: string
  /** What the agent said at the end of that exchange. */
  readonly answer?: string
}

export const searchMemory = tool({
  name: 'search_memory',
  title: 'Search past sessions',
  description:
    'Find what people and agents said, ran and decided in past sessions: a question, words, code, a name. Not for the code in front of you.',
  isReadOnly: true,
  input: object(
    { query: text('"a phrase", -not, file:auth.ts') },
    {
      project,
      source: text('agent: claude, codex …'),
      since: text('7d or 2026-01-31'),
      limit: count('rows'),
      budget_tokens: budgetTokens,
      cursor,
    },
  ),
  async find(
    memory,
    { query, project: where, source, since, limit: most, cursor: place },
    call,
  ): Promise<Found<Match>> {
    call.progress(0, 2, 'reading what is new')
    const lag = await memory.refreshed()
    call.signal.throwIfAborted()
    call.progress(1, 2, 'searching')
    const start = startOf(place)
    const limit = Math.min(MOST, most || USUAL)
    const narrow = {
      ...(where === undefined ? {} : { project: where }),
      ...(source === undefined ? {} : { source }),
      ...(since === undefined ? {} : { since }),
    }
    const found = await memory.ask('search', { query, ...narrow, limit: start + limit + SPARE })
    const hits = found.hits.filter(({ session }) => !memory.isCaller(session))
    const total = found.total - (found.hits.length - hits.length)
    const shown = hits.slice(start, start + limit)
    const rows = shown.map(matchOf)
    for (let i = 0; i < Math.min(AT_LENGTH, rows.length); i++) {
      call.signal.throwIfAborted()
      const row = rows[i]
      if (row !== undefined) rows[i] = await atLength(memory, row)
    }
    call.progress(2, 2, 'done')
    return {
      rows,
      notes: [why(found, hits.length), lag],
      shorter: ({ answer: _answer, ...row }, room) =>
        room < 100 ? null : { ...row, quote: cutQuote(row.quote, SHORT_QUOTE) },
      rest(shownRows) {
        const next = start + shownRows.length
        const more = total - next
        if (more <= 0) return null
        const many = `${more}${found.total_at_least ? ' or more' : ''} other matches`
        const isEnd = shownRows.length === shown.length && hits.length <= next
        return isEnd
          ? { left_out: `${many}: ask with other words, project or since` }
          : { left_out: `${many}: ask with this cursor, or narrow by project or since`, cursor: String(next) }
      },
    }
  },
})

function startOf(place: string | undefined): number {
  if (place === undefined) return 0
  if (/^\d{1,6}$/.test(place)) return Number(place)
  throw new UserError('USAGE', `there is no cursor ${JSON.stringify(place)}`, 'give it as the last answer did')
}

function matchOf({ session, pointer, confidence, role, snippet }: Hit): Match {
  const quote = confidence === 'guess' ? cutQuote(snippet, SHORT_QUOTE) : quoted(snippet)
  return { ...rowOf(session, pointer, confidence), who: role, quote }
}

/** With more of the message it was found in, and how that exchange ended. */
async function atLength(memory: Memory, short: Match): Promise<Match> {
  if (short.pointer === null) return short
  const asked = { id: short.session_uid, from: short.pointer, limit: EXCHANGE, sidechains: false }
  const { events } = await memory.ask('read', asked)
  const [found] = events
  const last = events.findLast((one) => one.kind === 'assistant_msg' && one.exchange === found?.exchange)
  const words = found?.payload ?? ''
  return {
    ...short,
    ...(words.length <= short.quote.length ? {} : { quote: quoteAround(words, short.quote, LONG_QUOTE) }),
    ...(last?.payload && last !== found ? { answer: cutQuote(last.payload, ENDING) } : {}),
  }
}

function why({ explain }: Document, shown: number): string | null {
  if (explain?.reason === 'filtered')
    return `nothing with these filters; without them ${explain.count === 1 ? 'there is 1 match' : `there are ${explain.count} matches`}`
  if (explain?.reason === 'not_indexed') return 'nothing found in what is read'
  if (explain !== null) return 'nothing found: it was never said, or in other words'
  return shown === 0 ? 'only this very session matches' : null
}
