import type { Json } from '../kit/json.ts'
import { LineReader, type Line } from '../kit/lines.ts'
import { ReadAgain, type Checkpoint, type Item, type Reading, type Unit } from '../source.ts'
import { aheadOf } from './lookahead.ts'
import { ImportedRecords, savedImport } from './imported-records.ts'
import { importedFrom } from './imports.ts'
import { RolloutRecords, type Records } from './rollout-records.ts'
import { parseLine } from './decode.ts'
import { ZstdLines } from './zstd-lines.ts'

const IMPORTED = 'imported'

/** A line that has been read and not yet written down. */
interface Waiting extends Omit<Line, 'bytes'> {
  /** Null for what is no record. */
  readonly records: readonly Json[] | null
  readonly overlong: boolean
}

/**
 * Reads one rollout of any generation since they are JSON lines, compressed or not. A prompt waits until the
 * records after it show whether a person typed it, a program until they show whether its calls are told; where the
 * file ends before, it is told but not acknowledged.
 */
export class RolloutReading implements Reading {
  provisional = false
  readonly #lines: LineReader | ZstdLines
  readonly #records: Records
  #checkpoint: Checkpoint
  /** True while what the checkpoint remembers is what is known now. */
  #isLive = false
  #torn = false

  /** `hint`: the thread is known to have been imported, and nothing is kept of what was read of it before that. */
  constructor(unit: Unit, from: Checkpoint | null, hint?: unknown) {
    const imported = savedImport(from?.state)?.from ?? importedFrom(unit)
    if (imported !== null && hint !== IMPORTED && savedImport(from?.state) === null) throw new ReadAgain(IMPORTED)
    this.#lines = unit.path.endsWith('.zst') ? new ZstdLines(unit.path, from) : new LineReader(unit.path, from)
    this.#records =
      imported === null ? new RolloutRecords(unit, from?.state) : new ImportedRecords(unit, imported, from?.state)
    this.#checkpoint = from ?? { offset: 0, line: 0, state: null }
  }

  get bytesRead(): number {
    return this.#lines.bytesRead
  }

  checkpoint(): Checkpoint {
    this.#freeze()
    return this.#checkpoint
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    const waiting: Waiting[] = []
    for (const line of this.#lines) {
      waiting.push(decode(line))
      while (waiting.length > 0 && isDecided(waiting)) yield this.#write(waiting, true)
    }
    while (waiting.length > 0) yield this.#write(waiting, isDecided(waiting))
    const failure = this.#lines instanceof ZstdLines ? this.#lines.failure : null
    const items = failure === null ? [] : [this.#records.broken('broken archive', failure, { line: 0, offset: 0 })]
    yield [...items, ...this.#records.end(this.#torn)]
  }

  /** Writes down the first of the waiting lines. It stands, also if the file goes on, if it is decided and whole. */
  #write(waiting: Waiting[], decided: boolean): Item[] {
    const acknowledged = !this.provisional && decided && waiting[0]?.terminated === true
    if (!acknowledged) this.#freeze()
    const line = waiting.shift()
    if (line === undefined) return []
    const items = this.#itemsOf(line, waiting)
    if (acknowledged) this.#mark(line.end, line.number)
    else this.provisional ||= items.length > 0
    return items
  }

  #itemsOf(line: Waiting, after: readonly Waiting[]): Item[] {
    const spot = { line: line.number, offset: line.offset }
    if (line.overlong) return [this.#records.broken('overlong line', 'a line over 64 MiB', spot)]
    if (line.records === null) {
      if (!line.terminated) this.#torn = true
      return line.terminated ? [this.#records.broken('broken line', 'not a JSON object', spot)] : []
    }
    const items: Item[] = []
    for (const [index, record] of line.records.entries()) {
      items.push(...this.#records.record(record, spot, aheadOf(record, following(line.records, index, after))))
    }
    return items
  }

  #mark(offset: number, line: number): void {
    this.#checkpoint = { offset, line, state: null }
    this.#isLive = true
  }

  /** Fixes what the checkpoint remembers before a record that it must not know of. */
  #freeze(): void {
    if (!this.#isLive) return
    this.#isLive = false
    const { offset, line } = this.#checkpoint
    this.#checkpoint = { offset, line, state: this.#records.state() }
  }
}

function decode({ bytes, offset, number, end, terminated }: Line): Waiting {
  const place = { offset, number, end, terminated, overlong: bytes === null }
  if (bytes === null) return { ...place, records: null }
  const records = parseLine(bytes)
  const blank = records === null && bytes.toString('latin1').trim() === ''
  return { ...place, records: blank ? [] : records }
}

/** True if nothing that may yet be read changes what the first line becomes. */
function isDecided([line, ...after]: readonly Waiting[]): boolean {
  const records = line?.records ?? []
  return records.every((record, index) => {
    const ahead = aheadOf(record, following(records, index, after))
    return ahead.echo !== 'unknown' && ahead.ran !== 'unknown' && ahead.after !== 'unknown'
  })
}

function* following(records: readonly Json[], index: number, after: readonly Waiting[]): Generator<Json> {
  yield* records.slice(index + 1)
  for (const line of after) yield* line.records ?? []
}
