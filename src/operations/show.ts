import { buildConversation, type Call, type Message } from '../model/conversation.ts'
import { pointerOf, type Pointed } from '../model/pointers.ts'
import type { SessionRecord } from '../model/session.ts'
import { isoTime } from '../model/time.ts'
import type { Recall } from '../recall.ts'
import { FLAG, type EventRecord } from '../store/store.ts'
import { operation } from './operation.ts'
import { messageFields, placesAround, pointedAt, role, someMessages } from './part-of-session.ts'
import { anything, flag, instant, integer, list, nullable, object, text, type TypeOf } from './schema.ts'
import { sessionDocument, sessionFields } from './session-document.ts'

const call = object({
  id: nullable(text()),
  idx: nullable(integer()),
  seq: integer(),
  pointer: text(),
  tool_name: nullable(text()),
  tool_input: anything(),
  result: nullable(text()),
  is_error: nullable(flag()),
  bash_command: nullable(text()),
  bash_base: nullable(text()),
  bash_sub: nullable(text()),
  is_compound: flag(),
})

const message = object({
  id: nullable(text()),
  idx: nullable(integer()),
  seq: integer(),
  pointer: text(),
  role,
  content: nullable(text()),
  thinking: nullable(text()),
  has_thinking: flag(),
  timestamp: instant,
  human: flag(),
  superseded: flag(),
  thread: nullable(text()),
  tool_calls: list(call),
})

const input = object(
  { id: text('which session') },
  {
    sidechains: flag('with what subagents said'),
    ...messageFields,
    without_outputs: flag('without whole tool outputs: only how one that failed begins'),
  },
)
type Asked = TypeOf<typeof input>

type Bodies = ReadonlyMap<number, string>

export interface Shown {
  readonly session: SessionRecord
  readonly events: readonly EventRecord[]
  /** Whole arguments and outputs of tools by `seq`. */
  readonly bodies: Bodies
  /** It is not the whole session. */
  readonly isPart: boolean
}

export const show = operation({
  name: 'show',
  summary: 'read one session as a conversation',
  details:
    'The id is a session uid (`claude:…`), the 16 digits of `recall list --json`, the first 6 or more characters of either, ' +
    'or `last` for the newest session. `id#45` shows what stands around event 45, as --around does. ' +
    'In the margin stand the number of each message and what went wrong: `✗` it failed, `⊘` it was not allowed, `!` a person stepped in. ' +
    'What subagents said is folded away unless asked for with --sidechains, and what the client put in unless with --plumbing. A `payload_ref` of `--events --json` ' +
    '(`blob://…`) prints that payload: its very bytes into a file or a pipe, with control characters shown on a terminal.',
  effect: 'reads',
  input,
  output: object({ ...sessionFields, messages: list(message), orphan_tool_calls: list(call) }),
  async run({ recall }, asked): Promise<Shown> {
    const session = await recall.find(asked.id)
    const pointed = pointedAt(asked)
    if (pointed !== null) return aroundEvent(recall, session, pointed, asked)
    const all = await recall.events(session, { sidechains: asked.sidechains === true })
    const events = someMessages(all, asked)
    const bodies: Bodies = asked.without_outputs ? new Map() : await recall.bodies(session, null)
    return { session, events, bodies, isPart: all.length !== events.length }
  },
  document({ session, events, bodies }: Shown) {
    const { messages, orphans } = buildConversation(events)
    return {
      ...sessionDocument(session),
      messages: messages.map((one) => messageDocument(one, bodies)),
      orphan_tool_calls: orphans.map((one) => callDocument(one, bodies)),
    }
  },
})

/** Reads no more of the session than it shows. */
async function aroundEvent(recall: Recall, session: SessionRecord, pointed: Pointed, asked: Asked): Promise<Shown> {
  const sidechains = asked.sidechains === true || pointed.aside
  const places = await recall.places(session, sidechains)
  const seqs = placesAround(session, places, pointed, asked).map(({ seq }) => seq)
  const events = await recall.events(session, { sidechains, seqs })
  const bodies: Bodies = asked.without_outputs ? new Map() : await recall.bodies(session, seqs)
  return { session, events, bodies, isPart: events.length !== places.length }
}

function messageDocument({ start, words, thoughts, calls }: Message<EventRecord>, bodies: Bodies) {
  return {
    id: start.messageId,
    idx: start.messageIdx,
    seq: start.seq,
    pointer: pointerOf(start.seq),
    role: start.role,
    content: joined(words),
    thinking: joined(thoughts),
    has_thinking: thoughts.length > 0,
    timestamp: isoTime(start.at),
    human: words.some((event) => (event.flags & FLAG.human) !== 0),
    superseded: (start.flags & FLAG.superseded) !== 0,
    thread: start.thread,
    tool_calls: calls.map((one) => callDocument(one, bodies)),
  }
}

function joined(events: readonly EventRecord[]): string | null {
  const texts = events.map((event) => event.text ?? '').filter((words) => words !== '')
  return texts.length === 0 ? null : texts.join('\n')
}

function callDocument({ event, result }: Call<EventRecord>, bodies: Bodies) {
  return {
    id: event.callId,
    idx: event.callIdx,
    seq: event.seq,
    pointer: pointerOf(event.seq),
    tool_name: event.tool,
    tool_input: parsed(bodies.get(event.seq) ?? event.input),
    result: result === null ? null : (bodies.get(result.seq) ?? result.text ?? ''),
    is_error: result === null ? null : result.kind === 'error' || result.marks.denied !== undefined,
    bash_command: event.text,
    bash_base: event.base,
    bash_sub: event.sub,
    is_compound: (event.flags & FLAG.compound) !== 0,
  }
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}
