import { createHash } from 'node:crypto'
import path from 'node:path'
import { statRegular } from '../../model/regular-file.ts'
import { asText, parseObjects, type Json } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import { millis } from './envelope.ts'
import type { SessionPlace } from './place.ts'

const HEAD_BYTES = 256
const TYPE = /"type":\s?"([a-z_]+)"/
const READ: ReadonlySet<string> = new Set([
  'turn_started',
  'turn_ended',
  'loop_started',
  'tool_completed',
  'permission_resolved',
  'yolo_toggled',
  'error',
])

export interface Logged {
  readonly record: Json
  readonly at: number | null
}

/**
 * Records of `events.jsonl`, taken in up to a moment and no further. What a reader makes of them then follows from
 * that part of the file alone, and the digest of that part tells later whether it still stands.
 */
export class LogPrefix {
  readonly file: string
  readonly #hash = createHash('sha256')
  #lines: readonly string[] | null = null
  #taken = 0

  constructor({ dir }: SessionPlace) {
    this.file = path.join(dir, 'events.jsonl')
  }

  /** The records up to this moment that were not taken before. One without a time goes with the one before it. */
  *upTo(until: number): Generator<Logged> {
    this.#lines ??= linesOf(this.file)
    for (; this.#taken < this.#lines.length; this.#taken++) {
      const line = this.#lines[this.#taken] ?? ''
      const logged = (parseObjects(line) ?? []).map((record) => ({ record, at: millis(record['ts']) }))
      if (logged.some(({ at }) => at !== null && at > until)) return
      this.#hash.update(line).update('\n')
      yield* logged
    }
  }

  /** Of all that was taken. */
  digest(): string {
    return this.#hash.copy().digest('base64url').slice(0, 16)
  }
}

function linesOf(file: string): string[] {
  const lines: string[] = []
  if (statRegular(file) === null) return lines
  for (const { bytes } of new LineReader(file, null)) {
    if (bytes === null || !READ.has(TYPE.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1] ?? '')) continue
    lines.push(bytes.toString('utf8'))
  }
  return lines
}

/** What went wrong, by the record that tells it. */
export function reasonOf(record: Json): string {
  for (const name of ['message', 'error', 'error_message', 'reason', 'error_type']) {
    const text = asText(record[name])
    if (text !== null) return text
  }
  return 'unknown'
}
