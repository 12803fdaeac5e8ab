import { asObject, type Json } from '../kit/json.ts'
import { LineReader, type Line } from '../kit/lines.ts'
import { ReadAgain, type Checkpoint, type Item, type Lane, type Problem, type Reading, type Unit } from '../source.ts'
import { CallLog } from './call-log.ts'
import { whatOf } from './entries.ts'
import { openEnvelope } from './envelope.ts'
import { contentOf, endingAt } from './line-content.ts'
import { problem } from '../kit/lines-reading.ts'
import { placeOf, type SessionPlace } from './place.ts'
import { ItemWriter } from './item-writer.ts'
import { Segment, type Entry } from './segment.ts'
import { isLive } from './session-state.ts'
import { isHeadless, isSubagent, readSummary, sessionFacts, transcriptLane } from './summary.ts'
import { momentOf, type Boundary, type State } from './reading-state.ts'
import { UnknownTypes } from './unknown-types.ts'
import { isWellEnded } from './turn-ends.ts'
import { TurnLog } from './turn-log.ts'

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
  readonly #log: TurnLog
  readonly #people: string
  readonly #writer: ItemWriter
  #boundary: Boundary
  #segment: Segment
  #frozen: Checkpoint | null = null
  #known: boolean
  #announced = false
  #broken: boolean
  #torn = false
  #told: number
  readonly #types: UnknownTypes
  #lastLine: number

  constructor(unit: Unit, from: Checkpoint | null) {
    const state = asObject(from?.state) as unknown as State | null
    this.#unit = unit
    this.#place = placeOf(unit)
    this.#lane = transcriptLane(this.#place)
    this.#lines = new LineReader(unit.path, from)
    const place = this.#place
    const summary = readSummary(place)
    this.#log = new TurnLog(place)
    const beside = { place, log: this.#log, calls: new CallLog(place) }
    const setting = { ...beside, isSubagent: isSubagent(summary), isHeadless: isHeadless(summary) }
    this.#writer = new ItemWriter(this.#lane, setting, state?.writer ?? null)
    const { offset = 0, line = 0 } = from ?? {}
    const until = state?.until ?? 0
    this.#people = `${setting.isSubagent} ${setting.isHeadless}`
    this.#log.readTo(until)
    if (state !== null && state.beside !== this.#beside()) throw new ReadAgain(null)
    this.#boundary = { offset, line, numbered: state?.numbered ?? false, running: new Map(state?.running), until }
    this.#segment = new Segment(this.#boundary)
    this.#known = from !== null
    this.#broken = state?.broken ?? false
    this.#told = state?.told ?? 0
    this.#types = new UnknownTypes(state?.types)
    this.#lastLine = line
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
      this.#lastLine = line.number
      if (!line.terminated) this.#freeze()
      const { entries, problems } = this.#read(line)
      if (problems.length > 0) yield [...this.#announce(), ...problems]
      if (this.#startsAnew(entries)) yield this.#finish(line, entries)
      for (const entry of entries) this.#segment.add(entry, line.end - line.offset)
      const rewound = entries.some(({ what }) => what.is === 'rewind')
      if (rewound || this.#segment.isFull(line.end - this.#boundary.offset)) {
        yield this.#close({ offset: line.end, line: line.number }, null)
      }
    }
    this.#freeze()
    this.#log.readTo(Infinity)
    if (!this.#segment.isEmpty) {
      this.#flush()
      yield this.#written()
    }
    const end = this.#cutOff()
    if (end.length > 0) yield end
    const bill = this.#writer.openBill()
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
      else if (entry.what.is !== 'problem') {
        entries.push(entry)
        if (entry.mistimed) problems.push(problem('time out of range', 'warn', 'its time taken as unknown', line))
      } else problems.push(problem(entry.what.type, entry.what.level, entry.what.message, line))
    }
    return { entries, problems: this.#untold(problems, line) }
  }

  #entry(record: Json, line: Line, nth: number): Entry | null {
    const update = openEnvelope(record)
    if (update === null) return null
    const { id, origin, at, mistimed, order, stream, promptId, promptIndex } = update
    const what = whatOf(update)
    const numbered = this.#segment.numbered || promptIndex !== null
    const startsTurn = what.is === 'user' && (numbered ? promptIndex !== null : !what.interjected)
    const native = id ?? `${this.#place.session}:${line.number}:${nth}`
    return { line: line.number, native, origin, at, mistimed, order, stream, promptId, promptIndex, startsTurn, what }
  }

  /** A line after the checkpoint is read again; its problems are told once. */
  #untold(problems: readonly Problem[], line: Line): readonly Problem[] {
    if (problems.length === 0 || line.number <= this.#told || !line.terminated) return []
    this.#told = line.number
    return problems.filter((told) => this.#types.isNew(told))
  }

  #startsAnew(entries: readonly Entry[]): boolean {
    const segment = this.#segment
    const anew = entries.some((entry) => {
      if (entry.what.is === 'rewind') return true
      if (entry.what.is === 'boundary') return !segment.isLate(entry)
      return entry.startsTurn && !segment.continues(entry.promptIndex) && !segment.isLate(entry)
    })
    return anew && (!segment.isEmpty || segment.running.size > 0 || this.#writer.openTurns.isOpen)
  }

  /** The stretch ends with the line before, and with it the turn. */
  #finish({ offset, number }: Line, entries: readonly Entry[]): readonly Item[] {
    const next = entries.find(({ what, startsTurn }) => startsTurn || what.is === 'rewind' || what.is === 'boundary')
    return this.#close({ offset, line: number - 1 }, next ?? null)
  }

  #close(end: { offset: number; line: number }, next: Entry | null): readonly Item[] {
    const until = Math.max(this.#boundary.until, momentOf(next?.at ?? this.#segment.lastAt))
    this.#log.readTo(until)
    this.#flush()
    if (next !== null) this.#tellUnfinished(end.line, this.#writer.openTurns.isCutOff())
    if (next?.startsTurn) this.#writer.endTurn(end.line)
    const items = this.#written()
    const { numbered, running } = this.#segment
    this.#boundary = { ...end, numbered, running, until }
    this.#segment = new Segment(this.#boundary)
    return items
  }

  /** Writes a stretch down. */
  #flush(): void {
    const writer = this.#writer
    writer.items = this.#announce()
    for (const entry of this.#segment.inOrder()) {
      if (entry.what.is === 'turn') this.#tellUnfinished(entry.line, !isWellEnded(entry.what.stop))
      writer.write(entry)
    }
  }

  #written(): readonly Item[] {
    const { items } = this.#writer
    if (this.#frozen !== null && items.length > 0) this.provisional = true
    return items
  }

  /** What was taken from the files beside this one for what is finished. */
  #beside(): string {
    return `${this.#log.digest()} ${this.#people}`
  }

  /** The turn is over: calls that still ran get the output they had shown so far. */
  #tellUnfinished(line: number, stopped: boolean): void {
    for (const [call, [offset, length]] of this.#segment.takeRunning()) {
      const last = endingAt(this.#unit.path, offset, length)
      const mark = { line, native: `unfinished:${call}`, at: last?.at ?? null }
      if (last !== null) this.#writer.unfinished(mark, call, last.ending, stopped)
    }
  }

  /** A turn that was begun and never ended, in a session that runs no more. Taken back as soon as the turn goes on. */
  #cutOff(): readonly Item[] {
    const writer = this.#writer
    if (!writer.openTurns.isCutOff() || isLive(this.#place)) return []
    writer.items = this.#announce()
    this.#tellUnfinished(this.#lastLine + 1, true)
    writer.cutOff(this.#lastLine + 1)
    this.provisional = true
    return writer.items
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
    const { numbered, running, until } = this.#boundary
    const writer = this.#writer.state()
    const types = this.#types.state()
    const beside = this.#beside()
    const known = { broken: this.#broken, told: this.#told, types }
    return { writer, numbered, running: [...running], until, beside, ...known }
  }
}
