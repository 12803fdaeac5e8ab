import { asObject, asText, isObject, type Json } from '../kit/json.ts'
import { isUuid } from './natives.ts'

/** A fork writes all it copies in one go; what a person does next comes later than this. */
const BURST_MS = 1000
const REMEMBERED = 8

export interface OriginState {
  metas: string[]
  leading: boolean
  spawned: boolean
  forked: boolean
  copied: boolean
  ownFrom: number | null
  knowsTurns: boolean
  lastAt: number | null
}

/** Where a rollout comes from: which of its records are its own and which a fork copied from its parent. */
export class Origin {
  readonly #session: string
  readonly #state: OriginState

  constructor(session: string, state?: OriginState) {
    this.#session = session
    this.#state = state
      ? { ...state, metas: [...state.metas] }
      : {
          metas: [],
          leading: true,
          spawned: false,
          forked: false,
          copied: false,
          ownFrom: null,
          knowsTurns: false,
          lastAt: null,
        }
  }

  /** True while the records are copies of the parent's. Their times are those of the copying. */
  get copied(): boolean {
    return this.#state.copied
  }

  /** True if an agent started the session: its prompts are not a person's. */
  get spawned(): boolean {
    return this.#state.spawned
  }

  /** True if its counters may go on from another session's. */
  get forked(): boolean {
    return this.#state.forked
  }

  /** A header of the file: its own, one seen before, or that of an ancestor, which begins the copied part. */
  met(id: string, meta: Json): 'own' | 'again' | 'ancestor' {
    const state = this.#state
    if (state.metas.includes(id)) return 'again'
    state.metas.push(id)
    if (state.metas.length > REMEMBERED) state.metas.splice(1, 1)
    if (id === this.#session) {
      this.#startOwn(meta)
      return 'own'
    }
    state.forked = true
    if (state.leading) state.copied = true
    return 'ancestor'
  }

  /** True while nothing but headers has come: the last of them is the first ancestor's. */
  get leading(): boolean {
    return this.#state.leading
  }

  /** Told of every record that is no header, before it is mapped. */
  meet(record: Json, at: number | null): void {
    const state = this.#state
    if (state.copied && this.#isOwn(record, at)) state.copied = false
    state.leading = false
    state.lastAt = at ?? state.lastAt
  }

  state(): OriginState {
    return { ...this.#state, metas: [...this.#state.metas] }
  }

  #startOwn(meta: Json): void {
    const state = this.#state
    const base = isObject(meta['history_base'])
    const ownFrom = meta['subagent_history_start_ordinal']
    state.spawned = isObject(asObject(asObject(meta['source'])?.['subagent'])?.['thread_spawn'])
    state.forked = base || parentOf(meta) !== null
    state.ownFrom = typeof ownFrom === 'number' ? ownFrom : null
    state.copied = !base && (asText(meta['forked_from_id']) !== null || (state.ownFrom ?? 0) > 1)
  }

  /** The first record that no parent can have written. Ids of turns and sessions count up in time. */
  #isOwn(record: Json, at: number | null): boolean {
    const state = this.#state
    const ordinal = record['ordinal']
    if (state.ownFrom !== null && typeof ordinal === 'number') return ordinal >= state.ownFrom
    const turn = turnOf(record)
    if (turn !== null && isTimed(turn) && isTimed(this.#session)) {
      state.knowsTurns = true
      return turn > this.#session
    }
    return !state.knowsTurns && at !== null && state.lastAt !== null && at - state.lastAt > BURST_MS
  }
}

/** The session that this one was forked from or started by, as its own header says. */
export function parentOf(meta: Json): string | null {
  const spawn = asObject(asObject(asObject(meta['source'])?.['subagent'])?.['thread_spawn'])
  return asText(spawn?.['parent_thread_id']) ?? asText(meta['parent_thread_id']) ?? asText(meta['forked_from_id'])
}

/** The turn that a record begins. */
function turnOf(record: Json): string | null {
  const payload = asObject(record['payload'])
  const type = record['type'] === 'event_msg' ? payload?.['type'] : record['type']
  const begins = type === 'task_started' || type === 'turn_started' || type === 'turn_context'
  return begins ? asText(payload?.['turn_id']) : null
}

function isTimed(id: string): boolean {
  return isUuid(id) && id[14] === '7'
}
