import { isToolCall, type EventKind, type Role } from './event.ts'

/** What a conversation is built from: the part of an event that reading it needs. */
export interface Spoken {
  readonly seq: number
  readonly at: number | null
  readonly kind: EventKind
  readonly role: Role
  readonly tool: string | null
  readonly summary: string
  readonly text: string | null
  readonly input: string | null
  readonly call: string | null
  readonly message: number | null
  readonly messageId: string | null
  readonly callId: string | null
  readonly callIdx: number | null
  readonly base: string | null
  readonly sub: string | null
  readonly lane: string
  readonly thread: string | null
  readonly flags: number
}

export interface Call<E extends Spoken> {
  readonly event: E
  result: E | null
}

/** Everything one side said in one go: its words, its thoughts and its calls with their results. */
export interface Message<E extends Spoken> {
  readonly start: E
  readonly words: E[]
  readonly thoughts: E[]
  readonly calls: Call<E>[]
}

export interface Conversation<E extends Spoken> {
  readonly messages: Message<E>[]
  /** Calls that belong to no message. */
  readonly orphans: Call<E>[]
  /** Compactions, errors of the service and the like, in order. */
  readonly notes: E[]
}

/** Puts events, in `seq` order, together as messages and joins results to their calls. */
export function buildConversation<E extends Spoken>(events: readonly E[]): Conversation<E> {
  const messages = new Map<string, Message<E>>()
  const calls = new Map<string, Call<E>>()
  const conversation: Conversation<E> = { messages: [], orphans: [], notes: [] }
  for (const event of events) {
    if (event.message === null && !isToolCall(event.kind)) {
      const answered = event.call === null ? undefined : calls.get(`${event.lane}\n${event.call}`)
      if (answered) answered.result ??= event
      else if (event.role === 'system') conversation.notes.push(event)
      continue
    }
    const message = event.message === null ? null : messageFor(event, messages, conversation)
    if (isToolCall(event.kind)) {
      const call: Call<E> = { event, result: null }
      if (event.call !== null) calls.set(`${event.lane}\n${event.call}`, call)
      ;(message?.calls ?? conversation.orphans).push(call)
    } else if (event.kind === 'thinking') message?.thoughts.push(event)
    else message?.words.push(event)
  }
  return conversation
}

function messageFor<E extends Spoken>(
  event: E,
  messages: Map<string, Message<E>>,
  conversation: Conversation<E>,
): Message<E> {
  const key = `${event.lane}\n${event.message}`
  let message = messages.get(key)
  if (!message) {
    message = { start: event, words: [], thoughts: [], calls: [] }
    messages.set(key, message)
    conversation.messages.push(message)
  }
  return message
}
