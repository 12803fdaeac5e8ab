import { closeSync, readSync } from 'node:fs'
import { openRegular } from '../../model/regular-file.ts'
import type { Json } from '../kit/json.ts'
import type { Line } from '../kit/lines.ts'
import { glanceAt, parseLine } from './decode.ts'
import { openEnvelope } from './envelope.ts'
import { endingOf, type Ending } from './results.ts'

/** What a line of `updates.jsonl` turned out to be. */
export type LineContent =
  | { readonly is: 'passed over' }
  | { readonly is: 'records'; readonly records: readonly Json[] }
  | { readonly is: 'torn' }
  | { readonly is: 'broken'; readonly type: string; readonly message: string }

const PASSED_OVER: LineContent = { is: 'passed over' }

/** Who is told of calls that still run, and whether more than that is wanted of them. */
export interface Watch {
  stillRuns(call: string, offset: number, length: number): void
  wants(call: string): boolean
}

export function contentOf(line: Line, watch: Watch): LineContent {
  const { bytes } = line
  if (bytes === null) return { is: 'broken', type: 'overlong line', message: 'a line over 64 MiB' }
  const glance = glanceAt(bytes)
  if (glance.is === 'ignored') return PASSED_OVER
  if (glance.is === 'running') {
    watch.stillRuns(glance.call, line.offset, bytes.length)
    if (!watch.wants(glance.call)) return PASSED_OVER
  }
  const records = parseLine(bytes)
  if (records !== null) return { is: 'records', records }
  if (!line.terminated) return { is: 'torn' }
  if (bytes.toString('latin1').trim() === '') return PASSED_OVER
  return { is: 'broken', type: 'broken line', message: 'not a JSON object' }
}

/** The output a call had shown when it was last heard of; what it is said to be for is none. */
export function endingAt(file: string, offset: number, length: number): { ending: Ending; at: number | null } | null {
  const bytes = Buffer.allocUnsafe(length)
  const fd = openRegular(file)
  try {
    if (readSync(fd, bytes, 0, length, offset) < length) return null
  } finally {
    closeSync(fd)
  }
  const record = parseLine(bytes)?.[0]
  const update = record === undefined ? null : openEnvelope(record)
  if (update === null) return null
  const ending = endingOf(update.body)
  return { ending: isAnnouncement(update.body) ? { ...ending, body: '' } : ending, at: update.at }
}

/** The first news of a call repeat its arguments, and what they show is their description. */
function isAnnouncement(body: Json): boolean {
  return body['rawInput'] !== undefined && body['status'] === undefined && body['rawOutput'] === undefined
}
