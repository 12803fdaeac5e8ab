import { buildConversation, type Call, type Message } from '../model/conversation.ts'
import { marksJson } from '../model/marks.ts'
import { pointerOf } from '../model/pointers.ts'
import type { SessionRecord } from '../model/session.ts'
import { sessionJson } from '../model/shapes.ts'
import { isoTime } from '../model/time.ts'
import { FLAG, type EventRecord } from '../store/store.ts'

type Bodies = ReadonlyMap<number, string>

export function conversationJson(session: SessionRecord, events: readonly EventRecord[], bodies: Bodies) {
  const { messages, orphans } = buildConversation(events)
  return {
    ...sessionJson(session),
    messages: messages.map((message) => messageJson(message, bodies)),
    orphan_tool_calls: orphans.map((call) => callJson(call, bodies)),
  }
}

function messageJson(message: Message<EventRecord>, bodies: Bodies) {
  const { start, words, thoughts } = message
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
    tool_calls: message.calls.map((call) => callJson(call, bodies)),
  }
}

function joined(events: readonly EventRecord[]): string | null {
  const texts = events.map((event) => event.text ?? '').filter((text) => text !== '')
  return texts.length === 0 ? null : texts.join('\n')
}

function callJson({ event, result }: Call<EventRecord>, bodies: Bodies) {
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

export function eventsJson(session: SessionRecord, events: readonly EventRecord[], bodies: Bodies | null) {
  return { session_uid: session.uid, events: events.map((event) => eventJson(session, event, bodies)) }
}

function eventJson(session: SessionRecord, event: EventRecord, bodies: Bodies | null) {
  const hasPayload = event.hasBody || event.text !== null || event.input !== null
  return {
    session_uid: session.uid,
    seq: event.seq,
    pointer: pointerOf(event.seq),
    parent_seq: event.parentSeq,
    ts: isoTime(event.at),
    kind: event.kind,
    role: event.role,
    tool: event.tool,
    summary: event.summary,
    payload_ref: hasPayload ? `blob://${session.uid}/${event.seq}` : null,
    tokens: event.tokens,
    is_sidechain: (event.flags & FLAG.sidechain) !== 0,
    thread: event.thread,
    event_class: event.eventClass,
    superseded: (event.flags & FLAG.superseded) !== 0,
    human: (event.flags & FLAG.human) !== 0,
    exchange: event.exchange,
    marks: marksJson(event.marks),
    ...(bodies === null ? {} : { payload: bodies.get(event.seq) ?? event.text ?? event.input }),
  }
}
