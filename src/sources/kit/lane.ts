import type { LaneRef } from '../source.ts'

const REMEMBERED_MESSAGES = 8
const REMEMBERED_CALLS = 64

interface MessageEntry {
  key: string
  idx: number
  calls: number
}

export interface LaneState {
  session: string
  lane: string
  pos: number
  messages: number
  orphans: number
  recent: MessageEntry[]
  open: [id: string, tool: string, pos?: number][]
}

/**
 * Numbers what one lane yields: positions, message indexes, call indexes, and which open call a result
 * belongs to. Its state is plain JSON, so that reading may stop after any record and go on later.
 */
export class LaneCounter implements LaneRef {
  readonly session: string
  readonly lane: string
  pos: number
  #messages: number
  #orphans: number
  readonly #recent: MessageEntry[]
  readonly #open: Map<string, { readonly tool: string; readonly pos: number | undefined }>

  constructor(ref: LaneRef, state?: LaneState) {
    this.session = ref.session
    this.lane = ref.lane
    this.pos = state?.pos ?? 0
    this.#messages = state?.messages ?? 0
    this.#orphans = state?.orphans ?? 0
    this.#recent = state?.recent.map((entry) => ({ ...entry })) ?? []
    this.#open = new Map(state?.open.map(([id, tool, pos]) => [id, { tool, pos }]))
  }

  next(): number {
    return this.pos++
  }

  /** A message of its own. */
  newMessage(): number {
    return this.#messages++
  }

  /** The message that all records with this key are part of, however far apart they stand. */
  message(key: string): number {
    const known = this.#entry(key)
    if (known) return known.idx
    const entry = { key, idx: this.#messages++, calls: 0 }
    this.#recent.push(entry)
    if (this.#recent.length > REMEMBERED_MESSAGES) this.#recent.shift()
    return entry.idx
  }

  callIndex(key: string): number {
    const entry = this.#entry(key)
    return entry ? entry.calls++ : 0
  }

  orphanIndex(): number {
    return this.#orphans++
  }

  /** Told before the call takes its place. */
  opened(call: string, tool: string): void {
    this.#open.set(call, { tool, pos: this.pos })
    if (this.#open.size > REMEMBERED_CALLS) this.#open.delete(this.#open.keys().next().value ?? '')
  }

  /** The tool whose call this result answers. */
  answered(call: string): string | undefined {
    const tool = this.#open.get(call)?.tool
    this.#open.delete(call)
    return tool
  }

  /** Where the call stands, as long as it has no result. */
  calledAt(call: string): number | undefined {
    return this.#open.get(call)?.pos
  }

  state(): LaneState {
    return {
      session: this.session,
      lane: this.lane,
      pos: this.pos,
      messages: this.#messages,
      orphans: this.#orphans,
      recent: this.#recent.map((entry) => ({ ...entry })),
      open: Array.from(this.#open, ([id, { tool, pos }]) => (pos === undefined ? [id, tool] : [id, tool, pos])),
    }
  }

  #entry(key: string): MessageEntry | undefined {
    return this.#recent.findLast((entry) => entry.key === key)
  }
}
