import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { openRegular } from '../../model/regular-file.ts'
import { asArray, asObject, isObject, parseObjects, type Json } from '../kit/json.ts'
import { MAX_LINE_BYTES } from '../kit/lines.ts'
import type { Checkpoint, Item, Reading, Unit } from '../source.ts'
import { NOTHING_AHEAD } from './lookahead.ts'
import { RolloutRecords } from './rollout-records.ts'

/**
 * Reads a session of the first, TypeScript, client: one JSON document with all items, rewritten whole whenever
 * one is added. `line` is the place of an item in it; the session itself is line 0.
 */
export class DocumentReading implements Reading {
  readonly provisional = false
  bytesRead = 0
  readonly #path: string
  readonly #records: RolloutRecords
  readonly #skip: number
  #checkpoint: Checkpoint

  constructor(unit: Unit, from: Checkpoint | null) {
    this.#path = unit.path
    this.#records = new RolloutRecords(unit, from?.state)
    this.#skip = from?.state ? from.line : -1
    this.#checkpoint = from ?? { offset: 0, line: 0, state: null }
  }

  checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    const { size, document } = readDocument(this.#path)
    this.bytesRead = size
    const session = asObject(document?.['session'])
    if (session === null) {
      const message = size > MAX_LINE_BYTES ? 'a document over 64 MiB' : 'not a session document'
      this.#checkpoint = { offset: 0, line: 0, state: null }
      return yield [this.#records.broken('broken document', message, { line: 0, offset: 0 })]
    }
    const records = [session, ...asArray(document?.['items'])]
    for (const [line, record] of records.entries()) {
      if (line <= this.#skip) continue
      const spot = { line, offset: 0 }
      const items = isObject(record)
        ? this.#records.record(record, spot, NOTHING_AHEAD)
        : [this.#records.broken('broken item', 'not a JSON object', spot)]
      this.#mark(line === records.length - 1 ? size : 0, line)
      yield items
    }
    yield this.#records.end(false)
  }

  #mark(offset: number, line: number): void {
    const records = this.#records
    let state: unknown
    this.#checkpoint = {
      offset,
      line,
      get state() {
        return (state ??= records.state())
      },
    }
  }
}

function readDocument(file: string): { size: number; document: Json | null } {
  const fd = openRegular(file)
  try {
    const { size } = fstatSync(fd)
    if (size > MAX_LINE_BYTES) return { size, document: null }
    return { size, document: parseObjects(readFileSync(fd, 'utf8'))?.[0] ?? null }
  } finally {
    closeSync(fd)
  }
}
