import { asObject, type Json } from '../kit/json.ts'
import { LineReader, type Line } from '../kit/lines.ts'
import type { Checkpoint, Item, Lane, Problem, Reading, Unit } from '../source.ts'
import { CallLog } from './call-log.ts'
import { whatOf } from './entries.ts'
import { openEnvelope } from './envelope.ts'
import { contentOf, endingAt } from './line-content.ts'
import { problem } from './lines-reading.ts'
import { Outcomes } from './outcomes.ts'
import { placeOf, type SessionPlace } from './place.ts'
import { Scribe, type ScribeState } from './scribe.ts'
import { Segment, type Entry, type Running } from './segment.ts'
import { isSubagent, readSummary, sessionFacts, transcriptLane } from './summary.ts'

interface State {
  scribe: ScribeState
  numbered: boolean
  running: [call: string, place: readonly [offset: number, length: number]][]
  broken: boolean
  /** Problems of lines up to this one have been told. */
  told: number
}

/** Where the last finished stretch ends, with what was known there. */
interface Boundary {
  readonly offset: number
  readonly line: number
  readonly numbered: boolean
  readonly running: Running
}

/**
 * Reads `updates.jsonl`, the stream of everything the client was told. It is put in order stretch by
 * stretch, a turn of the conversation each; a stretch is finished when the next one begins. What follows the
 * last finished one is yielded too, but read again next time.
 */
export class UpdatesReading implements Reading {
  provisional = false
  readonly #unit: Unit
  readonly #place: SessionPlace
  readonly #lane: Lane
  readonly #lines: LineReader
  readonly #scribe: Scribe
  #boundary: Boundary
  #segment: Segment
  #frozen: Checkpoint | null = null
  #known: boolean
  #announced = false
  #broken: boolean
  #torn = false
  #told: number

  constructor(unit: Unit, from: Checkpoint | null) {
    const state = asObject(from?.state) as unknown as State | null
    this.#unit = unit
    this.#place = placeOf(unit)
    this.#lane = transcriptLane(this.#place)
    this.#lines = new LineReader(unit.path, from)
    const place = this.#place
    const beside = { place, outcomes: new Outcomes(place), calls: new CallLog(place) }
    const setting = { ...beside, isSubagent: isSubagent(readSummary(place)) }
    this.#scribe = new Scribe(this.#lane, setting, state?.scribe ?? null)
    const { offset = 0, line = 0 } = from ?? {}
    this.#boundary = { offset, line, numbered: state?.numbered ?? false, running: new Map(state?.running) }
    this.#segment = new Segment(this.#boundary)
    this.#known = from !== null
    this.#broken = state?.broken ?? false
    this.#told = state?.told ?? 0
  }

  get bytesRead(): number {
    return this.#lines.bytesRead
  }

  checkpoint(): Checkpoint {
    const { offset, line } = this.#boundary
    return this.#frozen ?? { offset, line, state: this.#state() }
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    for (const line of this.#lines) {
      if (!line.terminated) this.#freeze()
      const { entries, problems } = this.#read(line)
      if (problems.length > 0) yield [...this.#announce(), ...problems]
      if (this.#startsAnew(entries)) yield this.#close({ offset: line.offset, line: line.number - 1 }, true)
      for (const entry of entries) this.#segment.add(entry, line.end - line.offset)
      const rewound = entries.some(({ what }) => what.is === 'rewind')
      if (rewound || this.#segment.isFull(line.end - this.#boundary.offset)) {
        yield this.#close({ offset: line.end, line: line.number }, false)
      }
    }
    this.#freeze()
    if (!this.#segment.isEmpty) yield this.#flush(0, false)
    const bill = this.#scribe.openBill()
    if (bill.length > 0) yield bill
    if (this.#known) yield [...this.#announce(), this.#facts()]
  }

  #read(line: Line): { entries: readonly Entry[]; problems: readonly Problem[] } {
    const content = contentOf(line, this.#segment)
    const problems: Problem[] = []
    const entries: Entry[] = []
    if (content.is === 'torn') this.#torn = true
    else if (content.is === 'broken') {
      this.#broken = true
      problems.push(problem(content.type, 'warn', content.message, line))
    } else this.#known = true
    for (const [nth, record] of content.is === 'records' ? content.records.entries() : []) {
      const entry = this.#entry(record, line, nth)
      if (entry === null) problems.push(problem('update without kind', 'info', 'a record is no update', line))
      else if (entry.what.is !== 'problem') entries.push(entry)
      else problems.push(problem(entry.what.type, entry.what.level, entry.what.message, line))
    }
    return { entries, problems: this.#untold(problems, line) }
  }

  #entry(record: Json, line: Line, nth: number): Entry | null {
    const update = openEnvelope(record)
    if (update === null) return null
    const { id, origin, at, order, stream, promptId, promptIndex } = update
    const what = whatOf(update)
    const numbered = this.#segment.numbered || promptIndex !== null
    const startsTurn = what.is === 'user' && (numbered ? promptIndex !== null : !what.interjected)
    const native = id ?? `${this.#place.session}:${line.number}:${nth}`
    return { line: line.number, native, origin, at, order, stream, promptId, promptIndex, startsTurn, what }
  }

  /** A line after the checkpoint is read again; its problems are told once. */
  #untold(problems: readonly Problem[], line: Line): readonly Problem[] {
    if (problems.length === 0 || line.number <= this.#told || !line.terminated) return []
    this.#told = line.number
    return problems
  }

  #startsAnew(entries: readonly Entry[]): boolean {
    const segment = this.#segment
    const anew = entries.some((entry) => {
      if (entry.what.is === 'rewind' || entry.what.is === 'boundary') return true
      return entry.startsTurn && !segment.continues(entry.promptIndex) && !segment.isLate(entry)
    })
    return anew && (!segment.isEmpty || segment.running.size > 0)
  }

  #close(end: { offset: number; line: number }, endsTurn: boolean): readonly Item[] {
    const items = this.#flush(end.line, endsTurn)
    const { numbered, running } = this.#segment
    this.#boundary = { ...end, numbered, running }
    this.#segment = new Segment(this.#boundary)
    return items
  }

  /** Writes a stretch down. `lastLine` is where it ends, if it does. */
  #flush(lastLine: number, endsTurn: boolean): readonly Item[] {
    const scribe = this.#scribe
    scribe.items = this.#announce()
    for (const entry of this.#segment.inOrder()) {
      if (entry.what.is === 'turn') this.#tellUnfinished(entry.line)
      scribe.write(entry)
    }
    if (endsTurn) this.#tellUnfinished(lastLine)
    if (this.#frozen !== null && scribe.items.length > 0) this.provisional = true
    return scribe.items
  }

  /** The turn is over: calls that still ran get the output they had shown so far. */
  #tellUnfinished(line: number): void {
    for (const [call, [offset, length]] of this.#segment.takeRunning()) {
      const last = endingAt(this.#unit.path, offset, length)
      const mark = { line, native: `unfinished:${call}`, at: last?.at ?? null }
      if (last !== null) this.#scribe.unfinished(mark, call, last.ending)
    }
  }

  #announce(): Item[] {
    if (this.#announced || !this.#known) return []
    this.#announced = true
    return [this.#lane]
  }

  #facts(): Item {
    const complete = !this.#broken && !this.#torn
    const { session, lane } = this.#lane
    return { item: 'facts', session, lane, facts: { ...sessionFacts(this.#place), complete } }
  }

  /** Fixes the checkpoint before what it must not know of. */
  #freeze(): void {
    this.#frozen ??= this.checkpoint()
  }

  #state(): State {
    const { numbered, running } = this.#boundary
    const scribe = this.#scribe.state()
    return { scribe, numbered, running: [...running], broken: this.#broken, told: this.#told }
  }
}
