import { existsSync } from 'node:fs'
import path from 'node:path'
import { asText, parseObjects } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import { FAILURES } from './kinds.ts'
import type { SessionPlace } from './place.ts'

const MAX_FAILURES = 50_000
const COMPLETED = Buffer.from('"tool_completed"')
const SUCCESS = Buffer.from('"success"')

/**
 * Which calls failed according to `events.jsonl`, which names outcomes that a transcript may leave open.
 * Read once per reading, when the first call ends; only failures are remembered.
 */
export class Outcomes {
  readonly #file: string
  #failed: Set<string> | null = null

  constructor(place: SessionPlace) {
    this.#file = path.join(place.dir, 'events.jsonl')
  }

  failed(call: string): boolean {
    this.#failed ??= readFailures(this.#file)
    return this.#failed.has(call)
  }
}

function readFailures(file: string): Set<string> {
  const failed = new Set<string>()
  if (!existsSync(file)) return failed
  for (const { bytes } of new LineReader(file, null)) {
    if (bytes === null || bytes.indexOf(COMPLETED) === -1 || bytes.indexOf(SUCCESS) !== -1) continue
    for (const record of parseObjects(bytes.toString('utf8')) ?? []) {
      const call = asText(record['tool_call_id'])
      if (record['type'] !== 'tool_completed' || record['source'] === 'workspace' || call === null) continue
      if (FAILURES.has(asText(record['outcome']) ?? '') && failed.size < MAX_FAILURES) failed.add(call)
    }
  }
  return failed
}
