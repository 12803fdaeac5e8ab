import { ask, type Doc } from './api.ts'

export type EventDoc = Doc<'read'>['events'][number]

const BATCH = 40
const PATIENCE_MS = 16
const CLIP = 8_000
const MOST_KEPT = 2_000

/** The words of a session's events, fetched a few at a time when they come into view; never the whole transcript. */
export class EventStore {
  readonly #session: string
  readonly #events = new Map<number, EventDoc>()
  /** Shown until they have come anew. */
  readonly #stale = new Set<number>()
  readonly #wanted = new Set<number>()
  readonly #coming = new Set<number>()
  readonly #onNew: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(session: string, onNew: () => void) {
    this.#session = session
    this.#onNew = onNew
  }

  /** The event if it is here; else it is sent for. */
  get(seq: number): EventDoc | null {
    const known = this.#events.get(seq)
    if (known !== undefined && !this.#stale.has(seq)) return known
    if (!this.#coming.has(seq)) {
      this.#wanted.add(seq)
      this.#timer ??= setTimeout(() => void this.#fetch(), PATIENCE_MS)
    }
    return known ?? null
  }

  /** What was read may have changed. */
  forget(): void {
    for (const seq of this.#events.keys()) this.#stale.add(seq)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #fetch(): Promise<void> {
    this.#timer = undefined
    // Those asked for last are in view; what was passed over is asked for again if it comes back.
    const seqs = [...this.#wanted].slice(-BATCH)
    this.#wanted.clear()
    for (const seq of seqs) this.#coming.add(seq)
    try {
      const { events } = await ask('read', {
        id: this.#session,
        seqs: seqs.toSorted((a, b) => a - b),
        payloads: true,
        clip: CLIP,
      })
      if (this.#events.size > MOST_KEPT) this.#events.clear()
      for (const event of events) this.#events.set(event.seq, event)
      for (const seq of seqs) this.#stale.delete(seq)
    } catch {
      // The page says elsewhere that nobody answers; what is in view is asked for again.
    } finally {
      for (const seq of seqs) this.#coming.delete(seq)
      if (!this.#isClosed) this.#onNew()
    }
  }
}
