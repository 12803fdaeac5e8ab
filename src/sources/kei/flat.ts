import path from 'node:path'
import { MAIN_LANE } from '../../model/event.ts'
import { asArray, asObject, asText, parseObjects, type Json } from '../kit/json.ts'
import { LineReader, type Line } from '../kit/lines.ts'
import {
  ReadAgain,
  type Checkpoint,
  type Item,
  type LaneRef,
  type Problem,
  type Reading,
  type Unit,
} from '../source.ts'
import { FlatLane, type FlatLaneState } from './flat-lane.ts'
import { isFlat, mapFlatLine, sessionOf } from './flat-line.ts'

/** The hint that a trace of flat lines goes on as a copy of a transcript. */
export const AS_COPY = { format: 'copy' } as const

interface State {
  /** Null while no line has told it. */
  readonly format: 'flat' | null
  readonly lanes: readonly FlatLaneState[]
  readonly broken: boolean
}

/** Reads a trace of flat lines. One that turns out to be a copy of a transcript is read again as such. */
export class FlatReading implements Reading {
  provisional = false
  readonly #flavor: string
  readonly #path: string
  readonly #lines: LineReader
  /** By the session that lines name, null for lines that name none. */
  readonly #lanes = new Map<string | null, FlatLane>()
  readonly #announced = new Set<FlatLane>()
  #checkpoint: Checkpoint
  #broken: boolean
  #torn = false

  constructor(flavor: string, unit: Unit, from: Checkpoint | null) {
    const state = asObject(from?.state)
    this.#flavor = flavor
    this.#path = unit.path
    this.#lines = new LineReader(unit.path, from)
    for (const lane of asArray(state?.['lanes']) as readonly FlatLaneState[]) {
      const { counter } = lane
      this.#lanes.set(counter.lane === MAIN_LANE ? null : counter.session, new FlatLane(counter, lane))
    }
    this.#broken = state?.['broken'] === true
    this.#checkpoint = from ?? { offset: 0, line: 0, state: this.#state() }
  }

  get bytesRead(): number {
    return this.#lines.bytesRead
  }

  checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    for (const line of this.#lines) {
      const items = this.#read(line)
      this.provisional = !line.terminated && items.length > 0
      if (line.terminated) this.#checkpoint = { offset: line.end, line: line.number, state: this.#state() }
      yield items
    }
    const complete = !this.#broken && !this.#torn
    for (const lane of this.#lanes.values()) yield [...this.#announce(lane), lane.complete(complete)]
  }

  #read(line: Line): Item[] {
    if (line.bytes === null) return [this.#problem('overlong line', 'warn', 'a line over 64 MiB', line)]
    const records = parseObjects(line.bytes.toString('utf8'))
    if (records !== null) return records.flatMap((record) => this.#record(record, line))
    if (!line.terminated) {
      this.#torn = true
      return []
    }
    if (line.bytes.toString('latin1').trim() === '') return []
    this.#broken = true
    return [this.#problem('broken line', 'warn', 'not a JSON object', line)]
  }

  #record(record: Json, line: Line): Item[] {
    const type = asText(record['type'])
    if (type !== null && sessionOf(record) !== null) throw new ReadAgain(AS_COPY)
    if (isFlat(record)) {
      const lane = this.#lane(sessionOf(record))
      return [...this.#announce(lane), ...mapFlatLine(record, lane, line.number)]
    }
    const name = type ?? asText(record['kind']) ?? 'line of neither format'
    return [this.#problem(name, 'info', `unknown line ${JSON.stringify(name)}`, line)]
  }

  #lane(session: string | null): FlatLane {
    let lane = this.#lanes.get(session)
    if (!lane) this.#lanes.set(session, (lane = new FlatLane(laneOf(this.#path, session))))
    return lane
  }

  #announce(lane: FlatLane): Item[] {
    if (this.#announced.has(lane)) return []
    this.#announced.add(lane)
    const first = this.#lanes.values().next().value === lane
    return [lane.announcement(first ? this.#path : `${this.#path}#${lane.counter.session}`, this.#flavor)]
  }

  #state(): State {
    const lanes = [...this.#lanes.values()].map((lane) => lane.state())
    return { format: lanes.length > 0 ? 'flat' : null, lanes, broken: this.#broken }
  }

  #problem(type: string, level: Problem['level'], message: string, line: Line): Problem {
    return { item: 'problem', type, level, message, line: line.number, offset: line.offset }
  }
}

function laneOf(file: string, session: string | null): LaneRef {
  const stem = path.basename(file, '.jsonl')
  if (session === null) return { session: stem, lane: MAIN_LANE }
  return { session, lane: session === stem ? '~flat' : `~flat-${stem}` }
}
