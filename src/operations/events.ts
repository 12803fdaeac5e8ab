import { EVENT_KINDS } from '../model/event.ts'
import { payloadRef, pointerOf } from '../model/pointers.ts'
import type { SessionRecord } from '../model/session.ts'
import { isoTime } from '../model/time.ts'
import { FLAG, type EventRecord } from '../store/store.ts'
import { marks, marksDocument } from './marks-document.ts'
import { operation } from './operation.ts'
import { eventFields, placesAround, pointedAt, role, someOf } from './part-of-session.ts'
import { choice, count, flag, instant, integer, list, nullable, object, text, type TypeOf } from './schema.ts'

export const event = object(
  {
    session_uid: text(),
    seq: integer(),
    pointer: text(),
    parent_seq: nullable(integer()),
    ts: instant,
    kind: choice(EVENT_KINDS),
    role,
    tool: nullable(text()),
    summary: text(),
    payload_ref: nullable(text()),
    tokens: nullable(count()),
    is_sidechain: flag(),
    thread: nullable(text()),
    event_class: nullable(text()),
    superseded: flag(),
    human: flag(),
    exchange: count(),
    marks,
  },
  { payload: nullable(text()), payload_chars: count() },
)

export type EventDocument = TypeOf<typeof event>

export interface ListedEvents {
  readonly session: SessionRecord
  readonly events: readonly EventRecord[]
  /** Whole arguments and outputs of tools by `seq`; null if nobody asked for them. */
  readonly bodies: ReadonlyMap<number, string> | null
}

export const events = operation({
  name: 'events',
  summary: 'every event of a session in order',
  effect: 'reads',
  input: object({ id: text('which session') }, { ...eventFields, payloads: flag('with whole tool outputs') }),
  output: object({ session_uid: text(), events: list(event) }),
  async run({ recall }, asked): Promise<ListedEvents> {
    const session = await recall.find(asked.id)
    const pointed = pointedAt(asked)
    const all = (await recall.places(session, true)).sort((a, b) => a.seq - b.seq)
    const some = pointed === null ? someOf(all, asked) : placesAround(session, all, pointed, asked)
    const isPart = some.length < all.length
    const seqs = some.map(({ seq }) => seq)
    const found = await recall.events(session, { sidechains: true, ...(isPart ? { seqs } : {}) })
    const bodies = asked.payloads ? await recall.bodies(session, isPart ? seqs : null) : null
    return { session, events: found.sort((a, b) => a.seq - b.seq), bodies }
  },
  document: (listed: ListedEvents) => ({
    session_uid: listed.session.uid,
    events: listed.events.map((one) => eventDocument(one, listed)),
  }),
})

export function eventDocument(
  one: EventRecord,
  { session, bodies }: Pick<ListedEvents, 'session' | 'bodies'>,
): EventDocument {
  const hasPayload = one.hasBody || one.text !== null || one.input !== null
  return {
    session_uid: session.uid,
    seq: one.seq,
    pointer: pointerOf(one.seq),
    parent_seq: one.parentSeq,
    ts: isoTime(one.at),
    kind: one.kind,
    role: one.role,
    tool: one.tool,
    summary: one.summary,
    payload_ref: hasPayload ? payloadRef(session.uid, one.seq) : null,
    tokens: one.tokens,
    is_sidechain: (one.flags & FLAG.sidechain) !== 0,
    thread: one.thread,
    event_class: one.eventClass,
    superseded: (one.flags & FLAG.superseded) !== 0,
    human: (one.flags & FLAG.human) !== 0,
    exchange: one.exchange,
    marks: marksDocument(one.marks),
    ...(bodies === null ? {} : { payload: bodies.get(one.seq) ?? one.text ?? one.input }),
  }
}
