import { parseObjects, asObject, type Json } from './json.ts'
import { LineReader, type Line } from './lines.ts'
import type { Checkpoint, Item, Problem, Reading, Unit } from '../source.ts'

/** What a file of one record per line means. Its state is plain JSON and is asked for only between two lines. */
export interface LineMapper {
  /** True for a line that is passed over unread, by its bytes alone. */
  skips?(bytes: Buffer): boolean
  record(record: Json, line: Line): Item[]
  /** Told at the end of every reading. `whole` is false if a line was broken or the last one is torn. */
  end(whole: boolean): Item[]
  state(): unknown
}

interface State {
  readonly mapper: unknown
  readonly broken: boolean
}

/** What the mapper of an earlier reading remembered. */
export function rememberedBy(from: Checkpoint | null): Json | null {
  return asObject(asObject(from?.state)?.['mapper'])
}

/** Reads such a file line by line; a last line without its newline is yielded if it is whole, and read again later. */
export class LinesReading implements Reading {
  provisional = false
  readonly #lines: LineReader
  readonly #mapper: LineMapper
  #checkpoint: Checkpoint
  #broken: boolean
  #torn = false

  constructor(unit: Unit, from: Checkpoint | null, mapper: LineMapper) {
    this.#lines = new LineReader(unit.path, from)
    this.#mapper = mapper
    this.#broken = asObject(from?.state)?.['broken'] === true
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
      if (!line.terminated) this.#freeze()
      const items = this.#read(line)
      this.provisional = !line.terminated && items.length > 0
      if (line.terminated) this.#mark(line)
      yield items
    }
    const items = this.#mapper.end(!this.#broken && !this.#torn)
    if (items.length > 0) yield items
  }

  #read(line: Line): Item[] {
    if (line.bytes === null) return [problem('overlong line', 'warn', 'a line over 64 MiB', line)]
    if (this.#mapper.skips?.(line.bytes)) return []
    const records = parseObjects(line.bytes.toString('utf8'))
    if (records !== null) return records.flatMap((record) => this.#mapper.record(record, line))
    if (!line.terminated) {
      this.#torn = true
      return []
    }
    if (line.bytes.toString('latin1').trim() === '') return []
    this.#broken = true
    return [problem('broken line', 'warn', 'not a JSON object', line)]
  }

  #mark(line: Line): void {
    const state = () => this.#state()
    this.#checkpoint = {
      offset: line.end,
      line: line.number,
      get state() {
        return state()
      },
    }
  }

  /** Fixes what the checkpoint remembers before a line that it must not know of. */
  #freeze(): void {
    const { offset, line, state } = this.#checkpoint
    this.#checkpoint = { offset, line, state }
  }

  #state(): State {
    return { mapper: this.#mapper.state(), broken: this.#broken }
  }
}

export function problem(type: string, level: Problem['level'], message: string, line: Line): Problem {
  return { item: 'problem', type, level, message, line: line.number, offset: line.offset }
}

/** Of a file that says nothing now and is read from its start when it does. */
export function noReading(): Reading {
  return {
    provisional: false,
    bytesRead: 0,
    checkpoint: () => ({ offset: 0, line: 0, state: null }),
    *[Symbol.iterator]() {},
  }
}
