import { asObject, asText, type Json } from '../kit/json.ts'
import { ORIGINALITY, type Item, type LaneRef, type Originality, type Problem, type Unit } from '../source.ts'
import { isMistimed, parseInstant } from '../../model/time.ts'
import type { Ahead } from './lookahead.ts'
import { parentOf } from './fork-origin.ts'
import { placeOf } from './place.ts'
import { headerOf, mapRecord } from './records.ts'
import { ItemWriter, type ItemWriterState } from './item-writer.ts'

interface State {
  readonly writer: ItemWriterState
  readonly originality: Originality
  readonly broken: boolean
}

export interface Spot {
  readonly line: number
  readonly offset: number
}

/** What records say, one after the other. */
export interface Records {
  /** The items of one record. */
  record(record: Json, spot: Spot, ahead: Ahead): Item[]
  /** Something that is no record. The session is known to be incomplete from here on. */
  broken(type: string, message: string, spot: Spot): Problem
  /** What is known at the end of the file. */
  end(torn: boolean): Item[]
  /** What must be remembered to go on. */
  state(): unknown
}

/** What the records of one rollout say of its session, whatever kind of file holds them. */
export class RolloutRecords implements Records {
  readonly #unit: Unit
  readonly #named: LaneRef
  #writer: ItemWriter | null
  #originality: Originality
  #broken: boolean
  #announced = false

  constructor(unit: Unit, saved: unknown) {
    const state = readState(saved)
    this.#unit = unit
    this.#named = placeOf(unit.path)
    this.#writer = state === null ? null : new ItemWriter(state.writer.lane, state.writer)
    this.#originality = state?.originality ?? ORIGINALITY.main
    this.#broken = state?.broken ?? false
  }

  record(record: Json, spot: Spot, ahead: Ahead): Item[] {
    const writer = (this.#writer ??= this.#begin(record))
    writer.items = this.#announce(writer.lane)
    const { line, offset } = spot
    const { echo, ran, after } = ahead
    writer.place = { line, offset, at: parseInstant(record['timestamp']), echo, ran, after }
    if (isMistimed(record['timestamp'])) writer.problem('time out of range', 'warn', 'its time taken as unknown')
    mapRecord(record, writer)
    return writer.items
  }

  broken(type: string, message: string, spot: Spot): Problem {
    this.#broken = true
    return { item: 'problem', type, level: 'warn', message, ...spot }
  }

  end(torn: boolean): Item[] {
    const writer = this.#writer
    if (writer === null) return []
    writer.items = this.#announce(writer.lane)
    writer.facts({ complete: !this.#broken && !torn })
    return writer.items
  }

  state(): State | null {
    const { originality, broken } = { originality: this.#originality, broken: this.#broken }
    return this.#writer === null ? null : { writer: this.#writer.state(), originality, broken }
  }

  /** The first record names the session if it is a header; the name of the file does otherwise. */
  #begin(record: Json): ItemWriter {
    const header = headerOf(record)
    const id = asText(header?.['id'])
    if (header !== null && parentOf(header) !== null) this.#originality = ORIGINALITY.subagent
    return new ItemWriter(id === null ? this.#named : { ...this.#named, session: id }, null)
  }

  #announce({ session, lane }: LaneRef): Item[] {
    if (this.#announced) return []
    this.#announced = true
    return [{ item: 'lane', session, lane, originality: this.#originality, mainPath: this.#unit.path }]
  }
}

function readState(saved: unknown): State | null {
  const object = asObject(saved)
  return object !== null && asObject(object['writer']) !== null ? (object as unknown as State) : null
}
