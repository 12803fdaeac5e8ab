import { UserError } from '../model/errors.ts'
import { pointerOf, readPointer } from '../model/pointers.ts'
import type { SessionRecord } from '../model/session.ts'
import { firstChars } from '../model/first-chars.ts'
import type { Recall } from '../recall.ts'
import type { EventPlace, EventRecord } from '../store/store.ts'
import { event, eventDocument, type EventDocument } from './events.ts'
import { operation } from './operation.ts'
import { around, placeOf, pointedAt } from './part-of-session.ts'
import { called, count, flag, integer, list, nullable, object, positive, text } from './schema.ts'
import { sessionDocument, sessionSchema } from './session-document.ts'

const USUAL = 40

export interface ReadPage {
  readonly session: SessionRecord
  readonly events: readonly EventRecord[]
  /** Whole arguments and outputs of tools by `seq`; none if nobody asked for them. */
  readonly bodies: ReadonlyMap<number, string>
  /** How many stand before and after. */
  readonly before: number
  readonly after: number
  /** The first of those after. */
  readonly next: number | null
}

export const read = operation({
  name: 'read',
  summary: 'some events of a session in the order in which they are read',
  details: 'Reads no more than it gives, however long the session is.',
  effect: 'reads',
  input: object(
    { id: text('which session') },
    {
      around,
      from: called('n', text('from this event on, as `next` says it')),
      tail: called('n', count('only the last n events')),
      limit: called('n', count(`at most n events (${USUAL}; 0 = all); with around: before it and after it`)),
      sidechains: flag('with what subagents said'),
      payloads: flag('with whole tool outputs; what people and agents said is there without'),
      seqs: list(integer(), 'these events alone, by `seq`'),
      clip: called('n', positive('cut what is longer than so many characters; `payload_chars` says how long it is')),
    },
  ),
  output: object({
    session: sessionSchema,
    events: list(event),
    before: count(),
    after: count(),
    next: nullable(text()),
  }),
  async run({ recall }, asked): Promise<ReadPage> {
    const session = await recall.find(asked.id)
    if (asked.seqs !== undefined) return these(recall, session, asked.seqs, asked.payloads === true)
    const from = asked.from === undefined ? null : startAt(asked.from)
    const pointed = from ?? pointedAt(asked)
    const sidechains = asked.sidechains === true || pointed?.aside === true
    const all = await recall.places(session, sidechains)
    const limit = asked.limit === 0 ? Infinity : (asked.limit ?? USUAL)
    const { thread, start, end } = stretch()
    const seqs = thread.slice(start, end).map(({ seq }) => seq)
    const found = new Map((await recall.events(session, { sidechains, seqs })).map((one) => [one.seq, one]))
    return {
      session,
      events: seqs.flatMap((seq) => found.get(seq) ?? []),
      bodies: asked.payloads ? await recall.bodies(session, seqs) : new Map(),
      before: start,
      after: thread.length - end,
      next: thread[end]?.seq ?? null,
    }

    function stretch(): { readonly thread: readonly EventPlace[]; readonly start: number; readonly end: number } {
      if (pointed !== null) {
        const { thread, at } = placeOf(session, all, pointed)
        const start = from === null ? Math.max(0, at - limit) : at
        return { thread, start, end: Math.min(thread.length, at + limit + (from === null ? 1 : 0)) }
      }
      const start = asked.tail ? Math.max(0, all.length - asked.tail) : 0
      return { thread: all, start, end: Math.min(all.length, asked.tail ? all.length : limit) }
    }
  },
  document: (page: ReadPage, { clip }) => ({
    session: sessionDocument(page.session),
    events: page.events.map((one) => clipped(eventDocument(one, page), clip)),
    before: page.before,
    after: page.after,
    next: page.next === null ? null : pointerOf(page.next),
  }),
})

async function these(
  recall: Recall,
  session: SessionRecord,
  seqs: readonly number[],
  payloads: boolean,
): Promise<ReadPage> {
  const found = new Map((await recall.events(session, { sidechains: true, seqs })).map((one) => [one.seq, one]))
  const bodies = payloads ? await recall.bodies(session, seqs) : new Map<number, string>()
  return { session, events: seqs.flatMap((seq) => found.get(seq) ?? []), bodies, before: 0, after: 0, next: null }
}

function clipped(one: EventDocument, most: number | undefined): EventDocument {
  if (most === undefined || one.payload === undefined || one.payload === null) return one
  return { ...one, payload: firstChars(one.payload, most), payload_chars: one.payload.length }
}

function startAt(pointer: string) {
  const found = readPointer(pointer)
  if (found !== null) return found
  throw new UserError('USAGE', `from cannot be ${JSON.stringify(pointer)}`, 'it takes what `next` said: #45')
}
