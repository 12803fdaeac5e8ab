import { MAIN_LANE } from '../../model/event.ts'
import type { Facts } from '../../model/facts.ts'
import { asCount, asObject, asText, type Json } from '../kit/json.ts'
import { ORIGINALITY, type Item, type Problem, type Unit } from '../source.ts'
import type { ImportedFrom } from './imports.ts'
import type { Ahead } from './lookahead.ts'
import { placeOf } from './place.ts'
import { headerOf } from './records.ts'
import { RolloutRecords, type Records, type Spot } from './rollout-records.ts'

const IMPORT_TURN = 'external-import-turn-'
const IMPORT_END = '<EXTERNAL SESSION IMPORTED>'
/** What the header says of the conversation that was imported; the rest is about the import. */
const TOLD_OF_BOTH: ReadonlySet<string> = new Set<keyof Facts>(['cwd', 'branch', 'branches', 'firstPrompt', 'complete'])

interface State {
  readonly from: ImportedFrom
  readonly copy: unknown
  readonly own: unknown
  readonly header: { readonly record: Json; readonly spot: Spot } | null
  /** Since when, in milliseconds, the imported turn at hand, 0 if that is not told; null outside of one. */
  readonly turn: number | null
}

/**
 * A rollout that Codex made from another agent's session, and that may go on in Codex. What was imported is that
 * session's: told as a lane of it which gives way to its own transcript. What came after is a session of its own.
 */
export class ImportedRecords implements Records {
  readonly #from: ImportedFrom
  readonly #unit: Unit
  readonly #copy: RolloutRecords
  #own: RolloutRecords | null
  #header: State['header']
  #turn: State['turn']

  constructor(unit: Unit, from: ImportedFrom, saved: unknown) {
    const state = savedImport(saved)
    this.#from = state?.from ?? from
    this.#unit = unit
    this.#copy = new RolloutRecords(unit, state?.copy)
    this.#own = state?.own ? new RolloutRecords(unit, state.own) : null
    this.#header = state?.header ?? null
    this.#turn = state?.turn ?? null
  }

  record(record: Json, spot: Spot, ahead: Ahead): Item[] {
    const header = headerOf(record)
    if (header !== null && this.#header === null) {
      const { base_instructions: _, ...rest } = header
      this.#header = { record: { ...record, payload: rest }, spot }
      return this.#copied(this.#copy.record(this.#header.record, spot, ahead))
    }
    const payload = asObject(record['payload'])
    const begun = importedTurn(payload)
    if (begun !== null) this.#turn = begun
    else if (beginsTurn(record, payload)) this.#turn = null
    if (this.#turn !== null) {
      const items = payload?.['message'] === IMPORT_END ? [] : this.#copied(this.#copy.record(record, spot, ahead))
      if (payload?.['type'] === 'task_complete') this.#turn = null
      return items
    }
    if (this.#own === null && !beginsTurn(record, payload)) return []
    return [...this.#beginOwn(ahead), ...this.#ownRecords().record(record, spot, ahead)]
  }

  broken(type: string, message: string, spot: Spot): Problem {
    return (this.#own ?? this.#copy).broken(type, message, spot)
  }

  end(torn: boolean): Item[] {
    return [...this.#copied(this.#copy.end(torn)), ...(this.#own?.end(torn) ?? [])]
  }

  state(): unknown {
    const { copy, own } = { copy: this.#copy.state(), own: this.#own?.state() ?? null }
    return { from: this.#from, copy, own, header: this.#header, turn: this.#turn } satisfies State
  }

  #ownRecords(): RolloutRecords {
    return (this.#own ??= new RolloutRecords(this.#unit, null))
  }

  /** The header, once there is something of its own; it was begun with that and not with the import. */
  #beginOwn(ahead: Ahead): Item[] {
    if (this.#own !== null || this.#header === null) return []
    const { record, spot } = this.#header
    const parent = `claude:${this.#from.session}`
    return this.#ownRecords()
      .record(record, spot, ahead)
      .map((item): Item => {
        if (item.item !== 'facts') return item
        const { startedAt: _, ...facts } = item.facts
        return { ...item, facts: { ...facts, parent } }
      })
  }

  #copied(items: readonly Item[]): Item[] {
    const place = { session: this.#from.session, lane: `codex-${placeOf(this.#unit.path).session}` }
    return items.flatMap((item): Item[] => {
      switch (item.item) {
        case 'lane':
          return [
            {
              ...item,
              ...place,
              originality: ORIGINALITY.copy,
              mainPath: this.#from.path,
              flavor: 'claude',
              yieldsTo: MAIN_LANE,
            },
          ]
        case 'facts':
          return [{ ...item, ...place, facts: aboutBoth(item.facts) }]
        case 'event':
          return [{ ...item, ...place, at: this.#turn || null }]
        case 'supersede':
          return [{ ...item, ...place }]
        case 'usage':
          return []
        default:
          return [item]
      }
    })
  }
}

/** What a checkpoint says of an imported thread; null if it was not known to be one. */
export function savedImport(saved: unknown): State | null {
  const state = asObject(saved)
  return state !== null && asObject(state['from']) !== null ? (state as unknown as State) : null
}

function aboutBoth(facts: Readonly<Partial<Facts>>): Partial<Facts> {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => TOLD_OF_BOTH.has(name)))
}

/** When the conversation had the turn that begins here, if it was imported. */
function importedTurn(payload: Json | null): number | null {
  if (payload?.['type'] !== 'task_started' || !asText(payload['turn_id'])?.startsWith(IMPORT_TURN)) return null
  return asCount(payload['started_at']) * 1000
}

/** Anything but what the client notes of a thread that is only looked at. */
function beginsTurn(record: Json, payload: Json | null): boolean {
  const type = record['type'] === 'event_msg' ? payload?.['type'] : record['type']
  return type === 'task_started' || type === 'turn_started' || type === 'turn_context'
}
