import type { Usage } from '../../model/usage.ts'
import type { Json } from '../kit/json.ts'
import type { CallLog } from './call-log.ts'
import { sumOf } from './call-log.ts'
import { billsOf, withoutChildren } from './subagent-usage.ts'
import type { ChildNews, TurnEnd } from './entries.ts'
import { hasUpdates, placeAt, sessionDirs, type SessionPlace } from './place.ts'
import type { Entry } from './segment.ts'
import { turnUsage } from './usage.ts'

const REMEMBERED_CHILDREN = 256

/** A turn that no bill has been told for yet. */
interface OpenTurn {
  readonly from: number
  readonly line: number
  key: string | null
}

/** A subagent: which prompt it was started for, when, and when it ended. */
interface Child {
  readonly session: string
  readonly prompt: string | null
  readonly from: number
  to: number | null
}

export interface TurnUsageState {
  turn: OpenTurn | null
  children: Child[]
}

export interface Bill {
  readonly usage: Usage
  readonly line: number
  readonly leftOut: boolean
}

/** What the turns of one session cost: by their bills, or by the log of calls where they have none. */
export class TurnUsage {
  readonly #place: SessionPlace
  readonly #calls: CallLog
  readonly #originals = new Map<string, boolean>()
  #turn: OpenTurn | null
  #children: Child[]

  constructor(place: SessionPlace, calls: CallLog, state: TurnUsageState | null) {
    this.#place = place
    this.#calls = calls
    this.#turn = state?.turn ? { ...state.turn } : null
    this.#children = state?.children.map((child) => ({ ...child })) ?? []
  }

  state(): TurnUsageState {
    return { turn: this.#turn && { ...this.#turn }, children: this.#children.map((child) => ({ ...child })) }
  }

  start(entry: Entry): void {
    if (entry.at !== null) this.#turn = { from: entry.at, line: entry.line, key: entry.promptId }
  }

  /** A line of the turn tells by which name it will be billed. */
  name(key: string | null): void {
    if (this.#turn !== null) this.#turn.key ??= key
  }

  child({ session, prompt, ended }: ChildNews, at: number | null): void {
    if (at === null) return
    const known = this.#children.findLast((child) => child.session === session && child.to === null)
    if (ended && known !== undefined) known.to = at
    if (ended) return
    this.#children.push({ session, prompt: prompt ?? this.#turn?.key ?? null, from: at, to: null })
    if (this.#children.length > REMEMBERED_CHILDREN) this.#children.shift()
  }

  /** A turn that ends without a bill is billed from the log of calls, as far as that reaches back. */
  end(to: number | null, model: string | null): Bill[] {
    const turn = this.#turn
    this.#turn = null
    return turn === null || to === null ? [] : this.#fromLog(turn, to, model)
  }

  /** What the turn that is still open has cost so far. It goes by the name that its own bill will have. */
  open(model: string | null): Bill[] {
    return this.#turn === null || this.#turn.key === null ? [] : this.#fromLog(this.#turn, Infinity, model)
  }

  billed(entry: Entry, { usage, key }: TurnEnd, model: string | null): Bill[] {
    if (usage === null) return []
    const own = this.#withoutChildren(usage, key)
    const bills = turnUsage(own, key ?? `turn:${entry.native}`, model, entry.at)
    if (bills.length > 0) this.#turn = null
    const leftOut = this.#isBilledElsewhere(entry.origin)
    return bills.map((bill) => ({ usage: bill, line: entry.line, leftOut }))
  }

  /** A bill includes the subagents that were started for its prompt and ended before it. Their own sessions tell them. */
  #withoutChildren(usage: Json, key: string | null): Json {
    const ended = this.#children.filter(({ prompt, to }) => to !== null && prompt !== null && prompt === key)
    if (ended.length === 0) return usage
    this.#children = this.#children.filter((child) => !ended.includes(child))
    const { root } = this.#place
    const bills = ended.flatMap(({ session, from, to }) =>
      sessionDirs(root, session)
        .slice(0, 1)
        .flatMap((dir) => billsOf(placeAt(dir, root), from, to ?? from)),
    )
    return withoutChildren(usage, bills)
  }

  #fromLog({ from, key, line }: OpenTurn, to: number, model: string | null): Bill[] {
    const name = key ?? `turn:${this.#place.session}:${from}`
    const usage = sumOf(this.#calls.between(from, to), name, model)
    return usage === null ? [] : [{ usage, line, leftOut: false }]
  }

  /** True if a line was copied from a session whose own transcript is still there. */
  #isBilledElsewhere(origin: string | null): boolean {
    if (origin === null || origin === this.#place.session) return false
    let known = this.#originals.get(origin)
    if (known === undefined) {
      const { root } = this.#place
      known = sessionDirs(root, origin).some((dir) => hasUpdates(placeAt(dir, root)))
      this.#originals.set(origin, known)
    }
    return known
  }
}
