import { MAIN_LANE, laneBase } from '../../model/event.ts'
import { asObject, parseObjects, type Json } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import {
  ORIGINALITY,
  type Checkpoint,
  type Item,
  type Lane,
  type LaneRef,
  type Originality,
  type Problem,
  type Reading,
  type TranscriptReader,
  type Unit,
} from '../source.ts'
import { FlatLane, type FlatLaneState } from './flat-lane.ts'
import { isFlat, mapFlatLine } from './flat-line.ts'
import { isRemark, mapRemark } from './trace-lines.ts'

const TRACE_LANE = '~trace'
const LINE_CHUNK = 4 * 1024

/**
 * Reads a trace that copies a transcript: in the words of the agent that wrote it, as the same session, in
 * lanes of its own that give way, record by record, to the transcript itself. Lines which that agent would
 * not write, but a trace may hold, are read here.
 */
export class CopyReading implements Reading {
  readonly #copied: Reading
  readonly #flavor: string
  readonly #path: string
  /** The lane of the copied transcript. */
  #lane: LaneRef | null = null
  #own: FlatLane | null = null
  #saved: FlatLaneState | null
  #announced = false

  constructor(
    flavor: string,
    original: TranscriptReader,
    unit: Unit,
    start: { from: Checkpoint | null; hint: unknown },
  ) {
    const { from, hint } = start
    const state = asObject(from?.state)
    this.#copied = original.read(unit, from && { ...from, state: state?.['copied'] }, hint)
    this.#flavor = flavor
    this.#path = unit.path
    this.#saved = (state?.['own'] ?? null) as FlatLaneState | null
  }

  get bytesRead(): number {
    return this.#copied.bytesRead
  }

  get provisional(): boolean {
    return this.#copied.provisional
  }

  checkpoint(): Checkpoint {
    const { offset, line, state } = this.#copied.checkpoint()
    return { offset, line, state: { format: 'copy', copied: state, own: this.#saved } }
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    for (const items of this.#copied) yield items.flatMap((item) => this.#tell(item))
  }

  #tell(item: Item): Item[] {
    switch (item.item) {
      case 'lane':
        return [this.#laneOf(item)]
      case 'event':
      case 'usage':
      case 'facts':
      case 'supersede':
        return [{ ...item, lane: tracedLane(item.lane) }]
      case 'problem':
        return this.#ownLine(item) ?? [item]
      case 'title':
        return [item]
      default:
        return item satisfies never
    }
  }

  #laneOf(lane: Lane): Lane {
    const originality = Math.max(lane.originality, ORIGINALITY.copy) as Originality
    const traced = { ...lane, lane: tracedLane(lane.lane), originality, flavor: this.#flavor }
    this.#lane ??= traced
    return traced
  }

  /** What a trace may hold where the agent's reader met something it does not know; null if it is nothing of ours either. */
  #ownLine(problem: Problem): Item[] | null {
    if (problem.level !== 'info' || this.#lane === null) return null
    const record = recordAt(this.#path, problem)
    if (record === null || !(isFlat(record) || isRemark(record))) return null
    const lane = (this.#own ??= new FlatLane(laneAfter(this.#lane), this.#saved ?? undefined))
    const items = (isFlat(record) ? mapFlatLine : mapRemark)(record, lane, problem.line)
    if (!this.provisional) this.#saved = lane.state()
    if (this.#announced || items.length === 0) return items
    this.#announced = true
    return [lane.announcement(this.#path, this.#flavor), ...items]
  }
}

function tracedLane(lane: string): string {
  return lane === MAIN_LANE ? TRACE_LANE : `${TRACE_LANE}-${lane}`
}

/** A lane whose numbers come after those of `lane`, always the same one. */
function laneAfter({ session, lane }: LaneRef): LaneRef {
  const names = Array.from({ length: 32 }, (_, n) => `${lane}-more-${n}`)
  return { session, lane: names.find((name) => laneBase(name) > laneBase(lane)) ?? `${lane}-more` }
}

function recordAt(file: string, place: { readonly offset: number; readonly line: number }): Json | null {
  for (const line of new LineReader(file, { offset: place.offset, line: place.line - 1 }, LINE_CHUNK)) {
    const records = line.bytes === null ? null : parseObjects(line.bytes.toString('utf8'))
    return records?.length === 1 ? (records[0] ?? null) : null
  }
  return null
}
