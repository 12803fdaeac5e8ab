import type { Call, What } from './entries.ts'
import type { Update } from './envelope.ts'

/** One line's worth of a transcript, with where it belongs. */
export interface Entry extends Pick<
  Update,
  'origin' | 'at' | 'mistimed' | 'order' | 'stream' | 'promptId' | 'promptIndex'
> {
  readonly line: number
  readonly native: string
  /** Of words of a user: they start a turn of the conversation, not merely a line in it. */
  readonly startsTurn: boolean
  readonly what: What
}

/** Call → where the last line about it starts and how long it is. */
export type Running = ReadonlyMap<string, readonly [offset: number, length: number]>

const MAX_RUNNING = 64
const MAX_ASKED = 3
const MAX_ENTRIES = 4096
const MAX_BYTES = 8 * 1024 * 1024
/** Bytes of the file, lines that were passed over included. */
const MAX_SPAN = 32 * 1024 * 1024
/** A line that is so much later than all before, with a counter that is not, is of a client that was started anew. */
const RESTART_MS = 50
/** A stream of words is not cut before this many times the limits. */
const PATIENCE = 4

/**
 * A stretch of lines that is put in order as one: a turn as a rule, part of one if it is very long. Where a
 * stretch ends follows from the lines alone, so that reading in pieces gives the same stretches.
 */
export class Segment {
  /** Whether prompts were numbered, before or in this stretch. */
  numbered: boolean
  readonly #running: Map<string, readonly [offset: number, length: number]>
  readonly #entries: Entry[] = []
  readonly #calls = new Map<string, Call>()
  readonly #asked = new Map<string, number>()
  #bytes = 0
  #lastOrder = -1
  #lastAt = 0
  #user: Entry | null = null

  constructor(before: { readonly numbered: boolean; readonly running: Running }) {
    this.numbered = before.numbered
    this.#running = new Map(before.running)
  }

  /** Time of its latest line. */
  get lastAt(): number | null {
    return this.#lastAt === 0 ? null : this.#lastAt
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Where the last news of each call stands that has not ended. */
  get running(): Running {
    return this.#running
  }

  /** True if a stretch that spans so many bytes of the file must end here. */
  isFull(spanBytes: number): boolean {
    const last = this.#entries.at(-1)?.what.is
    if (last === undefined) return spanBytes >= MAX_SPAN
    const limit = last === 'words' || last === 'user' ? PATIENCE : 1
    return (
      this.#entries.length >= MAX_ENTRIES * limit || this.#bytes >= MAX_BYTES * limit || spanBytes >= MAX_SPAN * limit
    )
  }

  /** True if words of a user with this number go on with what the line before said. */
  continues(promptIndex: number | null): boolean {
    return this.#user !== null && (promptIndex === null || this.#user.promptIndex === promptIndex)
  }

  /**
   * True if a line belongs before one that is here already. The clock is asked too: a client that was
   * started anew may count from the beginning.
   */
  isLate({ order, at }: Entry): boolean {
    return order !== null && order < this.#lastOrder && at !== null && at <= this.#lastAt
  }

  add(entry: Entry, bytes: number): void {
    const { what } = entry
    if (what.is === 'detail') return this.#fillIn(what.id, what.tool, what.input)
    if (what.is === 'nothing' || what.is === 'problem') return
    this.#user = what.is === 'user' ? entry : null
    if (what.is === 'user' && entry.promptIndex !== null) this.numbered = true
    if (what.is === 'call') this.#calls.set(what.id, what)
    if (what.is === 'result') this.#running.delete(what.id)
    this.#entries.push(entry)
    this.#bytes += bytes
    this.#lastOrder = Math.max(this.#lastOrder, entry.order ?? -1)
    this.#lastAt = Math.max(this.#lastAt, entry.at ?? 0)
  }

  /** True if a call is known whose arguments are not. Its first news tell them, or none do. */
  wants(call: string): boolean {
    const known = this.#calls.get(call)
    if (known === undefined || known.input !== undefined) return false
    const asked = this.#asked.get(call) ?? 0
    this.#asked.set(call, asked + 1)
    return asked < MAX_ASKED
  }

  stillRuns(call: string, offset: number, length: number): void {
    this.#running.set(call, [offset, length])
    if (this.#running.size > MAX_RUNNING) this.#running.delete(this.#running.keys().next().value ?? '')
  }

  /** The calls that have not ended, once. */
  takeRunning(): Running {
    const taken = new Map(this.#running)
    this.#running.clear()
    return taken
  }

  #fillIn(id: string, tool: string | null, input: unknown): void {
    const known = this.#calls.get(id)
    if (known === undefined) return
    known.tool ??= tool
    known.input ??= input
  }

  /** In the order things happened, repeats dropped, pieces of one utterance joined. */
  inOrder(): Entry[] {
    const joined: Entry[] = []
    for (const entry of withoutRepeats(sorted(this.#entries))) {
      const last = joined.at(-1)
      const both = last && join(last, entry)
      if (both) joined[joined.length - 1] = both
      else joined.push(entry)
    }
    return joined
  }
}

/** By counter; a line without one stays behind the line it followed, and what a client wrote after a restart behind all. */
function sorted(entries: readonly Entry[]): Entry[] {
  let [start, order, most, latest] = [0, -1, -1, 0]
  const ranked = entries.map((entry) => {
    const restarted = entry.order !== null && entry.order < most && (entry.at ?? 0) > latest + RESTART_MS
    if (restarted && latest > 0) [start, most] = [start + 1, -1]
    order = entry.order ?? order
    most = Math.max(most, entry.order ?? -1)
    latest = Math.max(latest, entry.at ?? 0)
    return { entry, start, order }
  })
  return ranked.sort((a, b) => a.start - b.start || a.order - b.order).map(({ entry }) => entry)
}

/** A line written twice counts once, and of several endings of one call the last. */
function withoutRepeats(entries: readonly Entry[]): Entry[] {
  const last = new Map<string, Entry>()
  const seen = new Set<string>()
  for (const entry of entries) if (entry.what.is === 'result') last.set(entry.what.id, entry)
  return entries.filter((entry) => {
    if (entry.what.is === 'result') return last.get(entry.what.id) === entry
    if (seen.has(entry.native)) return false
    seen.add(entry.native)
    return true
  })
}

/** What a person said when they turned a call down is written for the screen and for the turn, at the same moment. */
function isSaidTwice(a: Entry, b: Entry): boolean {
  if (a.what.is !== 'user' || b.what.is !== 'user' || a.what.text !== b.what.text) return false
  return a.promptIndex === null && b.promptIndex === null && a.at !== null && a.at === b.at
}

function join(a: Entry, b: Entry): Entry | null {
  if (a.what.is === 'words' && b.what.is === 'words' && a.what.kind === b.what.kind && a.stream === b.stream) {
    return { ...a, what: { ...a.what, text: a.what.text + b.what.text } }
  }
  if (a.what.is === 'user' && b.what.is === 'user' && (b.promptIndex ?? a.promptIndex) === a.promptIndex) {
    const { synthetic, interjected, command } = b.what
    if (a.what.synthetic !== synthetic || a.what.interjected !== interjected || command !== a.what.command) return null
    if (isSaidTwice(a, b)) return a
    return { ...a, what: { ...a.what, text: a.what.text + b.what.text } }
  }
  return null
}
