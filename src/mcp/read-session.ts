import { choice, list, object, text } from '../operations/schema.ts'
import type { DocumentOf } from '../operations/operation.ts'
import type { read } from '../operations/read.ts'
import { budgetTokens, cursor, rowOf, session, type Found, type Row } from './answer.ts'
import { tokensOf } from './fit.ts'
import { cutQuote, quoted } from './quote.ts'
import { tool } from './tool.ts'

const PAGE = 60
/** Before what is asked for. */
const BEFORE = 3
/** Nobody's budget holds more than so many events. */
const MOST_PAGES = 20
const LONG = 4000
const BRIEF = 300
const LEAST_ROOM = 60

type Event = DocumentOf<typeof read>['events'][number]

interface Said {
  readonly pointer: string
  readonly at?: string
  readonly who: string
  readonly text: string
}

interface Conversation extends Row {
  readonly said: readonly Said[]
}

const PARTS = ['results', 'thinking', 'subagents'] as const
type Part = (typeof PARTS)[number]

export const readSession = tool({
  name: 'read_session',
  title: 'Read a past session',
  description: 'Read one session, from its start or around a pointer from another tool. Goes on with cursor.',
  isReadOnly: true,
  input: object(
    { session },
    {
      around: text('pointer, #45'),
      budget_tokens: budgetTokens,
      cursor,
      include: list(choice(PARTS), 'results: whole tool outputs'),
    },
  ),
  async find(memory, { session: asked, around, budget_tokens: budget = 2000, cursor: place, include = [] }, call) {
    await memory.refreshed()
    const id = await memory.named(asked)
    const isAsked = (part: Part) => include.includes(part)
    const common = { id, sidechains: isAsked('subagents'), payloads: isAsked('results') }
    const said: Said[] = []
    let next: string | null = null
    let after = 0
    let row: Row | null = null
    let room = budget
    for (let page = 0; page < MOST_PAGES && room > 0; page++) {
      call.signal.throwIfAborted()
      call.progress(page, MOST_PAGES, 'reading')
      const from: string | undefined = next ?? place ?? (await startOf(around))
      const found: DocumentOf<typeof read> = await memory.ask('read', {
        ...common,
        ...(from === undefined ? {} : { from }),
        limit: PAGE,
      })
      row ??= rowOf(found.session, said[0]?.pointer ?? null, 'sure')
      for (const event of found.events) {
        const one = saidIn(event, isAsked)
        if (one === null) continue
        said.push(one)
        room -= tokensOf(one)
      }
      next = found.next
      after = found.after
      if (next === null) break
    }
    const whole: Conversation = { ...(row as Row), pointer: said[0]?.pointer ?? null, said }
    return fittedConversation(whole, next, after)

    /** A little before what is asked for. */
    async function startOf(pointer: string | undefined): Promise<string | undefined> {
      if (pointer === undefined && !/#[\w.]+$/.test(id)) return undefined
      const place = pointer === undefined ? common : { ...common, around: pointer }
      const { events } = await memory.ask('read', { ...place, payloads: false, limit: BEFORE })
      return events[0]?.pointer
    }
  },
})

/** What was said, as far as there is room; the cursor is the first that is missing. */
function fittedConversation(whole: Conversation, next: string | null, after: number): Found<Conversation> {
  const notes = whole.said.length === 0 ? ['its raw text is gone: get_digest tells what is known'] : []
  return {
    rows: [whole],
    notes,
    shorter(row, room) {
      let left = room - tokensOf({ ...row, said: [] })
      const said: Said[] = []
      for (const one of row.said) {
        const price = tokensOf(one) + 1
        if (price <= left) {
          said.push(one)
          left -= price
          continue
        }
        const cut = { ...one, text: cutQuote(one.text, Math.floor(left * 1.5)) }
        if (left >= LEAST_ROOM && tokensOf(cut) < left) said.push(cut)
        break
      }
      return said.length === 0 ? null : { ...row, said }
    },
    rest([told]) {
      if (told === undefined) return { left_out: 'it does not fit: ask with more budget_tokens' }
      const missing = whole.said.length - told.said.length
      const first = missing > 0 ? (whole.said[told.said.length]?.pointer ?? null) : next
      if (first === null) return null
      return { left_out: `${missing + after} more events: ask with this cursor`, cursor: first }
    },
  }
}

/** An event as it is told; null if it is left out. */
function saidIn(event: Event, isAsked: (part: Part) => boolean): Said | null {
  const { pointer, ts, kind, tool: name, summary, human, marks } = event
  const words = event.payload ?? ''
  const told = (who: string, what: string): Said | null =>
    what.trim() === ''
      ? null
      : { pointer, ...(ts === null ? {} : { at: ts.slice(0, 19).concat('Z') }), who, text: what }
  const whole = cutQuote(words, LONG)
  if (kind === 'user_msg' || kind === 'human_intervention')
    return human ? told('person', whole) : marks?.injected ? null : told('client', cutQuote(words, BRIEF))
  if (kind === 'assistant_msg') return told('agent', whole)
  if (kind === 'decision') return told('decision', whole)
  if (kind === 'thinking') return isAsked('thinking') ? told('thinking', whole) : null
  if (kind === 'error') return told('error', isAsked('results') ? whole : cutQuote(words, BRIEF))
  if (kind === 'tool_result') return isAsked('results') ? told('result', whole) : null
  if (name === null) return null
  const given = isAsked('results') ? whole : cutQuote(words.startsWith('{') ? summary : words || summary, BRIEF)
  return told('call', given.startsWith(name) ? given : `${quoted(name)}: ${given}`)
}
