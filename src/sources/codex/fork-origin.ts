import { asCount, asObject, asText, type Json } from '../kit/json.ts'
import { isUuid } from './text-hash.ts'

/** A fork writes all it copies in one go; what a person does next comes later than this. */
const BURST_MS = 1000
const REMEMBERED = 8

export interface OriginState {
  metas: string[]
  leading: boolean
  spawned: boolean
  path: string | null
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
          path: null,
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

  /** The name by which the agents of a session call this one. */
  get path(): string | null {
    return this.#state.path
  }

  /** True while the records are what an agent knew when it was started: its parent's, and told by the parent. */
  get inherited(): boolean {
    return this.#state.spawned && this.#state.copied
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
    const ownFrom = meta['subagent_history_start_ordinal']
    state.spawned = isSpawned(meta)
    state.path = asText(meta['agent_path'])
    state.forked = baseOf(meta) !== null || parentOf(meta) !== null
    state.ownFrom = typeof ownFrom === 'number' ? ownFrom : null
    state.copied = baseOf(meta) === null && (asText(meta['forked_from_id']) !== null || (state.ownFrom ?? 0) > 1)
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

/** True if an agent, or the client in the middle of a session, started this one. */
export function isSpawned(meta: Json): boolean {
  const subagent = asObject(meta['source'])?.['subagent']
  return (subagent !== undefined && subagent !== null) || meta['thread_source'] === 'subagent'
}

/** True if no person sat before it: `codex exec`, the SDKs, and what other programs drive as a server. */
export function isAutomated(meta: Json): boolean {
  const source = meta['source']
  return source === 'exec' || source === 'mcp' || /^codex_(?:exec|sdk)/.test(asText(meta['originator']) ?? '')
}

/** The session whose first records this one goes on from without a copy, and how many they are. */
export function baseOf(meta: Json): { thread: string; records: number } | null {
  const base = asObject(meta['history_base'])
  const thread = asText(base?.['thread_id']) ?? asText(meta['forked_from_id'])
  const records = Math.floor(asCount(base?.['end_ordinal_exclusive'] ?? meta['forked_from_ordinal_exclusive']))
  return thread === null || records === 0 || !Number.isSafeInteger(records) ? null : { thread, records }
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
