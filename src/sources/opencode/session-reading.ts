import { asObject, asText } from '../kit/json.ts'
import { ReadAgain, type Checkpoint, type Item, type Reading, type Unit } from '../source.ts'
import { isSettled } from './settled.ts'
import { ItemWriter } from './item-writer.ts'
import { mapMessage } from './messages.ts'
import type { Ahead, Mark, Message, SessionRow, SessionStore } from './rows.ts'
import { tellEnd, tellSession, tellTakenBack } from './session-notes.ts'

/** What is remembered between two readings. `open` are messages that were told and may still change. */
interface Saved {
  readonly writer: unknown
  readonly mark: Mark
  readonly open: readonly string[]
  readonly revertedFrom: string | null
}

/**
 * Reads one session message by message. What will not change any more is acknowledged; the rest is told and read again.
 * If something changed after all that was acknowledged, the session is read from its start: what it lost is superseded.
 */
export class SessionReading implements Reading {
  provisional = false
  bytesRead = 0
  readonly #unit: Unit
  readonly #open: () => SessionStore
  readonly #from: Checkpoint | null
  #checkpoint: Checkpoint

  constructor(unit: Unit, from: Checkpoint | null, open: () => SessionStore) {
    this.#unit = unit
    this.#from = from
    this.#open = open
    this.#checkpoint = from ?? { offset: 0, line: 0, state: null }
  }

  checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    const store = this.#open()
    try {
      const session = store.session()
      if (session !== null) yield* this.#read(store, session)
    } finally {
      store.close()
    }
  }

  *#read(store: SessionStore, session: SessionRow): Generator<readonly Item[]> {
    const saved = asObject(this.#from?.state) as unknown as Saved | null
    if (saved !== null && !stands(saved, store, session)) throw new ReadAgain(null, true)
    const writer = new ItemWriter(this.#unit, session, saved?.writer ?? null)
    const changed = store.changed()
    const open: string[] = []
    let mark: Mark = { ...(saved?.mark ?? { at: -1, id: '', count: 0 }), changed }
    let line = this.#from?.line ?? 0
    const state = (): Saved => ({ writer: writer.state(), mark, open, revertedFrom: session.revertedFrom })
    const note = () => {
      this.#checkpoint = {
        offset: line,
        line,
        get state() {
          return state()
        },
      }
    }
    writer.begin(line)
    tellSession(session, store, writer)
    yield writer.take()
    for (const [message, ahead] of withNext(store.messages(saved === null ? null : mark))) {
      this.bytesRead += message.bytes
      if (!this.provisional && !isSettled(message, ahead)) this.#freeze(note)
      if (this.provisional) open.push(message.id)
      writer.begin(++line)
      const first = writer.lane.pos
      const isTaken = isReverted(message, session, writer) || message.isRemoved
      if (!isTaken && writer.isTakingBack) tellTakenBack(writer)
      mapMessage(message, writer)
      if (isTaken) writer.takeBack(message, first)
      if (!this.provisional) {
        mark = { at: message.at, id: message.id, changed, count: mark.count + (message.isRemoved ? 0 : 1) }
        note()
      }
      yield writer.take()
    }
    if (!this.provisional) this.#freeze(note)
    writer.begin(++line)
    tellEnd(session, writer)
    const end = writer.take()
    this.provisional = open.length > 0 || end.some(({ item }) => item === 'event')
    yield end
  }

  /** Fixes where a later reading goes on: what follows is told, but may still change. */
  #freeze(note: () => void): void {
    note()
    const { offset, line, state } = this.#checkpoint
    this.#checkpoint = { offset, line, state }
    this.provisional = true
  }
}

/** All from the one that was chosen on, until the person says something else. */
function isReverted(message: Message, { revertedFrom }: SessionRow, writer: ItemWriter): boolean {
  if (message.id === revertedFrom) writer.reverting = true
  return writer.reverting
}

function stands(saved: Saved, store: SessionStore, session: SessionRow): boolean {
  if (saved.revertedFrom !== session.revertedFrom) return false
  return store.stillStands(saved.mark) && saved.open.every((id) => asText(id) !== null && store.has(id))
}

/** Each message with whether a person has said something since, as far as that matters. */
function* withNext(messages: Iterable<Message>): Generator<readonly [Message, Ahead]> {
  let waiting: Message[] = []
  for (const message of messages) {
    if (isPrompt(message)) {
      for (const before of waiting) yield [before, 'prompt']
      waiting = []
    }
    waiting.push(message)
    while (waiting[0] !== undefined && isSettled(waiting[0], 'nothing')) yield [waiting.shift()!, 'nothing']
  }
  for (const message of waiting) yield [message, 'nothing']
}

function isPrompt({ data }: Message): boolean {
  return data?.['role'] === 'user'
}
